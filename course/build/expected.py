"""Observe the reference and every known mistake; store what they give."""

import importlib
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..checks import observe
from ..compare import Record, derived, equals, recognise, telling
from ..mistakes import MISTAKES
from ..scenarios import Scenario, See
from ..values import Value, same


class NotTold(ValueError):
    """A mistake that its own check would not name, or a right answer taken for one."""


def reference_answer(target: str) -> Any:
    """The object of the reference package (or of solutions/steps) for a target."""
    family, _, name = target.rpartition(".")
    module = family if family.startswith("steps.") else f"minillm.{family}"
    return getattr(importlib.import_module(module), name)


def values(see: See) -> dict[str, Value]:
    """Observations as they are stored: properties computed, places of errors left out."""
    out = derived(see.values, see.derive)
    return {k: {n: v[n] for n in v if n != "at"} for k, v in out.items()}


def expect(target: str, scenarios: dict[str, Scenario], with_mistakes: bool = True) -> Record:
    """The record of one exercise. Raises NotTold for a mistake its check would not name."""
    see = observe(target, reference_answer(target), scenarios)
    right = values(see)
    if not right:
        raise NotTold(f"{target}: its scenario observes nothing")
    record: Record = {"kind": see.kind, "tolerance": see.tolerance, "derive": see.derive,
                      "right": right, "mistakes": []}
    if not with_mistakes:
        return record
    for known in MISTAKES.get(target, []):
        seen = values(observe(target, known.answer, scenarios))
        tells = telling(right, seen, see.tolerance, known.raises)
        record["mistakes"].append({
            "name": known.name, "message": known.message, "raises": known.raises,
            "seen": {k: seen[k] for k in right if k in tells}})
    faults = untold(record)
    if faults:
        raise NotTold("\n".join(f"{target}: {fault}" for fault in faults))
    return record


def untold(record: Record) -> list[str]:
    """Mistakes that would not be named, each with the reason."""
    faults = []
    for known in record["mistakes"]:
        tells, tol = known["seen"], record["tolerance"]
        named = recognise(record["right"] | tells, record)
        if named is not known:
            why = f"it shows on {sorted(tells) or 'no observation'}"
            if named and all(equals(v, named["seen"].get(k, v), tol[k], known["raises"])
                             for k, v in tells.items()):
                why = f"it gives what {named['name']} gives"
            faults.append(f"the mistake {known['name']} is not told apart: {why}")
    if recognise(record["right"], record):
        faults.append("the right answer is taken for a mistake")
    return faults


def settled(new: Any, old: Any, tol: float = 0.0) -> Any:
    """`new`, with old numbers where they agree: processors differ in the last digits.

    How many digits that are depends on what was computed: right values may differ by a tenth of
    the tolerance of their observation, those of mistakes, which are often less exact, by 1e-6.
    """
    if isinstance(new, dict) and isinstance(old, dict):
        if "data" in new and "data" in old:
            least = 1e-6 if "32" in str(new["dtype"]) else 1e-12
            return old if same(new, old, max(tol, least)) else new
        made = {k: settled(v, old.get(k), tol) for k, v in new.items()}
        for name, most in new.get("tolerance", {}).items():
            made["right"][name] = settled(new["right"][name], old.get("right", {}).get(name),
                                          most / 10)
        return made
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [settled(a, b, 1e-6) for a, b in zip(new, old, strict=True)]
    return new


def dumps(record: Record, depth: int = 0) -> str:
    """JSON with a line for each observation."""
    if depth > 1 and not (isinstance(record, dict) and "seen" in record) or not record:
        return json.dumps(record, ensure_ascii=False)
    pad = " " * (depth + 1)
    if isinstance(record, dict):
        body = [f"{json.dumps(k, ensure_ascii=False)}: {dumps(v, depth + 1)}"
                for k, v in record.items()]
        return "{\n" + ",\n".join(pad + line for line in body) + "\n" + " " * depth + "}"
    if isinstance(record, list):
        body = [dumps(v, depth + 1) for v in record]
        return "[\n" + ",\n".join(pad + line for line in body) + "\n" + " " * depth + "]"
    return json.dumps(record, ensure_ascii=False)


def load(path: Path) -> Record | None:
    """A stored record, or None when there is none that can be read."""
    try:
        record: Record = json.loads(path.read_text("utf-8"))
        return record
    except (OSError, ValueError):
        return None


def key(files: list[Path], choices: str) -> str:
    """What a stored record was made from."""
    whole = sha256(choices.encode())
    for path in files:
        whole.update(path.read_bytes() if path.is_file() else b"")
    return whole.hexdigest()[:16]
