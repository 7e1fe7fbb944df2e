"""How the functions of `minillm.positions` are tried."""

from collections.abc import Callable
from typing import Any

import torch

from . import See, scenario
from .functional import wave

Function = Callable[..., Any]


@scenario("positions.wavelengths")
def wavelengths(f: Function, see: See) -> None:
    see("the 4 wavelengths of D = 8", f, 8, tol=2e-5)
    see("the 3 wavelengths of D = 6, base 100", f, 6, base=100.0, tol=1e-5)
    see("the 5 wavelengths of D = 10, base 7", f, 10, 7.0, tol=1e-5)
    see("the wavelength of D = 2", f, 2, tol=1e-5)
    see("radians per position, D = 12", lambda D: 6.283185307179586 / f(D), 12, tol=1e-5)


@scenario("positions.sinusoidal_table")
def sinusoidal_table(f: Function, see: See) -> None:
    see("the table of 5 positions, D = 8", f, 5, 8, tol=1e-5)
    see("the table of 3 positions, D = 4, base 100", f, 3, 4, base=100.0, tol=1e-5)
    see("the table of 4 positions, D = 6, base 7", f, 4, 6, 7.0, tol=1e-5)
    see("the table of 1 position, D = 2", f, 1, 2, tol=1e-5)
    see("the vector of position 20, D = 10", lambda T, D: f(T, D)[20], 23, 10, tol=2e-5)
    see("the vector of position 257, D = 10", lambda T, D: f(T, D)[257], 260, 10, tol=2e-4)
    see("the vector of position 301, D = 6", lambda T, D: f(T, D)[301], 302, 6, tol=2e-4)


@scenario("positions.shift_matrix")
def shift_matrix(f: Function, see: See) -> None:
    def moved(k: int, D: int, m: int) -> Any:
        """M @ table[m], with the vector of position m made here."""
        angles = m * 10000.0 ** (-torch.arange(0, D, 2) / D)
        return f(k, D) @ torch.stack([angles.sin(), angles.cos()], -1).flatten()

    see("the matrix of a shift by 1, D = 2", f, 1, 2, tol=1e-5)
    see("the matrix of a shift by 3, D = 6", f, 3, 6, tol=1e-5)
    see("the matrix of a shift by -2, D = 4", f, -2, 4, tol=1e-5)
    see("the matrix of a shift by 5, D = 4, base 50", f, 5, 4, base=50.0, tol=1e-5)
    see("the matrix of a shift by -1, D = 6, base 7", f, -1, 6, 7.0, tol=1e-5)
    see("the matrix of a shift by 0, D = 8", f, 0, 8, tol=1e-5)
    see("position 1 moved by 1, D = 8", moved, 1, 8, 1, tol=1e-5)
    see("position 9 moved by -4, D = 8", moved, -4, 8, 9, tol=1e-5)


def with_known_rows(f: Function, max_len: int = 6, D: int = 4) -> Any:
    """A table whose rows are known, in float64."""
    module = f(max_len, D).double()
    with torch.no_grad():
        module.table.weight.copy_(wave(max_len, D))
    return module


@scenario("positions.LearnedPositions")
def learned_positions(f: Function, see: See) -> None:
    def rows(*arguments: int, **more: int) -> Any:
        return with_known_rows(f)(*arguments, **more)

    def slope(T: int, start: int) -> Any:
        module = with_known_rows(f)
        return torch.autograd.grad(module(T, start), module.table.weight, wave(T, 4, by=2.3))[0]

    see("3 positions of a table of 6", rows, 3)
    see("all 6 positions of a table of 6", rows, 6)
    see("3 positions after 1 other", rows, 3, start=1)
    see("4 positions after 2 others", rows, 4, start=2)
    see("2 positions after 3 others", rows, 2, start=3)
    see("1 position after 5 others", rows, 1, 5)
    see("7 positions of a table of 6", rows, 7)
    see("3 positions after 5 others, of a table of 6", rows, 3, 5)
    see("1 position after 6 others, of a table of 6", rows, 1, 6)
    see("gradient to the table, from 3 positions", slope, 3, 0)
    see("gradient to the table, from 2 positions after 1 other", slope, 2, 1)
    see("2 positions in float32", lambda: with_known_rows(f).float()(2), tol=1e-6)
    see("shape of the table", lambda: list(f(5, 3).table.weight.shape))
