"""`grader.outcome`: when a check is worth its points, and what is said when it is not."""

from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_output

from grader.outcome import TAMPERING, Own, decide, own_result, well_formed
from grader.record import paste

from .conftest import CHECK, EXERCISE, Make, at

TARGET = "functional.softmax"


def value(*numbers: float, dtype: str = "float64") -> dict[str, Any]:
    return {"dtype": dtype, "shape": [len(numbers)], "data": list(numbers)}


RIGHT = {"first": value(1, 2), "second": value(3, 4)}
WRONG = {"first": value(1, 9), "second": value(3, 9)}
OTHER = {"first": value(1, 7), "second": value(3, 4)}
MISTAKE = {"name": "nines", "message": "no nines, please.", "raises": False, "seen": WRONG}
RECORD = {"kind": "values", "right": RIGHT, "tolerance": dict.fromkeys(RIGHT, 1e-9), "derive": {},
          "mistakes": [MISTAKE]}
HIDDEN = {"kind": "values", "right": {"sums to one": value(1), "keeps the dtype": value(5)},
          "tolerance": {"sums to one": 1e-9, "keeps the dtype": 1e-9}, "derive": {}, "mistakes": []}
GOOD = {"visible": RIGHT, "hidden": HIDDEN["right"]}
TICK, FAILED, NOTHING = Own(True), Own(False, "expected  first = …"), Own(False)


def test_three_have_to_agree() -> None:
    assert decide(TARGET, TICK, GOOD, RECORD, HIDDEN).passed
    assert decide(TARGET, TICK, {"visible": RIGHT}, RECORD, None).passed
    assert not decide(TARGET, FAILED, GOOD, RECORD, HIDDEN).passed
    assert not decide(TARGET, TICK, GOOD | {"visible": WRONG}, RECORD, HIDDEN).passed
    assert not decide(TARGET, TICK, GOOD | {"hidden": {"sums to one": value(2),
                                                       "keeps the dtype": value(5)}},
                      RECORD, HIDDEN).passed


def test_a_known_mistake_is_named() -> None:
    outcome = decide(TARGET, FAILED, GOOD | {"visible": WRONG}, RECORD, HIDDEN)
    assert (outcome.mistake, outcome.why, outcome.note) == ("nines", "wrong", "")
    assert outcome.shown == []  # the notebook's own message stands there already
    assert decide(TARGET, FAILED, GOOD | {"visible": OTHER}, RECORD, HIDDEN).mistake == ""


def test_a_forged_tick() -> None:
    outcome = decide(TARGET, TICK, GOOD | {"visible": WRONG}, RECORD, HIDDEN)
    assert not outcome.passed and TAMPERING in outcome.note and outcome.mistake == "nines"
    assert "no nines, please." in "\n".join(outcome.shown)
    outcome = decide(TARGET, TICK, {"lost": "not answered"}, RECORD, HIDDEN)
    assert not outcome.passed and TAMPERING in outcome.note and outcome.why == "hole"


def test_right_alone_but_not_in_the_notebook() -> None:
    outcome = decide(TARGET, FAILED, GOOD, RECORD, HIDDEN)
    assert outcome.why == "failed in the notebook" and "the answer alone is right" in outcome.note
    assert TAMPERING not in outcome.note and not outcome.shown
    outcome = decide(TARGET, NOTHING, GOOD, RECORD, HIDDEN)
    assert outcome.shown == ["✗ the check had no outcome in the notebook"]


@pytest.mark.parametrize("reply", [
    {"lost": "it ended its process"}, {}, {"visible": {}}, {"visible": {"first": value(1, 2)}},
    {"visible": RIGHT | {"second": {"dtype": "float64", "shape": [3], "data": [1.0]}}},
    {"visible": RIGHT | {"second": {"dtype": "float64", "shape": ["x"], "data": [1.0]}}},
    {"visible": RIGHT | {"second": {"error": 1, "text": "x"}}},
    {"visible": RIGHT | {"second": [1]}}, {"visible": "passed"},
])
def test_what_cannot_be_read_earns_nothing(reply: dict[str, Any]) -> None:
    outcome = decide(TARGET, TICK, reply, RECORD, HIDDEN)
    assert not outcome.passed and "could not be confirmed" in outcome.note and outcome.shown


def test_hidden_results_that_cannot_be_read() -> None:
    for hidden in (None, {}, {"sums to one": value(1)}):
        assert not decide(TARGET, TICK, {"visible": RIGHT, "hidden": hidden}, RECORD, HIDDEN).passed


def test_a_failed_hidden_check_tells_the_property_and_nothing_else() -> None:
    for came, way in ((value(123), "other numbers"), (value(5, dtype="float32"), "dtype float32"),
                      (value(5, 123), "another shape"), ({"text": "123"}, "another shape"),
                      ({"error": "ValueError", "text": "of 123", "at": ""}, "ValueError")):
        hidden = {"sums to one": value(1), "keeps the dtype": came}
        outcome = decide(TARGET, TICK, {"visible": RIGHT, "hidden": hidden}, RECORD, HIDDEN)
        assert outcome.why == f"hidden: keeps the dtype gives {way}"
        said = "\n".join(outcome.shown)
        assert len(outcome.shown) == 3 and "keeps the dtype" in said and way in said
        assert "123" not in said and "5" not in said.replace("keeps", "")


def test_nan_and_infinity_are_numbers() -> None:
    assert well_formed({"a": value(float("nan"), float("inf"))}, ["a"])


def stream(text: str, name: str = "stdout") -> Any:
    return new_output("stream", name=name, text=text)


LINE = f"✓ {EXERCISE}, from this notebook: 4 observations agree\n"


def check_cell(make: Make, *outputs: Any) -> Any:
    nb = make()
    nb.cells[at(nb, CHECK)].outputs = list(outputs)
    return nb


@pytest.mark.parametrize(("outputs", "passed"), [
    ([stream(LINE)], True), ([stream("note\n"), stream(LINE)], True),
    ([stream("warned\n", "stderr"), stream(LINE)], True), ([], False), ([stream("ok")], False),
    ([stream(LINE, "stderr")], False),
    ([stream(f"✓ {EXERCISE}, from minillm/bigram.py: 4 observations agree")], False),
    ([stream(LINE.replace("bigram", "trigram"))], False),
    ([stream(LINE), new_output("error", ename="E", evalue="x", traceback=["x"])], False),
    ([new_output("execute_result", data={"text/plain": "2"})], False),
])
def test_only_the_tick_is_a_pass(make: Make, outputs: list[Any], passed: bool) -> None:
    nb = check_cell(make, *outputs)
    assert own_result(nb.cells[at(nb, CHECK)], EXERCISE).passed == passed


def grades(make: Make, outcome: dict[str, Any] | None, *outputs: Any) -> float:
    """What nbgrader itself makes of a check cell after our outcome was put in."""
    from nbgrader.utils import determine_grade
    ran, nb = check_cell(make, *outputs), make()
    paste(nb, ran, {CHECK: outcome} if outcome else {})
    return float(determine_grade(nb.cells[at(nb, CHECK)])[0])


PASSED = {"passed": True, "shown": []}
NOT_PASSED: dict[str, Any] = {"passed": False, "shown": []}


def test_nbgrader_sees_the_outcome_and_nothing_else(make: Make) -> None:
    number = new_output("execute_result", data={"text/plain": "0.5"})
    too_much = new_output("execute_result", data={"text/plain": "99"})
    assert grades(make, PASSED, stream(LINE)) == 2
    assert grades(make, PASSED, stream("warned", "stderr"), stream(LINE)) == 2
    assert grades(make, PASSED, number, stream(LINE)) == 2
    assert grades(make, PASSED, too_much) == 2
    for outputs in ([], [stream(LINE)], [number], [too_much]):
        assert grades(make, NOT_PASSED, *outputs) == 0
        assert grades(make, {"passed": False, "shown": ["✗ no"]}, *outputs) == 0
        assert grades(make, None, *outputs) == 0  # no outcome at all


def test_our_lines_are_what_is_shown(make: Make) -> None:
    ran, nb = check_cell(make, stream(LINE)), make()
    paste(nb, ran, {CHECK: {"passed": False, "shown": ["✗ one", "  two"]}})
    shown = nb.cells[at(nb, CHECK)].outputs[-1]
    assert shown.output_type == "error" and shown.traceback == ["✗ one\n  two"]
    nbformat.validate(nb)
