"""How one step of AdamW and the class are tried when a submission is graded."""

import torch

from course.scenarios.optim.adam import (
    Function,
    cleared,
    in_groups,
    resumed,
    size_after,
    trained,
    two_at_once,
    wave,
    what_stays,
    with_gaps,
    with_rates,
)

from .. import See, hidden

STEP = ("param", "m", "v")


@hidden("optim.adamw_step")
def adamw_step(f: Function, see: See) -> None:
    P, G = wave(4, 3, by=1.3, height=2.0), wave(4, 3, by=2.9, height=5.0)
    M, V = wave(4, 3, by=0.4), wave(4, 3, by=1.1).abs() + 0.2
    zeros = torch.zeros_like(P)
    see("a first step", f, P, G, zeros, zeros, 1, 0.05, (0.8, 0.9), 1e-8, 0.4, parts=STEP)
    see("a middle step", f, P, G, M, V, 7, 0.2, (0.85, 0.98), 1e-6, 0.0, parts=STEP)
    see("a step with a large eps", f, P, G / 10, M / 10, V / 100, 2, 0.2, (0.7, 0.8), 1.0, 0.0,
        parts=STEP)
    see("a step with a large decay", f, P, G, M, V, 3, 0.5, (0.9, 0.95), 1e-8, 1.2, parts=STEP)
    see("a late step", f, P, G, M, V, 5000, 0.1, (0.9, 0.999), 1e-8, 0.1, parts=STEP)
    see("betas of 0", f, P, G, M, V, 2, 0.1, (0.0, 0.0), 1e-8, 0.1, parts=STEP)
    see("no gradient and no past", f, P, zeros, zeros, zeros, 1, 0.3, (0.9, 0.95), 1e-8, 0.2,
        parts=STEP)
    see("no gradient, and a past", f, P, zeros, M, V, 6, 0.2, (0.8, 0.9), 1e-8, 0.0, parts=STEP)
    see("a single number", f, P[0, 0], G[1, 2], M[0, 0], V[0, 0], 2, 0.1, (0.9, 0.95), 1e-8, 0.3,
        parts=STEP)
    see("three dimensions", f, P.view(2, 2, 3), G.view(2, 2, 3), M.view(2, 2, 3), V.view(2, 2, 3),
        4, 0.1, (0.6, 0.7), 1e-3, 0.7, parts=STEP)
    see("float32", f, P.float(), G.float(), M.float(), V.float(), 9, 0.1, (0.9, 0.95), 1e-8, 0.2,
        parts=STEP, tol=1e-5)


@hidden("optim.AdamW")
def adamw(make: Function, see: See) -> None:
    see("7 steps", trained, make, 7, lr=0.05)
    see("40 steps", trained, make, 40, lr=0.01, betas=(0.7, 0.9), weight_decay=0.3)
    see("3 steps with every setting", trained, make, 3, 0.2, (0.5, 0.6), 0.2, 0.9)
    see("the rate changes at each step", with_rates, make, (0.2, 0.05, 0.0, 0.3, 0.1))
    see("a gradient is missing at first", with_gaps, make, ((1, 0), (2, 0), (3, 0)), 6)
    see("gradients are missing by turns", with_gaps, make, ((1, 0), (2, 1), (4, 0), (5, 1)), 6)
    see("gradients are 0 by turns", with_gaps, make, ((1, 0), (2, 1), (4, 0), (5, 1)), 6,
        zeros=True)
    see("groups with decays of their own", in_groups, make,
        ({"weight_decay": 0.0}, {"weight_decay": 1.1}), 4, lr=0.1)
    see("groups with rates of their own", in_groups, make, ({"lr": 0.3}, {"lr": 0.02}), 4, lr=0.1)
    see("groups with betas of their own", in_groups, make,
        ({"betas": (0.3, 0.4)}, {"betas": (0.6, 0.8), "eps": 0.1}), 4, lr=0.1)
    see("a run that goes on from a state_dict", resumed, make, 3, 4)
    see("two optimisers", two_at_once, make)
    see("what a step leaves alone", what_stays, make)
    see("what a step leaves of the gradients", size_after, make, 4)
    see("zero_grad", cleared, make, 4)
