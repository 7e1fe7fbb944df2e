"""The second process sees what an answer does; one that misbehaves harms only itself."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import nbformat
import pytest

from grader.confine import Limits
from grader.execute import Places
from grader.notebooks import flags
from grader.observe import needed, read_and_bound
from grader.observer import cells_of, idle, imports, observe
from grader.outcome import Own, decide, stored
from grader.project import Ground

from .conftest import ANSWER, EXERCISE, ROOT, ROWS, STEP, WHOLE, Make, code

CHOICE = "steps.start.what_stays"
NUMBER = "steps.start.p_cat"
Observe = Callable[..., dict[str, Any]]


@pytest.fixture
def observed(places: Places, ground: Ground) -> Observe:
    """Gives the replies to a notebook's answers."""

    def run(nb: Any, **limits: float) -> dict[str, Any]:
        with places.host(replace(Limits(), **limits)) as place:
            return observe(nb, ground.package, place)

    return run


def passed(replies: dict[str, Any], target: str = EXERCISE) -> bool:
    visible = stored(ROOT / "course/expected", target)
    assert visible
    return decide(target, Own(True), replies[target], visible,
                  stored(ROOT / "grader/expected", target)).passed


def body(right: dict[str, str], line: str) -> dict[str, str]:
    """The right answer with a line in front of its return."""
    source = right[ANSWER].replace("    return ", f"    {line}\n    return ")
    return {ANSWER.replace("-", "__"): source}


def test_right_answers(observed: Observe, make: Make) -> None:
    replies = observed(make())
    assert all(passed(replies, target) for target in replies) and len(replies) == 6
    assert replies[EXERCISE].keys() == {"visible", "hidden"}
    assert replies[NUMBER].keys() == {"visible"}


def test_it_is_told_no_expected_value_and_no_answer(ground: Ground) -> None:
    names = {p.relative_to(ground.observer).as_posix() for p in ground.observer.rglob("*.py")}
    assert names == {"grader/__init__.py", "grader/confine.py", "grader/observe.py",
                     "grader/warm.py", "grader/scenarios/__init__.py",
                     "grader/scenarios/bigram.py"}
    assert not {p.name for p in ground.kit.glob("course/*")} & {
        "mistakes", "alternatives", "build", "lessons"}
    package = (ground.package / "minillm/bigram.py").read_text()
    assert "NotImplementedError" in package and ROWS not in package


@pytest.mark.parametrize(("line", "why", "limits"), [
    ("import os; os._exit(0)", "its result cannot be read", {}),
    ("import os, signal; os.kill(0, signal.SIGKILL)", "ended its process", {}),
    ("raise SystemExit", "ended its process", {}),
    ("while True: pass", "more than 1 s of processor time", {"cell_cpu": 1}),
    ("import time\n    try: time.sleep(60)\n    except BaseException: time.sleep(60)", "finish",
     {"cell_cpu": 1, "cell_wall": 1}),
    ("counts = counts.new_zeros(1300, 1300)", "too large", {}),
])
def test_an_answer_that_misbehaves(observed: Observe, make: Make, right: dict[str, str],
                                   line: str, why: str, limits: dict[str, float]) -> None:
    replies = observed(make(**body(right, line)), **limits)
    assert why in replies[EXERCISE]["lost"]
    assert passed(replies, NUMBER) and passed(replies, CHOICE)
    assert passed(observed(make()))


def test_what_it_patches_or_prints_stays_its_own(observed: Observe, make: Make,
                                                 right: dict[str, str]) -> None:
    line = ("import sys, os; print('{}', flush=True); torch.Tensor.sum = None; "
            "os.write(1, b'{\"number\": 0}\\n'); sys.modules.pop('course.checks', None)")
    assert not passed(observed(make(**body(right, line))))
    assert passed(observed(make()))


def test_it_sees_what_the_notebook_hides(observed: Observe, make: Make) -> None:
    nb = make(**{STEP.replace("-", "__"): "p_cat = 3"})
    nb.cells.insert(2, code("def check(target): print('✓', target, ', from this notebook')"))
    replies = observed(nb)
    assert not passed(replies, NUMBER) and passed(replies)


def test_a_step_that_uses_other_cells(observed: Observe, make: Make) -> None:
    """The cells that give what the answer uses run too, and no others."""
    nb = make(**{STEP.replace("-", "__"): "%matplotlib inline\np_cat = row[1] / total(row)"})
    given = [code("row = counts[0]"), code("def total(x):\n    return x.sum() + 0 * zero"),
             code("zero = 0"), code("import os; os._exit(1)"), code("zero += 0")]
    nb.cells[4:4] = given
    replies = observed(nb)
    assert passed(replies, NUMBER), replies[NUMBER]


def test_a_step_of_which_nothing_is_left(observed: Observe, make: Make) -> None:
    nb = make(**{STEP.replace("-", "__"): "q = 1"})
    assert observed(nb)[NUMBER] == {"lost": "no cell gives p_cat"}
    nb = make(**{STEP.replace("-", "__"): "p_cat = ..."})
    assert observed(nb)[NUMBER] == {"lost": "not answered"}
    nb = make(**{STEP.replace("-", "__"): "p_cat = ("})
    assert "no cell gives" in observed(nb)[NUMBER]["lost"]


def test_helpers_in_a_fill_cell_of_their_own(observed: Observe, make: Make) -> None:
    nb = make(**{ANSWER.replace("-", "__"): "#| fill minillm.bigram\ndef next_word_probabilities"
                 "(counts):\n    return counts / rows(counts)"})
    nb.cells.insert(3, code(f"#| fill minillm.bigram\ndef rows(x):\n    return x{ROWS}"))
    assert passed(observed(nb))


def test_a_wrong_answer_and_a_hole(observed: Observe, make: Make, released: Any,
                                   right: dict[str, str]) -> None:
    wrong = make(**{ANSWER.replace("-", "__"): right[ANSWER].replace(ROWS, WHOLE)})
    visible = stored(ROOT / "course/expected", EXERCISE)
    assert visible
    outcome = decide(EXERCISE, Own(False, "x"), observed(wrong)[EXERCISE], visible, None)
    assert outcome.mistake == "whole_sum"
    hole = decide(EXERCISE, Own(False, "x"), observed(released)[EXERCISE], visible, None)
    assert hole.why == "hole"


def test_names_that_cells_use_and_give() -> None:
    used, bound = read_and_bound("import a.b as c, d.e\nfor i in x:\n    y = lambda z: w\n"
                                 "def f(p):\n    q = r\nclass K:\n    s = 1\n(t := 2)")
    assert {"x", "w", "r"} <= used and bound == {"c", "d", "i", "y", "f", "K", "t"}
    cells = [{"source": s, "module": "", "target": ""}
             for s in ("from m import *", "a = 1", "a = b", "b = 2", "(", "c = a")]
    assert needed(cells, 5) == [0, 2, 3]  # `*` may give anything; the last `a` counts


def test_a_parameter_is_no_name_from_outside() -> None:
    """Else a demo that happens to use the same letter runs again for every answer."""
    used, _ = read_and_bound("h = 1\ndef f(d, *, e=E):\n    g = d + e + h + later()\n"
                             "    return [x for x in g] + k\ndef later():\n    return 0\n"
                             "for i in many:\n    print(i)\nwith a as b:\n    b.c()")
    assert used - {"print"} == {"E", "k", "many", "a"}
    cells = [{"source": s, "module": "", "target": ""}
             for s in ("for d in range(9): slow(d)", "def f(d):\n    return d ** 0.5")]
    assert needed(cells, 1) == []


def test_what_is_told_of_a_notebook(ground: Ground, make: Make, released: Any) -> None:
    nb = make()
    nb.cells.append(code("#| fill minillm.os\nx = 1"))
    told = cells_of(nb, ground.package)
    assert [t["module"] for t in told if t["module"]] == ["minillm.bigram"]
    assert len([t for t in told if t["target"]]) == 5
    assert not any("check(" in t["source"] for t in told)
    assert "torch" in imports(released) and not any("minillm" in n for n in imports(released))


def left_out(given: list[str], *own: str) -> list[str]:
    """The given cells that are left out of a notebook that has these of the learner's as well."""
    released = nbformat.v4.new_notebook(cells=[*map(code, given)])
    nb = nbformat.v4.new_notebook(cells=[*map(code, given), *map(code, own)])
    return [nb.cells[at].source for at in sorted(idle(nb, released))]


def test_only_demos_that_nothing_needs_are_left_out() -> None:
    """A step that takes numbers from a given cell lost its points when all given cells were."""
    given = ["T, D = 3, 4", "def double(x): return x * size", "size = 2", "y = double(D)",
             "print(T * y)"]
    assert left_out(given) == given
    assert left_out(given, "area = T * D") == given[1:]
    assert left_out(given, "area = y + 1") == given[4:]  # y, and what it takes to make it
    assert left_out(given, "def area(): return double(1)") == [given[0], *given[3:]]
    assert left_out(given, "print(T * y) # mine") == given[4:]  # a demo that was changed is none
    assert left_out(given, "T = 5", "area = T") == given[1:]  # which T, is not gone into


@pytest.mark.parametrize("cell", ["%time print(y)", "eval('y')", "%%time\nprint(y)"])
def test_a_name_that_a_parser_does_not_see(cell: str) -> None:
    assert left_out(["x = 1", "y = 2"], cell) == ["x = 1"]


def test_what_changes_a_part_of_something_is_needed_with_it() -> None:
    given = ["counts = [0, 0]", "counts[1] = 5", "from math import *", "print(1)"]
    assert left_out(given, "p = counts[1]") == ["print(1)"]
    assert left_out(given, "p = 1") == [*given[:2], "print(1)"]  # `*` may give anything


def test_the_demos_of_a_lesson_are_left_out_and_not_its_setup(make: Make, released: Any) -> None:
    nb = make()
    places = idle(nb, released)
    assert len(places) == 5 and not any(flags(nb.cells[at]) for at in places)
    assert not any("%load_ext" in nb.cells[at].source for at in places)
