"""How the steps that derive Muon are tried."""

from typing import Any

from .. import See, array_steps, expression, number_steps, scenario

array_steps("steps.muon.cubic", flat=True)
number_steps("steps.muon.growth", tol=3e-3)


@scenario("steps.muon.next_sigma")
def next_sigma(answer: Any, see: See) -> None:
    points = [(0.5, 3.0, -4.0, 2.0), (0.2, 1.5, -0.5, 0.25), (1.1, 2.0, -1.0, -0.3)]
    expression(see, answer, [dict(zip("sabc", at, strict=True)) for at in points])


@scenario("steps.muon.entry_size")
def entry_size(answer: Any, see: See) -> None:
    expression(see, answer, [{"rows": r, "columns": c} for r, c in (
        (512, 128), (3, 12), (7, 7), (20, 5), (2, 30))])


@scenario("steps.muon.overhead")
def overhead(answer: Any, see: See) -> None:
    points = [(128, 1024, 5), (768, 100_000, 6), (64, 300, 1)]
    expression(see, answer, [{"width": w, "tokens": n, "steps": s} for w, n, s in points])
