"""Progress, catch-up, reset, restore, check in the terminal: on the small course of lesson 00."""

import json
import shutil
from pathlib import Path

import pytest

from course import catchup, files, progress
from course.progress import CHECKED, FILLED, OPEN, REFERENCE

from .conftest import ROOT, Run, course, everything, module

TARGET = "bigram.next_word_probabilities"
RIGHT = ("#| fill minillm.bigram\n"
         "def next_word_probabilities(counts):\n    return counts / counts.sum(-1, keepdim=True)\n")
WRONG = RIGHT.replace("counts.sum(-1, keepdim=True)", "counts.sum()")


@pytest.fixture
def lesson(monkeypatch: pytest.MonkeyPatch, built: Path) -> progress.Lesson:
    monkeypatch.setattr(progress, "CONTENTS", built / "course/contents.json")
    progress.SEEN.clear()
    return progress.find("0")


def state(copy: Path, lesson: progress.Lesson) -> str:
    progress.SEEN.clear()
    return progress.states(copy, lesson)[TARGET]


def test_from_open_to_checked(copy: Path, run: Run, lesson: progress.Lesson) -> None:
    assert state(copy, lesson) == OPEN
    run(WRONG)
    assert state(copy, lesson) == FILLED
    run(f'check("{TARGET}")')
    assert state(copy, lesson) == FILLED
    run(RIGHT, f'check("{TARGET}")')
    assert state(copy, lesson) == CHECKED
    run(WRONG)  # changed after it was checked
    assert state(copy, lesson) == FILLED


def test_an_answer_that_fills_no_package_counts_when_it_was_checked(
        copy: Path, run: Run, lesson: progress.Lesson) -> None:
    progress.note(TARGET, True, copy)  # as in a solved notebook, beside a package with holes
    assert state(copy, lesson) == CHECKED
    run(RIGHT)
    assert state(copy, lesson) == FILLED
    progress.note(TARGET, False, copy)
    assert state(copy, lesson) == FILLED


def test_steps_are_seen_by_the_check_and_in_the_saved_notebook(
        copy: Path, run: Run, lesson: progress.Lesson) -> None:
    run("p_cat = 3 / 4", 'check("steps.start.p_cat")')
    assert progress.states(copy, lesson)["steps.start.p_cat"] == CHECKED
    notebook = copy / "notebooks/00_start_here.ipynb"
    content = json.loads(notebook.read_text("utf-8"))
    cell = next(c for c in content["cells"] if c["id"] == "steps-start-what_stays")
    cell["source"] = ['what_stays = "b"']
    notebook.write_text(json.dumps(content), "utf-8")
    assert progress.states(copy, lesson)["steps.start.what_stays"] == FILLED


def test_the_table_in_a_notebook(copy: Path, run: Run, lesson: progress.Lesson) -> None:
    said = run(RIGHT, f'check("{TARGET}")', 'progress("00")')
    assert "1 of" in said and "build on it" not in said  # none does, in this small course
    html = progress.Progress(copy, lesson)._repr_html_()
    assert "1 of" in run("progress(0)")
    assert "<progress" in html and "aria-label" in html and TARGET not in html


def test_the_table_links_to_the_next_lesson(copy: Path, lesson: progress.Lesson,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    later = progress.Lesson("01_softmax", "p < q", 10, [], {})
    monkeypatch.setattr(progress, "lessons", lambda: [lesson, later])
    assert "href" not in progress.Progress(copy, lesson)._repr_html_()  # no such notebook here
    (copy / "notebooks/01_softmax.ipynb").write_text("{}", "utf-8")
    assert "<a href='01_softmax.ipynb'>01 p &lt; q</a>" in (
        progress.Progress(copy, lesson)._repr_html_())
    assert "href" not in progress.Progress(copy, later)._repr_html_()


def test_a_tool_writes_no_progress(copy: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    run(RIGHT, f'check("{TARGET}")')
    assert not (copy / progress.NOTES).exists()


def test_grades_come_from_kept_feedback_pages(copy: Path, lesson: progress.Lesson) -> None:
    page = copy / "feedback/00_start_here.html"
    page.parent.mkdir()
    page.write_text('<p>x</p><script type="application/json" id="course-scores">'
                    '{"lesson": "00_start_here", "score": 3, "max": 4.5}</script>', "utf-8")
    assert progress.graded(copy) == {"00_start_here": (3, 4.5)}
    assert "graded 3 of 4.5" in repr(progress.Progress(copy, lesson))
    page.write_text('<script type="application/json" id="course-scores">{]</script>', "utf-8")
    assert progress.graded(copy) == {}


def test_what_the_exchange_fetched(copy: Path, lesson: progress.Lesson) -> None:
    """A notebook in a folder of its own is the one that counts, and its feedback is seen."""
    fetched = copy / f"notebooks/{lesson.name}/{lesson.name}.ipynb"
    page = fetched.parent / "feedback/2026-11-29 10:11:12.123456 UTC" / f"{lesson.name}.html"
    page.parent.mkdir(parents=True)
    page.write_text('<script type="application/json" id="course-scores">'
                    '{"lesson": "00_start_here", "score": 3, "max": 4.5}</script>', "utf-8")
    assert progress.graded(copy) == {"00_start_here": (3, 4.5)}
    assert progress.answered_steps(copy, lesson) == set()
    shutil.copy(ROOT / f"solutions/{lesson.name}.ipynb", fetched)
    assert progress.answered_steps(copy, lesson)
    assert "import" in progress.setup_source(copy, lesson)


@pytest.fixture
def two(copy: Path, lesson: progress.Lesson, monkeypatch: pytest.MonkeyPatch) -> progress.Lesson:
    """A later lesson, so that there is something to catch up with."""
    later = progress.Lesson("99_later", "later", 10, [], {})
    monkeypatch.setattr(progress, "lessons", lambda: [lesson, later])
    monkeypatch.setattr(catchup, "lessons", lambda: [lesson, later])
    return later


def silent(_: str) -> None:
    pass


def test_catch_up_fills_holes_and_restore_brings_them_back(
        copy: Path, two: progress.Lesson, lesson: progress.Lesson) -> None:
    before = module(copy)
    reference = catchup.reference_package(None, ROOT)
    assert catchup.catch_up(copy, two, reference, tell=silent) == ([TARGET], [])
    assert state(copy, lesson) == REFERENCE and "keepdim" in module(copy)
    assert catchup.catch_up(copy, two, reference, tell=silent) == ([], [])
    assert catchup.give_back(copy) == ([TARGET], [])
    assert module(copy) == before and state(copy, lesson) == OPEN


def test_catch_up_keeps_what_is_right_and_replaces_what_is_wrong(
        copy: Path, run: Run, two: progress.Lesson) -> None:
    run(RIGHT)
    reference = catchup.reference_package(None, ROOT)
    mine = module(copy)
    assert catchup.catch_up(copy, two, reference, tell=silent) == ([], [TARGET])
    assert module(copy) == mine
    run(WRONG)
    wrong = module(copy)
    assert catchup.catch_up(copy, two, reference, tell=silent) == ([TARGET], [])
    assert catchup.give_back(copy) == ([TARGET], [])
    assert module(copy) == wrong


def test_an_answer_after_catch_up_is_filled_in_and_not_undone_by_restore(
        copy: Path, run: Run, two: progress.Lesson) -> None:
    run(WRONG)
    catchup.catch_up(copy, two, catchup.reference_package(None, ROOT), tell=silent)
    assert "filled next_word_probabilities" in run(RIGHT)
    assert catchup.give_back(copy) == ([], [TARGET])
    assert "counts.sum(-1, keepdim=True)" in module(copy)
    kept, = (copy / "backups").glob("bigram.next_word_probabilities.*.py")
    assert "counts.sum()" in kept.read_text("utf-8")


def test_reset_and_back(copy: Path, run: Run, lesson: progress.Lesson) -> None:
    run(RIGHT)
    mine = module(copy)
    assert catchup.reset(copy, lesson, ROOT) == [TARGET]
    assert state(copy, lesson) == OPEN
    assert catchup.reset(copy, lesson, ROOT) == []
    assert catchup.give_back(copy) == ([TARGET], [])
    assert module(copy) == mine


def test_killed_while_catching_up(copy: Path, run: Run, two: progress.Lesson,
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    run(WRONG)
    mine = module(copy)
    reference = catchup.reference_package(None, ROOT)
    writes = 0

    def stop_at(last: int) -> None:
        real = files.write

        def write(path: Path, content: str | bytes) -> None:
            nonlocal writes
            writes += 1
            if writes > last:
                raise KeyboardInterrupt
            real(path, content)

        monkeypatch.setattr(catchup, "write", write)

    for last in range(4):
        writes = 0
        with monkeypatch.context():
            stop_at(last)
            try:
                catchup.catch_up(copy, two, reference, tell=silent)
            except KeyboardInterrupt:
                pass
        monkeypatch.setattr(catchup, "write", files.write)
        catchup.give_back(copy)
        assert module(copy) == mine, last


def test_a_bundle_without_reference_code_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(catchup.NoReference, match="--from"):
        catchup.reference_package(None, tmp_path)
    with pytest.raises(catchup.NoReference, match="holds no minillm$"):
        catchup.reference_package(tmp_path, ROOT)
    (tmp_path / "02_backprop/minillm").mkdir(parents=True)
    (tmp_path / "02_backprop/minillm/__init__.py").touch()
    with pytest.raises(catchup.NoReference, match="no minillm, but .*02_backprop does"):
        catchup.reference_package(tmp_path, ROOT)


def test_the_commands(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "my course é"
    course(project, "start", str(folder))
    said = course(project, "check", "0", "--folder", str(folder), fails=True)
    assert "✗ steps.start.p_cat" in said and "not answered yet" in said and "0 of" in said
    notebook = folder / "notebooks/00_start_here.ipynb"
    notebook.write_text(notebook.read_text("utf-8").replace('"p_cat = ..."', '"p_cat = 3/4"'))
    said = course(project, "check", "0", "--folder", str(folder), fails=True)
    assert "✓ steps.start.p_cat" in said
    assert "1/" in course(project, "progress", "--folder", str(folder))
    assert "open" in course(project, "progress", "00", "--folder", str(folder))
    assert "there is no lesson 'x'" in course(project, "check", "x", "--folder", str(folder),
                                              fails=True)
    before = everything(folder)
    assert "no working copy" in course(project, "reset", "0", "--folder", str(tmp_path),
                                       fails=True)
    assert "all are holes" in course(project, "reset", "0", "--folder", str(folder))
    assert everything(folder) == before


def test_a_renamed_notebook_is_found_and_one_that_is_gone_costs_no_progress(
        project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    course(project, "start", str(folder))
    notebook = folder / "notebooks/00_start_here.ipynb"
    notebook.write_text(notebook.read_text("utf-8").replace('"p_cat = ..."', '"p_cat = 3/4"'))
    notebook = notebook.rename(notebook.with_name("00_start_here_Ana.ipynb"))
    assert "✓ steps.start.p_cat" in course(project, "check", "0", "--folder", str(folder),
                                          fails=True)
    assert progress.read(folder / progress.NOTES)["steps.start.p_cat"]["passed"]
    notebook.unlink()
    said = course(project, "check", "0", "--folder", str(folder), fails=True)
    assert "there is no notebook 00_start_here" in said and "steps.start.p_cat" not in said
    assert progress.read(folder / progress.NOTES)["steps.start.p_cat"]["passed"]


def test_a_title_that_is_too_long_is_cut_with_a_sign(copy: Path, monkeypatch: pytest.MonkeyPatch,
                                                    ) -> None:
    row = progress.Lesson("99_later", "a title " * 9, 10, [], {})
    monkeypatch.setattr(progress, "lessons", lambda: [row])
    head, line, _ = progress.summary(copy)
    assert "…" in line and len(line) == len(head) <= 80


@pytest.mark.parametrize("spoilt", ["return (", None], ids=["no Python", "gone"])
def test_a_module_that_is_no_python_can_be_reset(copy: Path, run: Run, lesson: progress.Lesson,
                                                 spoilt: str | None) -> None:
    """What help.md promises; what still is Python in it stays."""
    run(RIGHT, "#| fill minillm.bigram\nimport functools\n\n@functools.cache\n"
        "def helper(\n    x,\n):\n    return x\n")
    path = copy / "minillm/bigram.py"
    if spoilt:
        path.write_text(module(copy).replace("return counts", f"{spoilt}counts"), "utf-8")
    else:
        path.unlink()
    said: list[str] = []
    catchup.reset(copy, lesson, ROOT, said.append)
    assert state(copy, lesson) == OPEN and module(copy).startswith("# Your copy")
    assert "is put aside in" in said[0] and len(said) == 1
    kept, = (copy / "backups").glob("bigram.module.*.py")
    assert not spoilt or "return (counts" in kept.read_text("utf-8")
    assert ("@functools.cache\ndef helper(" in module(copy)) == bool(spoilt)
    assert "filled" in run(RIGHT) and "✓" in run(f'check("{TARGET}")')


def test_catch_up_mends_a_module_that_is_no_python(copy: Path, run: Run, two: progress.Lesson,
                                                  lesson: progress.Lesson) -> None:
    run(RIGHT)
    path = copy / "minillm/bigram.py"
    path.write_text(module(copy).replace("return counts", "return (counts"), "utf-8")
    said: list[str] = []
    reference = catchup.reference_package(None, ROOT)
    assert catchup.catch_up(copy, two, reference, tell=said.append) == ([TARGET], [])
    assert any("is put aside in" in line for line in said) and state(copy, lesson) == REFERENCE
