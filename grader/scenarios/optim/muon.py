"""How the iteration of Muon and its step are tried when a submission is graded."""

import torch

from course.scenarios.optim.adam import Function, wave
from course.scenarios.optim.muon import LOOSE, muon_run, one_muon_step

from .. import See, hidden


@hidden("optim.orthogonalize")
def orthogonalize(f: Function, see: See) -> None:
    for rows, columns in ((2, 7), (7, 2), (5, 5), (3, 1)):
        matrix = wave(rows, columns, by=0.9, height=6.0)
        see(f"a matrix [{rows}, {columns}]", f, matrix, tol=LOOSE)
    wide = wave(4, 6, by=1.9, height=5.0)
    for steps in (1, 3, 7):
        see(f"{steps} iterations", f, wide, steps=steps, tol=LOOSE)
    see("zeros", f, torch.zeros(4, 2, dtype=torch.float64), tol=LOOSE)
    see("a small matrix", f, wide / 50, tol=1e-3)
    for steps in (0, 1):
        see(f"a tiny matrix, {steps} iterations", f, wide / 1_000_000, steps=steps, tol=0.02)
    see("columns in another order in memory", f, wide.T.contiguous().T, tol=LOOSE)
    see("float32", f, wide.float(), tol=1e-4)


@hidden("optim.muon_step")
def muon_step(f: Function, see: See) -> None:
    for (rows, columns), beta in (((2, 6), 0.95), ((6, 3), 0.9), ((5, 5), 0.3)):
        see(f"steps of a matrix [{rows}, {columns}], beta {beta}", muon_run, f, (rows, columns), 3,
            beta=beta, lr=0.07, tol=LOOSE)
    see("steps with the settings that are given", muon_run, f, (4, 3), 5, tol=LOOSE)
    see("steps of few iterations", muon_run, f, (3, 4), 2, steps=2, tol=LOOSE)
    see("what is given stays", one_muon_step, f, wave(2, 4), wave(2, 4, by=2.2, height=3.0),
        tol=LOOSE)
    see("the momentum after two steps", muon_run, f, (2, 4), 2, part=1, beta=0.9)
    see("float32", muon_run, f, (3, 5), 2, dtype=torch.float32, tol=1e-4)
