"""A cell that begins with `#| fill`: what lands in the file, and what never does."""

import json
import os
import random
import re
import signal
import stat
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from course import fill, workspace
from course.source import spans

from .conftest import ROOT, Run, clean_environment, everything, module

RIGHT = ("#| fill minillm.bigram\ndef next_word_probabilities(counts):\n"
         "    return counts / counts.sum(-1, keepdim=True)")
WRONG = RIGHT.replace("sum(-1, keepdim=True)", "sum()")
CHECK = 'check("bigram.next_word_probabilities")'


def test_a_right_answer_is_written_and_passes(run: Run, copy: Path) -> None:
    said = run(RIGHT, CHECK)
    assert "filled next_word_probabilities in minillm/bigram.py" in said
    assert "✓ bigram.next_word_probabilities, from this notebook" in said
    assert "counts.sum(-1, keepdim=True)" in module(copy)
    assert "\n#|" not in module(copy)


def test_what_is_written_is_there_in_a_new_process(run: Run, copy: Path) -> None:
    run(RIGHT)
    script = "from minillm import bigram; import torch; print(bigram.next_word_probabilities(" \
             "torch.tensor([1.0, 3.0])).tolist())"
    env = clean_environment(PYTHONPATH=str(copy))
    done = subprocess.run([sys.executable, "-c", script], env=env, text=True, capture_output=True)
    assert done.stdout.strip() == "[0.25, 0.75]", done.stderr


def test_a_known_mistake_is_named_in_three_lines_and_a_picture(run: Run) -> None:
    said = run(WRONG, CHECK)
    assert "✗ expected  three rows of another table = [[0 0.75 0.25 0]" in said
    assert "  came      [[0 0.1579" in said
    assert "look at   you divided by the sum of the whole table" in said
    assert "Traceback" not in said and "<Figure" in said


def test_a_hole_says_where_it_is_filled(run: Run) -> None:
    said = run("from minillm import bigram\nbigram.next_word_probabilities(torch.ones(2))", CHECK)
    assert said.count("✗ not filled in yet: lesson 00, exercise 1\n") == 2
    assert "Traceback" not in said


@pytest.mark.parametrize(("cell", "entry"), [
    ("p_cat = b", "name-error"), ("p_cat = 75%", "syntax"), ("p_cat = 1 - [0.5]", "operand"),
    ("p_cat = 1 / 0", None),
])
def test_a_step_that_fails_says_what_its_check_will_try(
    run: Run, capsys: pytest.CaptureFixture[str], cell: str, entry: str | None
) -> None:
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance()
    shell.run_cell("p_cat = 3", cell_id="steps-start-p_cat")
    assert "as it was" not in capsys.readouterr().out
    shell.run_cell(cell, cell_id="steps-start-p_cat")
    said = capsys.readouterr().out
    assert "the cell failed, so the answer is as it was" in said
    assert ("help.md has an entry: " + entry if entry else "") in said
    assert entry or "help.md" not in said


@pytest.mark.parametrize(("cell", "says"), [
    (RIGHT.replace("return", "return return"), "SyntaxError"),
    (RIGHT + "\n1 / 0", "ZeroDivisionError"),
], ids=["syntax error", "exception"])
def test_a_cell_that_fails_changes_nothing(run: Run, copy: Path, cell: str, says: str) -> None:
    run(WRONG)
    before = everything(copy)
    said = run(cell)
    assert says in said and "the cell failed, so minillm.bigram is as it was" in said
    assert ("help.md has an entry: syntax" in said) == (says == "SyntaxError")
    assert everything(copy) == before


def test_several_definitions_with_their_decorators_and_comments(run: Run, copy: Path) -> None:
    said = run("#| fill minillm.bigram\nimport functools\nimport math\n\nSCALE: float = 2.0\n"
               "A, B = 1, 2\n\n"
               "# keeps what it has seen\n@functools.cache\ndef log2(x: float = SCALE) -> float:\n"
               "    return math.log2(x)  # of any base\n    # last words\n\n"
               "class Counter:\n    size = log2(8.0)\n\n"
               "def next_word_probabilities(counts):\n    return counts / counts.sum(-1, True)",
               CHECK)
    assert "filled SCALE, A, B, log2, Counter, next_word_probabilities" in said and "✓" in said
    text = module(copy)
    for line in ("# keeps what it has seen\n@functools.cache\ndef log2", "# of any base\n    # l",
                 "import functools\n", "SCALE: float = 2.0", "A, B = 1, 2"):
        assert text.count(line) == 1, line
    order = list(spans(text))
    assert order.index("SCALE") < order.index("log2") < order.index("Counter")
    assert text.index("import math") < text.index("SCALE")
    run("#| fill minillm.bigram\nSCALE: float = 4.0")
    assert "SCALE: float = 4.0" in module(copy)
    assert "SCALE: float = 2.0" not in module(copy)


def test_an_import_that_only_the_notebook_has_fails_here(run: Run, copy: Path) -> None:
    run("import math as m")
    said = run(RIGHT.replace("return counts", "return m.exp(0) * counts"), CHECK)
    assert "NameError: name 'm' is not defined" in said and "line 3 of the cell" in said
    before = everything(copy)
    said = run(RIGHT.replace("(counts)", "(counts, base=m.e)"))
    assert "✗ not saved: NameError" in said and everything(copy) == before


def test_a_hole_is_never_written(run: Run, copy: Path) -> None:
    run(RIGHT)
    hole = 'raise NotImplementedError("not filled in yet: lesson 00, exercise 1")'
    said = run(f"#| fill minillm.bigram\ndef next_word_probabilities(counts):\n    {hole}")
    assert "nothing filled in yet" in said and "keepdim" in module(copy)


def test_a_function_edited_by_hand_is_left_alone(run: Run, copy: Path) -> None:
    run(WRONG)
    path = copy / "minillm/bigram.py"
    mine = module(copy).replace("counts.sum()", "counts.sum(-1, keepdim=True)  # my own hand")
    path.write_text(mine, "utf-8")
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 10**9))
    said = run(CHECK)  # the file is read again, without a restart
    assert "✓ bigram.next_word_probabilities, from minillm/bigram.py" in said
    said = run(WRONG)
    assert "next_word_probabilities was changed by hand in minillm/bigram.py and stays" in said
    assert "%replace minillm.bigram.next_word_probabilities" in said and module(copy) == mine
    assert "✓" in run(CHECK)
    said = run("%replace minillm.bigram.next_word_probabilities")
    assert "filled next_word_probabilities" in said and "counts.sum()" in module(copy)
    kept = [p.read_text("utf-8") for p in (copy / "backups").iterdir()]
    assert len(kept) == 1 and "my own hand" in kept[0]
    assert "stays" not in run(RIGHT)  # what a cell wrote, a cell may replace


def test_a_hole_with_notes_in_it_is_backed_up(run: Run, copy: Path) -> None:
    path = copy / "minillm/bigram.py"
    noted = module(copy).replace("    raise Not", "    # idea: rows\n    raise Not")
    path.write_text(noted, "utf-8")
    assert "filled" in run(RIGHT)
    assert any("idea: rows" in p.read_text("utf-8") for p in (copy / "backups").iterdir())


def test_a_lost_record_makes_everything_the_learners(run: Run, copy: Path) -> None:
    run(RIGHT)
    (copy / "minillm/.course.json").write_text("{", "utf-8")
    assert "stays as it is" in run(WRONG) and "keepdim" in module(copy)


def test_the_other_notebook_sees_it(run: Run, copy: Path) -> None:
    """Two notebooks on one package: this one has loaded the module before the other fills it."""
    run("from minillm import bigram as B")
    script = ("from IPython.core.interactiveshell import InteractiveShell as S\ns = S.instance()\n"
              f"[s.run_cell(c) for c in ('%load_ext course', {RIGHT!r})]")
    subprocess.run([sys.executable, "-c", script], cwd=copy / "notebooks", check=True,
                   env=clean_environment(), stdout=subprocess.DEVNULL)
    said = run("print(B.next_word_probabilities(torch.tensor([1., 3.])).tolist())")
    assert "[0.25, 0.75]" in said


@pytest.mark.parametrize(("first", "near"), [
    ("#| fill minillm.bigrams", "#| fill minillm.bigram`"),
    ("#| fil minillm.bigram", "#| fill minillm.bigram`"),
    ("#|fill bigram", "#| fill minillm.bigram`"),
    ("#| fill", "#| fill minillm.bigram`"),
    ("#| minillm.bigram", "#| fill minillm.bigram`"),
])
def test_a_mistyped_directive_names_the_nearest(run: Run, copy: Path, first: str,
                                                near: str) -> None:
    before = everything(copy)
    said = run(RIGHT.replace("#| fill minillm.bigram", first))
    assert f"did you mean `{near}" in said and everything(copy) == before


def test_a_deleted_directive_is_missed(run: Run, copy: Path) -> None:
    said = run(RIGHT.partition("\n")[2])
    assert "make `#| fill minillm.bigram` the first line of the cell" in said
    assert run("#| label: other\ndef unrelated():\n    pass") == ""
    run(RIGHT)
    said = run(WRONG.partition("\n")[2])  # the package holds another one by now
    assert "its check does not see it" in said and "keepdim" in module(copy)
    assert "first line" in run("# mine\n" + WRONG)
    assert run(RIGHT.partition("\n")[2]) == ""  # it is there already


def test_a_demo_that_uses_the_name_of_an_exercise_is_none(run: Run) -> None:
    assert run("def next_word_probabilities(words, text):\n    return words") == ""
    assert run("class next_word_probabilities:\n    pass") == ""


def test_no_demo_of_any_lesson_is_taken_for_an_answer(tmp_path: Path) -> None:
    """In lesson 04 a demo's `loss` was to be filled into mlp."""
    workspace.start(ROOT, tmp_path / "copy")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and "nbgrader" not in cell["metadata"]:
                hint = fill.undirected(re.sub(r"^%.*", "", source, flags=re.M),
                                       tmp_path / "copy/minillm")
                assert hint is None, (path.name, hint)
            elif source.startswith("#| fill") and not re.search(r"^(import|from) ", source, re.M):
                answer = source.partition("\n")[2].replace("not filled in yet", "mine")
                assert "first line" in str(fill.undirected(answer, tmp_path / "copy/minillm"))


def test_a_read_only_folder(run: Run, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(fill, "write", refuse)  # root may write everywhere
    before = module(copy)
    said = run(RIGHT, CHECK)
    assert "for this session only" in said and "Permission denied" in said and "✓" in said
    assert module(copy) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_for_real(run: Run, copy: Path) -> None:
    (copy / "minillm").chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert "for this session only" in run(RIGHT)


@pytest.mark.parametrize("tool", ["NBGRADER_EXECUTION", "PYTEST_VERSION"])
def test_tools_change_nothing_on_disk(run: Run, copy: Path, tool: str,
                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tool, "validate")
    before = everything(copy)
    said = run(RIGHT, CHECK)
    assert "nothing is written to disk" in said and "✓" in said and everything(copy) == before


def test_graded_is_what_the_notebook_gives(run: Run, copy: Path,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    path = copy / "minillm/bigram.py"
    path.write_text(module(copy).partition("def ")[0] + RIGHT.partition("\n")[2], "utf-8")
    assert "✓ bigram.next_word_probabilities, from minillm/bigram.py" in run(CHECK)
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    assert "right in minillm/bigram.py, but not in this notebook" in run(CHECK)


def test_the_reference_is_refused(run: Run, built: Path) -> None:
    import_module("course.workspace").use(built / "solutions")
    assert "comes from the reference package" in run(CHECK)


def test_a_notebook_outside_the_course_folder(run: Run, copy: Path, tmp_path: Path,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    said = run("%reload_ext course")
    assert "holds your minillm" in said and "course start" in said and "Traceback" not in said
    monkeypatch.setenv("COURSE_MINILLM", str(copy))
    assert run("%reload_ext course") == ""
    monkeypatch.setenv("COURSE_MINILLM", str(tmp_path / "elsewhere"))
    assert "that folder holds no minillm" in run("%reload_ext course")


def test_a_module_broken_by_hand_is_named(run: Run, copy: Path) -> None:
    path = copy / "minillm/bigram.py"
    path.write_text(module(copy) + "def broken(:\n", "utf-8")
    said = run(RIGHT)
    assert "minillm.bigram itself does not load" in said and "help.md has an entry: import" in said
    said = run(CHECK)
    assert "✗ minillm.bigram itself does not load" in said and "Traceback" not in said
    assert "def broken(:" in module(copy)


def test_a_module_broken_by_hand_while_it_is_loaded_is_named(run: Run, copy: Path) -> None:
    run(RIGHT)
    path = copy / "minillm/bigram.py"
    path.write_text(module(copy) + "def broken(:\n", "utf-8")
    said = run(WRONG)
    assert "✗ not saved: minillm/bigram.py is no Python any more: line" in said
    assert "help.md has an entry: import" in said


def test_killed_at_any_instant_no_file_is_half_written(run: Run, copy: Path) -> None:
    """A hundred kernels, killed while they write."""
    versions = [RIGHT.replace("return", f"x = {n!r} * {'7' * 4000}\n    return") for n in range(2)]
    run(versions[0])
    bigram, random_time = import_module("minillm.bigram"), random.Random(0)
    allowed = {fill.patched(module(copy), v, ["next_word_probabilities"]) for v in versions}
    begin = time.monotonic()
    fill.save(bigram, versions[1], ["next_word_probabilities"])
    once = time.monotonic() - begin  # kills are to fall inside a write, however slow the machine
    seen = set()
    for _ in range(100):
        reader, writer = os.pipe()
        if not (child := os.fork()):
            try:
                while True:
                    for version in versions:
                        assert not fill.save(bigram, version, ["next_word_probabilities"])
                        os.write(writer, b".")
            finally:
                os._exit(1)
        os.read(reader, 1)  # it is at work
        time.sleep(random_time.uniform(0, 3 * once))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL  # it failed no assertion before
        os.close(reader)
        os.close(writer)
        seen.add(module(copy))
        assert seen <= allowed
        json.loads((copy / "minillm/.course.json").read_text("utf-8"))
    assert seen == allowed
    assert "stays" not in run(RIGHT)  # whatever was left there is still known as a cell's
    assert not list((copy / "minillm").glob(".course-tmp-*"))
