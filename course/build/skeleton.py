"""`course new-exercise`: every file of a new exercise, with TODO where its author has to write."""

from pathlib import Path

from ..files import write
from ..fill import patched
from ..source import spans
from .lesson import Lesson

TODO = "TODO"

LESSON = '''
TODO: what {name} is for, and what the learner knows about it by now.

```python exercise="{target}" points=1
```

<details><summary>Hint 1: a nudge</summary>

TODO
</details>
<details><summary>Hint 2: the identity or the shape</summary>

TODO
</details>
<details><summary>Hint 3: almost the code</summary>

~~~python
TODO
~~~
</details>
'''
REFERENCE = '''

def {name}(x: torch.Tensor) -> torch.Tensor:
    """TODO: what it gives, with shapes, units, errors and source."""
    ### BEGIN SOLUTION
    return x  # TODO
    ### END SOLUTION
'''
SCENARIO = '''

@scenario("{target}")
def {name}(f: Any, see: See) -> None:
    x = torch.arange(6, dtype=torch.float64).view(2, 3)  # TODO: every dimension another size
    see("TODO: what is tried", f, x)
    see("TODO: and another input", f, x.T)
'''
HIDDEN = SCENARIO.replace("@scenario", "@hidden").replace("what is tried", "the property")
MISTAKE = '''

@mistake("{target}", "TODO: the thought behind it, and what to look at next")
def {name}_TODO(x: torch.Tensor) -> torch.Tensor:
    return -x
'''
ALTERNATIVES = "".join(f'''

@alternative("{{target}}")
def {{name}}_{way}(x: torch.Tensor) -> torch.Tensor:
    return x  # TODO: {how}
''' for way, how in (("loop", "a loop"), ("einsum", "einsum"), ("built_in", "torch's own")))
ORACLE = '''

def test_{name}_is_what_something_else_gives() -> None:
    raise AssertionError("TODO: compare {target} with torch's own function, autograd or a loop")
'''
TORCH = "import torch\n"
HEADS = {
    "course/scenarios": f"from typing import Any\n\n{TORCH}\nfrom . import See, scenario\n",
    "grader/scenarios": f"from typing import Any\n\n{TORCH}\nfrom course.scenarios import See\n\n"
                        "from . import hidden\n",
    "course/mistakes": f"{TORCH}\nfrom . import mistake\n",
    "course/alternatives": f"{TORCH}\nfrom . import alternative\n",
}
INSIDE = {"from . import": "from .. import"}  # in the folder of a module with several files


def new_exercise(root: Path, lesson: Lesson, target: str) -> list[Path]:
    """Write the skeleton of `target` at the end of a lesson; gives the files to go through.

    Raises ValueError for a target that is no module.name, or is there already.
    """
    family, dot, name = target.partition(".")
    if not (dot and family.isidentifier() and name.isidentifier()):
        raise ValueError(f"{target!r} is no target; write it like attention.causal_mask")
    module = root / f"solutions/minillm/{family}.py"
    if module.is_file() and name in spans(module.read_text("utf-8")):
        raise ValueError(f"solutions/minillm/{family}.py has a {name} already")
    words = {"name": name, "target": target}
    oracle = root / f"tests/oracles/test_{family}.py"
    return [
        append(lesson.path, LESSON, words),
        append(module, REFERENCE, words, f'"""TODO: what this module is for."""\n\n{TORCH}'),
        *(author(root / folder, family, name, text, words, HEADS[folder]) for folder, text in (
            ("course/scenarios", SCENARIO), ("course/mistakes", MISTAKE),
            ("course/alternatives", ALTERNATIVES), ("grader/scenarios", HIDDEN))),
        append(oracle, ORACLE, words, f'"""Oracles of `minillm.{family}`."""\n'),
    ]


def append(path: Path, text: str, words: dict[str, str], head: str = "") -> Path:
    content = path.read_text("utf-8") if path.is_file() else head
    if path.suffix == ".py":
        needed = [line for line, name in (("from typing import Any", ": Any"),
                                          ("import torch", "torch.")) if name in text]
        missing = [n for n in needed if n not in spans(content)]
        content = patched(content, "\n".join(needed), missing)
    write(path, content.rstrip("\n") + "\n" + text.format(**words))
    return path


def author(folder: Path, family: str, name: str, text: str, words: dict[str, str],
           head: str) -> Path:
    """Into the module's file; where the module has a folder of files, into a file of its own."""
    title = f'"""{name} of `minillm.{family}`."""\n\n'
    if not (folder / family).is_dir():
        return append(folder / f"{family}.py", text, words, title + head)
    for old, new in INSIDE.items():
        head = head.replace(old, new)
    return append(folder / family / f"{name}.py", text, words, title + head)


def unfinished(paths: list[Path]) -> list[tuple[Path, int]]:
    """The lines in which an author still has to write something."""
    return [(path, number) for path in paths if path.is_file()
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1) if TODO in line]
