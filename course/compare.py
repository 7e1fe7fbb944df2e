"""What was observed against what is stored: right, a known mistake, or something else.

A record is what `course build` stores for one exercise: "kind", "right" (values by observation),
"tolerance", "derive" where a property is compared, and "mistakes", each with the observations
that tell it from the right answer.
"""

import math
from dataclasses import dataclass
from typing import Any

from .help import entry_for, pointer
from .source import HOLE
from .values import NOTHING, Value, alone, is_error, kind, same, show

Values = dict[str, Value]
Record = dict[str, Any]
ONE_IS_ENOUGH = {"choice", "number", "array"}  # kinds of steps with a single observation


@dataclass(frozen=True)
class Failure:
    """What a learner is told; `mistake` is the name of the one recognised, if any."""

    expected: str
    came: str
    look: str
    mistake: str | None = None
    hole: bool = False
    where: str | None = None  # the observation that is shown

    def __str__(self) -> str:
        if self.hole:
            return self.came
        return f"expected  {self.expected}\ncame      {self.came}\nlook at   {self.look}"


def derived(seen: Values, names: dict[str, str]) -> Values:
    """The observations, with properties in place of the raw outputs they are computed from."""
    if not names:
        return seen
    from .scenarios.derive import apply
    out = dict(seen)
    for what in names.keys() & seen.keys():
        try:
            out[what] = apply(names[what], seen[what])
        except Exception as error:  # the wrong shape: as informative as a wrong value
            out[what] = {"error": type(error).__name__, "text": str(error)}
    return out


def equals(seen: Value, known: Value, tol: float, raises: bool) -> bool:
    """Whether a result is that of a known mistake; errors must agree in kind and text."""
    if is_error(seen) or is_error(known):
        return raises and all(seen.get(k) == known.get(k) for k in ("error", "text"))
    return seen.get("dtype") == known.get("dtype") and same(seen, known, tol)


def telling(right: Values, wrong: Values, tol: dict[str, float], raises: bool = False) -> set[str]:
    """The observations that tell a mistake from the right answer."""
    return {k for k, v in wrong.items()
            if not same(v, right[k], tol[k]) and (raises or not is_error(v))}


def recognise(seen: Values, record: Record) -> Record | None:
    """The known mistake whose results these are: equal wherever it differs from what is right.

    Of several that fit, one that explains everything seen goes first, then the one told by most.
    One that shows as nan alone has to explain everything: many faults end in a nan.
    """
    tol, right = record["tolerance"], record["right"]
    least = 1 if record["kind"] in ONE_IS_ENOUGH else 2
    fitting = [known for known in record["mistakes"] if len(known["seen"]) >= least and all(
        equals(seen[k], v, tol[k], known["raises"]) for k, v in known["seen"].items())]

    def explains_all(known: Record) -> bool:
        return all(same(seen[k], right[k], tol[k]) for k in right.keys() - known["seen"].keys())

    fitting = [known for known in fitting if known["raises"] or explains_all(known)
               or not all(any(map(math.isnan, v.get("data", ()))) for v in known["seen"].values())]
    return max(fitting, key=lambda known: (explains_all(known), len(known["seen"])), default=None)


def recognise_part(seen: Values, record: Record) -> tuple[Record, list[str]] | None:
    """A known mistake beside which there is another fault, and the observations left unexplained.

    It must explain three quarters of what tells it, three observations at the least; an error or
    a nan explains nothing, for many faults end in one.
    """
    tol, best = record["tolerance"], None
    for known in record["mistakes"]:
        left = [k for k, v in known["seen"].items() if is_error(v) or not told(seen[k], v)
                or not equals(seen[k], v, tol[k], False)]
        explained = len(known["seen"]) - len(left)
        if explained >= max(3, 0.75 * len(known["seen"])) and (
                best is None or explained > best[0]):
            best = explained, known, left
    return best and (best[1], best[2])


def told(seen: Value, known: Value) -> bool:
    """Whether both are numbers of which none is nan."""
    return all("data" in v and not any(map(math.isnan, v["data"])) for v in (seen, known))


def compare(seen: Values, record: Record) -> Failure | None:
    """None when all is right, else what to tell."""
    for value in seen.values():
        if value.get("error") == "NotImplementedError" and HOLE in value["text"]:
            return Failure("", value["text"], "", hole=True)
    seen = derived(seen, record["derive"])
    right, tol = record["right"], record["tolerance"]
    wrong = [what for what in right if not same(seen[what], right[what], tol[what])]
    if not wrong:
        return None
    known, rest = recognise(seen, record), list[str]()
    if not known and record["kind"] not in ONE_IS_ENOUGH and (
            part := recognise_part(seen, record)):
        known, rest = part
    first = next((w for w in wrong if w in known["seen"]), wrong[0]) if known else wrong[0]
    if record["kind"] in ONE_IS_ENOUGH:  # the right one is not given away
        expected, came = f"another {record['kind']}", alone(seen[first] | {"dtype": "number"})
    else:
        came, wanted = show(seen[first], right[first], tol[first])
        if is_error(right[first]):
            wanted = f"an error ({right[first]['error']})"
        expected = f"{first} = {wanted}"
    look = known["message"] if known else advice(wrong, seen, record)
    if known and not rest:  # an error may well be what this mistake leads to
        rest = [w for w in wrong if w not in known["seen"] and not is_error(seen[w])]
    if rest:
        look = look.removeprefix("the numbers are right, but ")  # not all of them are
        look += f" That is not all: there is another fault in '{rest[0]}'."
    if not known:
        look += pointer(entry_for(seen[first], right[first]))
    return Failure(expected, came, look, known["name"] if known else None, where=first)


def nearly(seen: Value, right: Value) -> bool:
    """Whether numbers in double precision agree as far as single precision goes."""
    return right.get("dtype") in ("float64", "number") and same(seen, right, 2e-7)


def another_kind(seen: Value, right: Value) -> bool:
    """Whether only the dtype is wrong, the numbers agreeing as far as single precision goes."""
    return ("data" in seen and "data" in right and seen["dtype"] != right["dtype"] != "number"
            and same(seen | {"dtype": right["dtype"]}, right, 2e-7))


def advice(wrong: list[str], seen: Values, record: Record) -> str:
    """What to look at when the mistake is not a known one."""
    right = record["right"]
    if record["kind"] == "choice":  # every choice of the step has a message of its own
        return 'the choices above: write the letter of one of them, in quotes, such as "a".'
    if len(right) == 1:
        return "the steps above; a hint is folded below the check where there is one."
    if seen[wrong[0]] == NOTHING:
        return "the last line: a function without `return` gives None."
    first = seen[wrong[0]], right[wrong[0]]
    if another_kind(*first):
        came, wanted = map(kind, first)
        return (f"the kind of the result: its numbers are right, but {came} came where {wanted} is "
                "wanted.")
    near = [w for w in wrong if nearly(seen[w], right[w])]
    if wrong[0] in near and len(near) >= len(wrong) / 2:  # large numbers make more of a rounding
        return ("the precision: about seven digits agree, as if something were rounded to float32 "
                "on the way, or a tiny number added. Work in the dtype of the inputs.")
    others = f"; also wrong: {', '.join(wrong[1:3])}" if len(wrong) > 1 else ""
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return f"{len(wrong)} of {len(right)} observations differ{others}{more}."
