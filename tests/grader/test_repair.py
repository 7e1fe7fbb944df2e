"""`grader.repair`: whatever was done to a notebook, it can be graded, and nothing is lost."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import nbformat
import pytest

from grader.notebooks import NotANotebook, flags, grade_id, lesson_of, read
from grader.repair import asked, repair

from .conftest import (
    ANSWER,
    CHECK,
    EXERCISE,
    LESSON,
    ROWS,
    STEP,
    STEP_CHECK,
    WHOLE,
    Make,
    at,
    code,
    ids,
)


def said(notes: list[str], *words: str) -> bool:
    return any(all(word in note for word in words) for note in notes)


def assert_graded(nb: Any, released: Any) -> None:
    """What nbgrader and we need: each cell once, as released, each check behind its answer."""
    assert sorted(ids(nb)) == sorted(ids(released))
    originals = {grade_id(c): c for c in released.cells if grade_id(c)}
    for each in asked(released):
        first, second = at(nb, grade_id(each.answer)), at(nb, grade_id(each.check))
        answer, check = nb.cells[first], nb.cells[second]
        assert first < second
        assert check == originals[grade_id(check)]
        assert flags(answer) == flags(each.answer) and answer.cell_type == "code"
        assert not each.directive or answer.source.startswith(each.directive + "\n")
    first = next(i for i, c in enumerate(nb.cells) if grade_id(c))
    assert grade_id(nb.cells[first]) == "setup"
    assert len({c.id for c in nb.cells}) == len(nb.cells)
    nbformat.validate(nb)


def test_a_whole_notebook_stays_as_it_is(make: Make, released: Any) -> None:
    nb, notes = repair(make(), released)
    assert not notes and nb.cells == make().cells


def test_a_notebook_of_the_bundle_needs_no_repair(make: Make, released: Any) -> None:
    """nbgrader's release adds to the metadata what the learner's notebook never had."""
    master = deepcopy(released)
    for cell in master.cells:
        if grade_id(cell):
            cell.metadata.nbgrader.update(checksum="0" * 32, cell_type=cell.cell_type)
    _, notes = repair(make(), master)
    assert not notes


def test_nothing_given_is_changed(make: Make, released: Any) -> None:
    raw, master = make(), deepcopy(released)
    raw.cells.pop(3)
    before = deepcopy(raw)
    repair(raw, released)
    assert raw == before and released == master


def strip(nb: Any) -> None:
    nb.metadata = {}
    for number, cell in enumerate(nb.cells):
        cell.metadata, cell.id = nbformat.NotebookNode(), f"c{number}"


def test_no_metadata_at_all(make: Make, released: Any, right: dict[str, str]) -> None:
    raw = make()
    strip(raw)
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert said(notes, "12 cells had lost their metadata")
    assert {grade_id(c): c.source for c in nb.cells if grade_id(c) in right} == right


def test_cell_ids_are_enough(make: Make, released: Any) -> None:
    raw = make(**{STEP.replace("-", "__"): "import fractions"})
    for cell in raw.cells:
        cell.metadata = nbformat.NotebookNode()
    nb, _ = repair(raw, released)
    assert_graded(nb, released)
    assert nb.cells[at(nb, STEP)].source == "import fractions"


@pytest.mark.parametrize("broken_last", [False, True])
def test_two_cells_with_one_grade_id(make: Make, released: Any, broken_last: bool) -> None:
    raw, place = make(), at(released, ANSWER)
    other = deepcopy(raw.cells[place])
    if broken_last:  # a copy that does not run defines nothing: the one before it stays
        other.source = other.source.replace("return", "return return")
        raw.cells.insert(place + 1, other)
    else:
        other.source = other.source.replace(ROWS, WHOLE)
        raw.cells.insert(place, other)
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert said(notes, EXERCISE, "2 cells with its grade id")
    assert ROWS in nb.cells[at(nb, ANSWER)].source and "return return" not in nb.cells[
        at(nb, ANSWER)].source
    assert other.source in [c.source for c in nb.cells if not grade_id(c)]


def test_a_cell_that_was_split(make: Make, released: Any) -> None:
    raw, place = make(), at(released, ANSWER)
    upper = deepcopy(raw.cells[place])
    upper.source = "#| fill minillm.bigram\nimport math"
    raw.cells.insert(place, upper)
    nb, _ = repair(raw, released)
    assert_graded(nb, released)
    assert ROWS in nb.cells[at(nb, ANSWER)].source


def test_an_answer_in_a_new_cell_below(make: Make, released: Any, right: dict[str, str]) -> None:
    raw = make(**{ANSWER.replace("-", "__"): released.cells[at(released, ANSWER)].source})
    raw.cells.append(code(right[ANSWER]))
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert nb.cells[at(nb, ANSWER)].source == right[ANSWER]
    assert said(notes, EXERCISE, "moved")


def test_both_answers_in_one_cell(make: Make, released: Any) -> None:
    raw = make()
    raw.cells[at(raw, STEP)].source = "p_cat = 3 / 4\nwhat_stays = 'b'"
    del raw.cells[at(raw, "steps-start-what_stays")]
    nb, _ = repair(raw, released)
    assert_graded(nb, released)
    # the hole that is put back must not undo the answer
    assert at(nb, "steps-start-what_stays") < at(nb, STEP)


def test_deleted_answers_and_checks(make: Make, released: Any) -> None:
    raw = make()
    raw.cells = [c for c in raw.cells if grade_id(c) not in (ANSWER, STEP_CHECK, "setup")]
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert said(notes, EXERCISE, "put back as a hole") and said(notes, "setup", "put back")
    assert said(notes, "steps.start.p_cat", "check had been deleted")
    assert "NotImplementedError" in nb.cells[at(nb, ANSWER)].source
    assert at(nb, STEP_CHECK) == at(nb, STEP) + 1


def test_a_check_before_its_answer(make: Make, released: Any) -> None:
    raw = make()
    raw.cells.insert(0, raw.cells.pop(at(raw, CHECK)))
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert said(notes, EXERCISE, "check stood before its answer")


def test_edited_checks_points_and_setup(make: Make, released: Any) -> None:
    raw = make()
    raw.cells[at(raw, CHECK)].source = "print('✓ all good')"
    raw.cells[at(raw, CHECK)].metadata["nbgrader"]["points"] = 100
    raw.cells[at(raw, "setup")].source += "\nimport math"
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert said(notes, EXERCISE, "check cell had been changed") and said(notes, EXERCISE, "points")
    assert nb.cells[at(nb, "setup") + 1].source.endswith("import math")


@pytest.mark.parametrize("first", ["", "#|fill minillm.bigam", "# | fill minillm.bigram", "%%time"])
def test_the_directive(make: Make, released: Any, right: dict[str, str], first: str) -> None:
    body = right[ANSWER].split("\n", 1)[1]
    raw = make(**{ANSWER.replace("-", "__"): f"{first}\n{body}"})
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert said(notes, EXERCISE, "#| fill minillm.bigram")
    assert "fill" not in "".join(nb.cells[at(nb, ANSWER)].source.splitlines()[1:])


def test_a_cell_turned_into_markdown(make: Make, released: Any) -> None:
    raw = make()
    raw.cells[at(raw, ANSWER)].cell_type = "markdown"
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert said(notes, EXERCISE, "markdown")


def test_own_cells_stay_and_unknown_ids_go(make: Make, released: Any) -> None:
    raw = make()
    foreign = code("x = 1")
    foreign.metadata["nbgrader"] = {**flags(raw.cells[at(raw, CHECK)]), "grade_id": "mine"}
    raw.cells += [foreign, code("y = 2")]
    nb, notes = repair(raw, released)
    assert_graded(nb, released)
    assert [c.source for c in nb.cells[-2:]] == ["x = 1", "y = 2"] and said(notes, "'mine'")


EDITS: list[Callable[[random.Random, list[Any]], Any]] = [
    lambda r, cells: cells.pop(r.randrange(len(cells))),
    lambda r, cells: cells.insert(r.randrange(len(cells)), deepcopy(r.choice(cells))),
    lambda r, cells: cells.insert(r.randrange(len(cells)), cells.pop(r.randrange(len(cells)))),
    lambda r, cells: r.choice(cells).update(metadata=nbformat.NotebookNode()),
    lambda r, cells: r.choice(cells).update(id="same"),
    lambda r, cells: r.choice(cells).update(source="def f(:"),
    lambda r, cells: r.choice(cells).update(cell_type="raw"),
]


@pytest.mark.parametrize("seed", range(150))
def test_whatever_was_done(make: Make, released: Any, seed: int) -> None:
    """Ten random accidents: it can be graded, a second repair finds nothing, no cell is lost."""
    chance, raw = random.Random(seed), make()
    for _ in range(10):
        chance.choice(EDITS)(chance, raw.cells)
    raw = read(json.dumps(raw).encode())
    nb, _ = repair(raw, released)
    assert_graded(nb, released)
    again, notes = repair(nb, released)
    assert not notes and again == nb
    given = {c.source for c in released.cells}
    kept = "\n\0".join(c.source for c in nb.cells)
    for cell in raw.cells:
        if cell.source not in given:
            assert cell.source.split("\n", 1)[-1] in kept


def test_old_and_odd_notebooks(make: Make, released: Any) -> None:
    old = nbformat.convert(make(), 3)
    nb, _ = repair(read(nbformat.v3.writes_json(old).encode()), released)
    assert_graded(nb, released)
    with_mark = b"\xef\xbb\xbf" + nbformat.writes(make()).encode()
    assert not repair(read(with_mark), released)[1]


@pytest.mark.parametrize(("content", "why"), [
    (b"", "empty file"), (b"{", "no JSON"), (b"\xff\xfe\x00", "UTF-8"), (b"[1]", "no nbformat"),
    (b'{"nbformat": 4}', "no cells"), (b'{"nbformat": 4, "cells": []}', "without cells"),
    (b'{"nbformat": 9, "cells": [{}]}', "version 9"), (b"[" * 100_000, "no JSON"),
])
def test_no_notebook(content: bytes, why: str) -> None:
    with pytest.raises(NotANotebook, match=why):
        read(content)


def test_which_lesson(make: Make, released: Any) -> None:
    other = deepcopy(released)
    for cell in other.cells:
        if grade_id(cell):
            cell.metadata["nbgrader"]["grade_id"] = f"other-{grade_id(cell)}"
        cell.source = cell.source.replace("start.", "other.").replace("bigram.", "trigram.")
    known = {LESSON: released, "01_other": other}
    assert lesson_of(make(), known, "x.ipynb") == LESSON
    raw = make()
    strip(raw)
    assert lesson_of(raw, known, "01_other.ipynb") == LESSON  # its checks say more than its name
    empty = nbformat.v4.new_notebook(cells=[code("1 + 1")])
    assert lesson_of(empty, known, "ana 01_other (2).ipynb") == "01_other"
    with pytest.raises(NotANotebook, match="none of its cells"):
        lesson_of(empty, known, "homework.ipynb")
    empty.metadata["course"] = {"lesson": "07_rope"}
    with pytest.raises(NotANotebook, match="07_rope"):
        lesson_of(empty, known, "homework.ipynb")
