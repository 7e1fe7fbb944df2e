"""How the functions of `minillm.positions` are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See
from course.scenarios.functional import wave
from course.scenarios.positions import Function, with_known_rows

from . import hidden


@hidden("positions.wavelengths")
def wavelengths(f: Function, see: See) -> None:
    see("the wavelengths of a wide model", f, 64, tol=2e-5)
    see("the wavelengths of another base", f, 14, base=3.0, tol=1e-5)
    see("the wavelengths of a narrow model", f, 4, 81.0, tol=1e-5)


@hidden("positions.sinusoidal_table")
def sinusoidal_table(f: Function, see: See) -> None:
    see("a table of many positions", lambda T, D: f(T, D)[T - 6:], 40, 12, tol=3e-5)
    see("positions that half precision cannot hold", lambda T, D:
        f(T, D)[[2049, 2051]], 2052, 8, tol=2e-3)
    see("a table of another base", f, 6, 10, base=30.0, tol=1e-5)
    see("a narrow table", f, 9, 2, tol=1e-5)
    see("lengths of the rows", lambda T, D: f(T, D).square().sum(1), 7, 26, tol=1e-5)


@hidden("positions.shift_matrix")
def shift_matrix(f: Function, see: See) -> None:
    see("a long shift", f, 17, 8, tol=1e-5)
    see("a shift back, another base", f, -5, 6, base=12.0, tol=1e-5)
    see("there and back", lambda k, D: f(k, D) @ f(-k, D), 6, 10, tol=1e-5)
    see("two shifts and their sum", lambda a, b, D: f(a, D) @ f(b, D) - f(a + b, D), 3, 8, 8,
        tol=1e-5)


@hidden("positions.LearnedPositions")
def learned_positions(f: Function, see: See) -> None:
    def rows(*arguments: int, **more: int) -> Any:
        return with_known_rows(f, 9, 5)(*arguments, **more)

    def slope(T: int, start: int) -> Any:
        module = with_known_rows(f, 9, 5)
        return torch.autograd.grad(module(T, start), module.table.weight, wave(T, 5, by=1.1))[0]

    see("some rows", rows, 4)
    see("some rows after others", rows, 4, start=5)
    see("one row", rows, 1, start=7)
    see("more rows than there are", rows, 10)
    see("rows that begin inside and end outside", rows, 4, start=6)
    see("gradient to the table", slope, 3, 2)
