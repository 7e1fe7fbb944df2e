"""How the steps that derive Muon are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.muon.next_sigma")
def next_sigma(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip("sabc", at, strict=True))
                             for at in ((0.9, 3.4, -4.8, 2.0), (0.3, 2.0, -1.5, 0.5))])


@hidden("steps.muon.entry_size")
def entry_size(answer: Any, see: See) -> None:
    expression(see, answer, [{"rows": r, "columns": c} for r, c in ((9, 64), (100, 3))])


@hidden("steps.muon.overhead")
def overhead(answer: Any, see: See) -> None:
    expression(see, answer, [{"width": w, "tokens": n, "steps": s}
                             for w, n, s in ((256, 2048, 4), (10, 7, 2))])
