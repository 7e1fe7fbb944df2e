"""Observed values as plain JSON: made, compared, shown.

A value is {"dtype", "shape", "data"} for numbers, {"text"} for strings and other objects, or
{"error", "text"} for what was raised. Nothing here needs torch: tensors are met by duck typing.
"""

import math
from collections.abc import Iterator
from typing import Any

Value = dict[str, Any]
NOTHING: Value = {"text": "None"}  # what a function gives that returns nothing
# ours, torch's own, or an `assert`: an input that must be refused may be refused in any of these
REFUSALS = {"ValueError", "TypeError", "RuntimeError", "IndexError", "AssertionError"}


def plain(value: Any) -> Value:
    """Bring a result into plain JSON; tensors and arrays keep their dtype and shape."""
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, int | float):  # bool too; NumPy's float64 scalar is a float
        return {"dtype": "number", "shape": [], "data": [float(value)]}
    if isinstance(value, list | tuple) and all(isinstance(v, int | float) for v in value):
        return {"dtype": "list", "shape": [len(value)], "data": [float(v) for v in value]}
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    if hasattr(value, "dtype") and hasattr(value, "reshape"):
        dtype = str(value.dtype).removeprefix("torch.")
        data = [float(v) for v in value.reshape(-1).tolist()]
        return {"dtype": dtype, "shape": list(value.shape), "data": data}
    if hasattr(value, "__float__"):
        return {"dtype": "number", "shape": [], "data": [float(value)]}
    return {"text": repr(value) if value is not ... else "..."}


def is_error(value: Value) -> bool:
    return "error" in value


def close(a: float, b: float, tol: float) -> bool:
    """Equal within `tol`, absolute for small numbers and relative for large; nan equals nan."""
    if not (math.isfinite(a) and math.isfinite(b)):  # inf is within no tolerance of anything else
        return a == b or (a != a and b != b)
    return abs(a - b) <= tol * (1 + abs(b))


def same(seen: Value, right: Value, tol: float) -> bool:
    """Equal kinds, dtypes, shapes and numbers; any refusal equals any other."""
    if is_error(seen) or is_error(right):
        kinds = {v.get("is", v.get("error")) for v in (seen, right)}
        return len(kinds) == 1 or kinds <= REFUSALS
    if "text" in seen or "text" in right:
        return seen.get("text") == right.get("text")
    # a plain number may come as a 0-d tensor of any dtype
    if right["dtype"] != "number" and seen["dtype"] != right["dtype"]:
        return False
    return bool(seen["shape"] == right["shape"]) and all(
        close(x, y, tol) for x, y in zip(seen["data"], right["data"], strict=True))


def number(x: float, digits: int) -> str:
    if float(x).is_integer() and abs(x) < 1e9:  # as a learner typed it: 10752, not 1.075e+04
        return f"{x:.0f}"
    return f"{x:.{digits}g}" if math.isfinite(x) else str(x)


def nested(data: list[str], shape: list[int]) -> str:
    if not shape:
        return data[0]
    if len(shape) == 1:
        return "[" + " ".join(data) + "]"
    step = len(data) // shape[0] if shape[0] else 0
    return "[" + " ".join(nested(data[i * step:(i + 1) * step], shape[1:])
                          for i in range(shape[0])) + "]"


def differing(a: Value, b: Value, tol: float) -> int:
    """Position of the first number that differs (0 when none does)."""
    pairs = enumerate(zip(a["data"], b["data"], strict=True))
    return next((i for i, (x, y) in pairs if not close(x, y, tol)), 0)


def index(position: int, shape: list[int]) -> list[int]:
    out: list[int] = []
    for n in reversed(shape):
        position, rest = divmod(position, n)
        out.insert(0, rest)
    return out


def windows(a: Value, b: Value, tol: float) -> Iterator[tuple[str, Value]]:
    """Of both values the part that shows the difference, with the place where it stands."""
    last = a["shape"][-1] if a["shape"] else 1
    if len(a["data"]) <= 12 or a["shape"] != b["shape"]:
        yield from (("", v) for v in (a, b))
        return
    at = differing(a, b, tol)
    start = at - at % last + max(0, min(at % last - 2, last - 6))
    end = min(start + 6, at - at % last + last)
    where = index(start, a["shape"])
    place = ", ".join([*map(str, where[:-1]), f"{where[-1]}:{where[-1] + end - start}"])
    for v in (a, b):
        yield f"[{place}] ", {**v, "shape": [end - start], "data": v["data"][start:end]}


def kind(value: Value) -> str:
    """What the numbers are, in words."""
    return {"number": "a plain number", "list": "a list"}.get(
        value["dtype"], f"dtype {value['dtype']}")


def show(value: Value, other: Value, tol: float = 1e-9) -> tuple[str, str]:
    """Both values in few digits, but in enough to see how they differ."""
    if "data" not in value or "data" not in other:
        return alone(value), alone(other)
    (place, a), (_, b) = windows(value, other, tol)

    def text(v: Value, digits: int) -> str:
        shape, data = v["shape"], v["data"]
        if len(data) > 12:  # shapes differ: the first numbers are enough
            return "[" + " ".join(number(x, digits) for x in data[:6]) + " …]"
        return nested([number(x, digits) for x in data], shape)

    digits = 4
    while digits < 17 and text(a, digits) == text(b, digits) and a["data"] != b["data"]:
        digits += 1
    kinds = [""] * 2
    if value["shape"] != other["shape"]:
        kinds = [f"  shape {v['shape']}" for v in (value, other)]
    if value["dtype"] != other["dtype"] != "number":
        kinds = [f"{k}  {kind(v)}" for k, v in zip(kinds, (value, other), strict=True)]
    return (f"{place}{text(a, digits)}{kinds[0]}", f"{place}{text(b, digits)}{kinds[1]}")


def alone(value: Value) -> str:
    """One value where there is nothing to compare it with number by number."""
    if is_error(value):
        at = f"  ({value['at']})" if value.get("at") else ""
        return f"{value['error']}: {value['text'].splitlines()[0] if value['text'] else ''}{at}"
    if "text" in value:
        said = value["text"] if len(value["text"]) < 100 else value["text"][:97] + "…"
        return said if value == NOTHING else repr(said)
    data = [number(x, 4) for x in value["data"][:6]]
    more = " …" if len(value["data"]) > 6 else ""
    body = nested(data, value["shape"]) if len(value["data"]) <= 6 else f"[{' '.join(data)}{more}]"
    return f"{body}  {value['dtype']}" if value["dtype"] != "number" else body
