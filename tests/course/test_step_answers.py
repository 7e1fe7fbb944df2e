"""Answers to steps: the forms in which a number, a table, an expression or a letter may come."""

import numpy as np
import pytest
import sympy
import torch

from course import compare
from course.scenarios import See, array, choice, evaluate, expression, intermediate, number
from course.values import NOTHING, plain, same


@pytest.mark.parametrize("answer", [
    lambda p: p * (1 - p), lambda p: p - p ** 2, sympy.Symbol("p") * (1 - sympy.Symbol("p")),
    sympy.Symbol("p", positive=True) - sympy.Symbol("p", positive=True) ** 2,
    lambda p: torch.tensor(p) * (1 - p),
    sympy.Lambda(sympy.Symbol("q"), sympy.Symbol("q") * (1 - sympy.Symbol("q"))),
    sympy.Matrix([sympy.Symbol("p")]).T * sympy.Matrix([1 - sympy.Symbol("p")]),
])
def test_equal_expressions_in_any_form(answer: object) -> None:
    see = See()
    expression(see, answer, [{"p": 0.2}, {"p": 0.7}], tol=1e-6)
    right = {f"your expression at p = {p}": plain(p * (1 - p)) for p in (0.2, 0.7)}
    assert all(same(see.values[k], right[k], 1e-6) for k in right)


def test_several_numbers_of_a_step_may_come_as_a_tensor() -> None:
    see = See()
    intermediate(see, torch.tensor([1.0, 2.0]), "a", "b")
    assert [see.values[f"your {name}"]["data"] for name in "ab"] == [[1], [2]]


def test_expressions_that_are_none() -> None:
    with pytest.raises(NameError, match=r"uses q; it may use p"):
        evaluate(sympy.Symbol("p") * sympy.Symbol("q"), {"p": 1})
    see = See()
    expression(see, "p * (1 - p)", [{"p": 0.5}])  # a string is not evaluated
    seen = see.values["your expression at p = 0.5"]
    assert seen["error"] == "TypeError" and "is a string; write a function" in seen["text"]
    see = See()
    expression(see, lambda p: None, [{"p": 0.5}])  # no `return`, and the advice can say so
    assert see.values == {"your expression at p = 0.5": NOTHING}


def test_numbers_that_are_no_table() -> None:
    for answer, said in (([[1, 2], [3]], "the rows are not equally long"),
                         ("[[1, 2], [3, 4]]", "is a string; write the numbers")):
        see = See()
        array(see, answer)
        assert said in see.values["your numbers"]["text"]


def test_numbers_and_choices() -> None:
    for answer in (0.75, 3 / 4, torch.tensor(0.75), np.float32(0.75), sympy.Rational(3, 4)):
        see = See()
        number(see, answer)
        assert same(see.values["your number"], plain(0.75), 1e-6)
    see = See()
    number(see, "0.75")
    assert see.values["your number"]["error"] == "TypeError"
    for letter in ("b", "B", " b "):
        see = See()
        choice(see, letter)
        assert see.values == {"your choice": {"text": "b"}}


def test_arrays_in_any_nesting() -> None:
    right = plain(np.array([[1.0, 2.0, 3.0]]))
    for answer in ([[1, 2, 3]], ((1.0, 2, 3),), torch.tensor([[1.0, 2, 3]], requires_grad=True),
                   sympy.Matrix([[1, 2, 3]])):
        see = See()
        array(see, answer)
        assert same(see.values["your numbers"], right, 1e-6) and see.kind == "array"
    for answer in ([[1], [2], [3]], np.arange(1, 4), 1 + np.arange(3)[:, None]):
        for flat in (True, False):
            see = See()
            array(see, answer, flat=flat)
            assert same(see.values["your numbers"], plain(np.arange(1.0, 4)), 1e-6) is (
                flat or np.ndim(answer) == 1)
    step = {"kind": "array", "tolerance": {"your numbers": 1e-6}, "derive": {}, "mistakes": [],
            "right": {"your numbers": plain(np.arange(1.0, 3))}}
    failure = compare.compare({"your numbers": plain(np.arange(2.0))}, step)
    assert failure and failure.came == "[0 1]"  # nobody wrote a dtype
    see = See()
    array(see, [[1, 2], [3]])
    assert see.values["your numbers"]["error"] == "ValueError"
