"""Values, comparison, messages: what counts as equal, and what a learner reads when it is not."""

import json
import math
from typing import Any

import numpy as np
import pytest
import sympy
import torch

from course import checks, compare
from course.scenarios import See
from course.values import plain, same, show

F64 = torch.float64


@pytest.mark.parametrize(("value", "dtype", "shape"), [
    (torch.ones(2, 3), "float32", [2, 3]), (np.ones((2, 3)), "float64", [2, 3]),
    (torch.tensor(True), "bool", []), (3, "number", []), (True, "number", []),
    (np.float64(1), "number", []), ([1, 2], "list", [2]), (torch.zeros(0, 2), "float32", [0, 2]),
    (sympy.Rational(1, 2), "number", []), (torch.ones(2, dtype=torch.bfloat16), "bfloat16", [2]),
    (torch.ones(2, requires_grad=True), "float32", [2]),
])
def test_values_are_plain_json(value: object, dtype: str, shape: list[int]) -> None:
    seen = plain(value)
    assert (seen["dtype"], seen["shape"]) == (dtype, shape)
    assert json.loads(json.dumps(seen)) == seen


def test_what_is_the_same() -> None:
    one = torch.tensor([1.0, math.nan, math.inf], dtype=F64)
    assert same(plain(one), plain(one.clone()), 0)
    assert not same(plain(one), plain(-one), 9)
    assert not same(plain(one[:1]), plain(one[2:]), 9)
    assert not same(plain(one[2:]), plain(-one[2:]), 9)
    assert not same(plain(one.float()), plain(one), 1)
    assert not same(plain(one[None]), plain(one), 1)
    assert not same(plain(torch.zeros(2)), plain(torch.zeros(3)), 1)
    assert same(plain(torch.tensor(2.0)), plain(2), 0)  # a number may come as a 0-d tensor
    assert not same(plain(2.0), plain(torch.tensor(2.0)), 0)  # but not the other way round
    assert not same(plain("a"), plain(1), 1) and same(plain("a"), plain("a"), 0)
    refused = {"error": "ValueError", "text": "mine"}
    assert same({"error": "RuntimeError", "text": "torch's"}, refused, 0)
    assert not same({"error": "NameError", "text": ""}, refused, 0)
    assert not same(plain(1), refused, 9)


def test_enough_digits_to_see_the_difference() -> None:
    a, b = show(plain(torch.tensor([1.0, 2.0])), plain(torch.tensor([1.0, 2.0000005])))
    assert a != b and a.startswith("[1 2") and len(b) < 20
    a, b = show(plain(torch.ones(2)), plain(torch.ones(2, dtype=F64)))
    assert (a, b) == ("[1 1]  dtype float32", "[1 1]  dtype float64")
    a, b = show(plain(torch.ones(2, 1)), plain(torch.ones(1, 2)))
    assert (a, b) == ("[[1] [1]]  shape [2, 1]", "[[1 1]]  shape [1, 2]")


def test_large_arrays_show_the_place_that_differs() -> None:
    right = torch.zeros(3, 4, 50)
    wrong = right.clone()
    wrong[1, 2, 40] = 7
    a, b = show(plain(wrong), plain(right))
    assert a == "[1, 2, 38:44] [0 0 7 0 0 0]" and b == "[1, 2, 38:44] [0 0 0 0 0 0]"


def test_see_notices_a_changed_input_and_errors() -> None:
    see = See()
    x = torch.tensor([3.0, 1.0])
    see("in place", lambda t: t.mul_(2), x)
    see("refused", torch.ones(2, 3).matmul, torch.ones(2, 3))
    see("two", lambda: (1, 2), parts=("a", "b"))
    see("named", lambda: {"b": 2, "a": 1}, parts=("a", "b"))
    see("one of two", lambda: 1, parts=("a", "b"))
    see("rows", lambda: torch.ones(2, 3), parts=("a", "b"))
    assert see.values["in place"]["error"] == "changed its input"
    assert see.values["refused"]["error"] == "RuntimeError"
    assert [see.values[f"{w}: {p}"]["data"] for w in ("two", "named") for p in "ab"] == [
        [1], [2], [1], [2]]
    assert see.values["one of two: b"]["error"] == "TypeError"
    assert see.values["rows: a"]["text"] == "2 results are asked for, and one tensor came"


def test_inputs_lie_in_memory_as_they_were_given() -> None:
    see = See()
    for name, x in (("expanded", torch.ones(3, 1).expand(3, 4)), ("turned", torch.ones(2, 3).T)):
        see(name, lambda t: list(t.stride()), x)
        assert see.values[name]["data"] == list(x.stride())


def test_whole_numbers_are_shown_as_they_were_typed() -> None:
    assert show(plain(10752), plain(11008)) == ("10752", "11008")
    assert show(plain(10752), {"text": "b"})[0] == "10752"
    assert show(plain([12345.0, 0.5]), plain([12345.0, 0.25]))[0] == "[12345 0.5]"
    assert show(plain(2e12), plain(1e12)) == ("2e+12", "1e+12")


def record(**changes: object) -> compare.Record:
    """Two observations; `half` is told on both, `loud` raises."""
    right = {"x": plain(2.0), "y": plain(4.0)}
    half = {"name": "half", "message": "halved", "raises": False,
            "seen": {"x": plain(1.0), "y": plain(2.0)}}
    loud = {"name": "loud", "message": "too loud", "raises": True,
            "seen": {k: {"error": "ValueError", "text": "noise"} for k in right}}
    return {"kind": "values", "tolerance": {"x": 1e-9, "y": 1e-9}, "derive": {}, "right": right,
            "mistakes": [half, loud], **changes}


def name(x: object, y: object, of: compare.Record) -> str | None:
    failure = compare.compare({"x": x, "y": y}, of)  # type: ignore[dict-item]
    assert failure
    return failure.mistake


def test_a_mistake_is_named_only_when_two_inputs_tell() -> None:
    assert compare.compare({"x": plain(2.0), "y": plain(4.0)}, record()) is None
    assert name(plain(1.0), plain(2.0), record()) == "half"
    assert name(plain(1.0), plain(4.0), record()) is None
    assert name(plain(1.0), plain(9.0), record()) is None
    noise = {"error": "ValueError", "text": "noise"}
    assert name(noise, noise, record()) == "loud"
    other = {"error": "ValueError", "text": "other"}
    assert name(other, other, record()) is None
    quiet = record()
    quiet["mistakes"][1]["raises"] = False  # an error counts only for one marked as raising
    assert name(noise, noise, quiet) is None


def test_a_right_choice_is_not_given_away() -> None:
    step = {"kind": "choice", "tolerance": {"your choice": 1e-9}, "derive": {},
            "right": {"your choice": {"text": "b"}}, "mistakes": [
                {"name": "choice a", "message": "because", "raises": False,
                 "seen": {"your choice": {"text": "a"}}}]}
    failure = compare.compare({"your choice": {"text": "a"}}, step)
    assert failure and failure.mistake == "choice a"
    assert str(failure) == "expected  another choice\ncame      'a'\nlook at   because"
    failure = compare.compare({"your choice": {"text": "z"}}, step)
    assert failure and failure.mistake is None and "'b'" not in str(failure)
    assert "the letter of one of them" in failure.look


def test_properties_are_computed_by_the_comparer() -> None:
    pair = torch.zeros(2, 3, 4)
    pair[1, 2] = 5
    rule = {"kind": "values", "tolerance": {"p": 1e-9},
            "derive": {"p": "largest change but in the last row"},
            "right": {"p": plain(0.0)}, "mistakes": []}
    assert compare.compare({"p": plain(pair)}, rule) is None
    pair[1, 0, 0] = 3
    failure = compare.compare({"p": plain(pair)}, rule)
    assert failure and (failure.expected, failure.came) == ("p = 0", "3")
    assert compare.compare({"p": plain(True)}, rule) is not None  # not a word for a number


def test_a_message_is_wrapped_and_has_no_traceback() -> None:
    error = checks.CheckFailed("expected  1\ncame      2\nlook at   " + "a long sentence " * 12)
    lines = error._render_traceback_()
    assert lines[0] == "✗ expected  1" and lines[1] == "  came      2"
    assert max(map(len, lines)) <= 88 and len(lines) > 3


def test_a_check_that_is_interrupted_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(checks, "find", lambda target: (None, "this notebook"))
    monkeypatch.setattr(checks, "examine", interrupted)
    with pytest.raises(checks.CheckFailed, match="functional.softmax: stopped before it was done"):
        checks.check("functional.softmax")


def test_single_numbers_may_have_the_digits_of_float32_and_whole_ones_are_exact() -> None:
    see = See()
    see("a third", lambda: 1 / 3)
    see("bytes", lambda: 17179869184)
    see("an array", lambda: torch.tensor([1 / 3], dtype=F64))
    assert see.tolerance == {"a third": 1e-6, "bytes": 1e-9, "an array": 1e-9}


SHARED = torch.tensor([1.0, 2.0], requires_grad=True)


def test_an_answer_that_works_in_place_spoils_no_later_check() -> None:
    def scenario(answer: Any, see: See) -> None:
        see("the sum", lambda: answer(SHARED.detach()))

    def in_place(x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2).sum()

    for _ in range(2):
        seen = checks.observe("a.sum", in_place, {"a.sum": scenario})
        assert seen.values["the sum"]["data"] == [6.0] and SHARED.tolist() == [1.0, 2.0]


def test_an_unknown_check_names_the_nearest() -> None:
    with pytest.raises(checks.CheckFailed, match="did you mean 'steps.start.matmul'"):
        checks.check("steps.start.matmull")


def test_a_known_mistake_is_named_beside_another_fault() -> None:
    numbers = {k: plain(torch.arange(3, dtype=F64) + i) for i, k in enumerate("abcde")}
    doubled = {k: plain(2 * (torch.arange(3, dtype=F64) + i)) for i, k in enumerate("abcde")}
    known = {"name": "doubled", "message": "twice.", "raises": False, "seen": doubled}
    record = {"kind": "values", "right": numbers, "tolerance": dict.fromkeys("abcde", 1e-9),
              "derive": {}, "mistakes": [known]}
    nan = plain(torch.full((3,), math.nan, dtype=F64))
    failure = compare.compare(doubled | {"e": nan}, record)
    assert failure and failure.mistake == "doubled" and failure.where == "a"
    assert failure.look.startswith("twice. That is not all: there is another fault in 'e'")
    known["message"] = "the numbers are right, but twice."  # then they are not all right
    failure = compare.compare(doubled | {"e": nan}, record)
    assert failure and failure.look.startswith("twice. That is not all")
    two_of_five = numbers | {"a": doubled["a"], "b": doubled["b"], "c": nan}
    failure = compare.compare(two_of_five, record)
    assert failure and failure.mistake is None
    known["seen"] = dict.fromkeys("abcde", nan)  # many faults end in nan
    failure = compare.compare(known["seen"] | {"e": plain(torch.ones(3, dtype=F64))}, record)
    assert failure and failure.mistake is None


def test_a_mistake_that_shows_as_nan_alone_must_explain_everything() -> None:
    three = record()
    nan = plain(math.nan)
    three["right"]["z"], three["tolerance"]["z"] = plain(6.0), 1e-9
    three["mistakes"] = [{"name": "overflow", "message": "inf / inf.", "raises": False,
                          "seen": {"x": nan, "y": nan}}]
    for z, named in ((plain(6.0), "overflow"), (plain(7.0), None)):
        failure = compare.compare({"x": nan, "y": nan, "z": z}, three)
        assert failure and failure.mistake == named


def test_another_fault_is_said_beside_a_mistake_that_was_recognised() -> None:
    """`device` was forgotten, and the triangle is the wrong one too."""
    three = record()
    three["right"]["z"], three["tolerance"]["z"] = plain(6.0), 1e-9
    halved = {"x": plain(1.0), "y": plain(2.0)}
    for z, more in ((plain(6.0), False), (plain(7.0), True), ({"error": "E", "text": ""}, False)):
        failure = compare.compare(halved | {"z": z}, three)
        assert failure and failure.mistake == "half"
        assert ("another fault in 'z'" in failure.look) == more


def test_a_function_without_return_is_told_so() -> None:
    nothing = plain(None)
    failure = compare.compare({"x": nothing, "y": nothing}, record())
    assert failure and failure.came == "None" and "without `return`" in failure.look
    assert "help.md has an entry: none" in failure.look
    no_gradient = {"error": "AttributeError", "text": "'NoneType' object has no attribute 'sum'"}
    failure = compare.compare({"x": nothing, "y": no_gradient}, record())
    assert failure and "without `return`" in failure.look


def test_a_result_of_another_kind_is_told_so() -> None:
    right = {k: plain(torch.arange(3, dtype=F64) / 7 + i) for i, k in enumerate("ab")}
    right["c"] = plain(torch.tensor(1 / 7, dtype=F64))
    of = {"kind": "values", "right": right, "tolerance": dict.fromkeys("abc", 1e-9), "derive": {},
          "mistakes": []}
    for cast, what, entry in (("float32", "ab", True), ("number", "c", False)):
        kind = {"number": "a plain number"}.get(cast, f"dtype {cast}")
        seen = right | {k: right[k] | {"dtype": cast} for k in what}
        failure = compare.compare(seen, of)
        assert failure and f"{kind} came where dtype float64" in failure.look
        assert failure.came.endswith(kind)
        assert ("help.md has an entry: dtype" in failure.look) == entry


def test_a_result_rounded_to_float32_is_told_so() -> None:
    right = {k: plain(torch.arange(3, dtype=F64) / 7 + i) for i, k in enumerate("ab")}
    of = {"kind": "values", "right": right, "tolerance": dict.fromkeys("ab", 1e-9), "derive": {},
          "mistakes": []}
    for size, says in ((1e-7, "rounded to float32"), (1e-5, "2 of 2 observations differ")):
        seen = {k: v | {"data": [x * (1 + size) for x in v["data"]]} for k, v in right.items()}
        failure = compare.compare(seen, of)
        assert failure and says in failure.look
