"""The page of a class: what went well, which mistakes were made, and who needs a person."""

from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path
from statistics import mean, median
from typing import Any

from .outcome import stored
from .similar import Pair

Row = dict[str, Any]
STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}th,td{padding:.2rem .8rem .2rem 0;
text-align:left;vertical-align:top;border-bottom:1px solid #ddd}td.n{text-align:right}
pre{background:#f5f5f5;padding:.5rem;overflow:auto}.loud{font-weight:bold;color:#a00}"""


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Numbers to the right; strings are escaped, and None is empty."""
    def cell(value: Any) -> str:
        if isinstance(value, int | float):
            return f'<td class="n">{round(value, 2):g}</td>'
        return f"<td>{escape(str(value or ''))}</td>"

    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>\n" for row in rows)
    top = "".join(f"<th>{escape(each)}</th>" for each in head)
    return f"<table><tr>{top}</tr>\n{body}</table>" if body else "<p>None.</p>"


def exercises(rows: list[Row], targets: dict[str, float]) -> str:
    """Scores by exercise, the most failed first."""
    found = []
    for target, points in targets.items():
        scores = [row[target] for row in rows if target in row]
        if scores:
            whys = Counter(row[f"{target}: why"] for row in rows if row.get(f"{target}: why"))
            common = f"{whys.most_common(1)[0][0]} ({whys.most_common(1)[0][1]})" if whys else ""
            passed = sum(score >= points for score in scores)
            found.append((passed / len(scores), [target, points, mean(scores), passed,
                                                 len(scores) - passed, common]))
    found.sort(key=lambda each: each[0])
    return table(("exercise", "points", "mean", "passed", "not", "most common reason"),
                 (row for _, row in found))


def mistakes(rows: list[Row], targets: dict[str, float], expected: Path) -> str:
    """The known mistakes that were made, by how many, with what each learner was told."""
    made = Counter[tuple[str, str]]()
    for row in rows:
        made.update((t, row[f"{t}: why"]) for t in targets if row.get(f"{t}: why"))
    lines = []
    for (target, name), count in made.most_common():
        record = stored(expected, target) or {"mistakes": []}
        told = {m["name"]: m["message"] for m in record["mistakes"]}
        if name in told:
            lines.append((target, name, count, told[name]))
    return table(("exercise", "mistake", "learners", "what they were told"), lines)


def pairs(found: list[Pair]) -> str:
    """Who wrote alike, with the parts to look at."""
    if not found:
        return "<p>None.</p>"
    out = []
    for pair in found:
        first, second = map(escape, pair.learners)
        parts = "".join(f"<pre>{escape(part)}</pre>" for part in pair.parts)
        out.append(f"<details><summary>{first} ({pair.shares[0]:.0%} of their own code) and "
                   f"{second} ({pair.shares[1]:.0%})</summary>{parts}</details>")
    return "\n".join(out)


def section(lesson: str, rows: list[Row], targets: dict[str, float], gaps: list[str],
            alike: list[Pair], expected: Path) -> str:
    """One lesson of a class."""
    graded = [row for row in rows if row["status"] == "graded"]
    scores = [row["score"] for row in graded]
    most = rows[0]["max"] if rows else 0
    said = [f"{len(graded)} of {len(rows)} graded"]
    if scores:
        said.append(f"mean {mean(scores):.2f}, median {median(scores):g} of {most:g} points")
    needing = [(r["learner"], r["name"], r["needs a person"]) for r in graded
               if r["needs a person"]]
    late = [(r["learner"], r["name"], r["late"], r["penalty"]) for r in graded
            if r.get("late")]
    without = [(r["learner"], r["name"], r["status"], r["reason"]) for r in rows
               if r["status"] != "graded"]
    loud = "".join(f'<p class="loud">Not enforced: {escape(gap)}</p>' for gap in gaps)
    return "\n".join([
        f"<h2>{escape(lesson)}</h2>", f"<p>{'; '.join(said)}.</p>", loud,
        "<h3>Needing a person</h3>", table(("learner", "name", "what"), needing),
        "<h3>Without a grade</h3>", table(("learner", "name", "status", "reason"), without),
        "<h3>Handed in late</h3>", table(("learner", "name", "by", "points less"), late),
        "<h3>Exercises, most failed first</h3>", exercises(graded, targets),
        "<h3>Known mistakes</h3>", mistakes(graded, targets, expected),
        "<h3>Points</h3>", table(("learner", "name", "points"), (
            (r["learner"], r["name"], r["score"]) for r in graded)),
        "<h3>Similar submissions</h3>",
        "<p>To look at, not a verdict: two may have learnt together, or found the same form.</p>",
        pairs(alike)])


def page(sections: list[str]) -> str:
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>Class report</title><style>{STYLE}</style></head><body>"
            f"<h1>Class report</h1>\n{''.join(sections)}\n</body></html>\n")
