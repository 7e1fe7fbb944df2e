"""How decay groups, clipping and the schedule are tried when a submission is graded."""

from course.scenarios.optim.adam import Function, wave
from course.scenarios.optim.training import (
    CLIP,
    around,
    as_given,
    clipped,
    decays,
    rates,
    tensors,
)

from .. import See, hidden


@hidden("optim.decay_groups")
def decay_groups(f: Function, see: See) -> None:
    see("many kinds", decays, f, tensors("a filter", "a bias", "a single number", "an embedding",
                                         "a matrix", "the gain of a norm"), 0.7)
    see("from a generator", decays, f, tensors("the gain of a norm", "an embedding", "a filter"),
        0.05, lazy=True)
    see("matrices alone", decays, f, tensors("a matrix", "an embedding"), 0.4)
    see("vectors alone", decays, f, tensors("a bias", "the gain of a norm"), 0.4)
    for what, names in (("vectors alone", ("a bias", "a single number")),
                        ("matrices alone", ("a filter", "a matrix of one row", "an embedding"))):
        see(f"the groups as they come, {what}", as_given, f, tensors(*names), 0.6)


@hidden("optim.clip_grad_norm")
def clip_grad_norm(f: Function, see: See) -> None:
    three = [wave(3, 2, by=0.7, height=4.0), wave(5, by=2.1, height=2.0), wave(2, 1, by=1.1)]
    for at_most in (0.3, 3.0, 7.0, 100.0):
        see(f"three gradients, at most {at_most:g}", clipped, f, three, at_most, parts=CLIP,
            tol=1e-6)
    see("short gradients and a lower limit", clipped, f, [g / 20 for g in three], 0.25, parts=CLIP,
        tol=1e-6)
    see("some have none", clipped, f, [None, three[0], None, three[1]], 2.0, parts=CLIP, tol=1e-6)
    see("one gradient", clipped, f, three[:1], 1.5, parts=CLIP, tol=1e-6)
    see("from a generator", clipped, f, three, 2.5, lazy=True, parts=CLIP, tol=1e-6)
    see("one long and one short", clipped, f, [100 * three[0], three[2] / 100], 1.0, parts=CLIP,
        tol=1e-6)


@hidden("optim.warmup_cosine")
def warmup_cosine(f: Function, see: See) -> None:
    see("a short schedule", rates, f, range(16), 5, 13, 0.9, 0.2)
    see("no warm-up", rates, f, range(9), 0, 7, 3.0, 1.0)
    see("nothing but a warm-up", around, f, (0, 3, 5, 6), 5, 5, 3.0, 1.0)
    see("no floor", rates, f, range(9), 2, 6, 1.5, 0.0)
    see("a long one", rates, f, (0, 1, 89, 90, 91, 1500, 2999, 3000, 9000), 90, 3000, 2e-3, 2e-4,
        tol=1e-12)
