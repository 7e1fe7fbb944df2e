"""Every command that a page for readers names is taken by its program, and every path is there."""

import argparse
import importlib
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "grader/README.md",
                                  "grader/CLASS.md", "grader/bundle/README.md",
                                  "benchmarks/README.md", "course/lessons/help.md")]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
TARGETS = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.M)) | {
    stage for line in re.findall(r"^STAGES := (.*)", (ROOT / "Makefile").read_text(), re.M)
    for stage in line.split()}
TOP = ("course", "grader", "solutions", "notebooks", "minillm", "tests", "benchmarks", ".ci")
PLACEHOLDER = re.compile(r"NN|\bx\.|topic|LEARNER|LESSON|\*|…|\{")


class Parsed(Exception):
    """The command line was accepted."""


def commands(page: Path) -> list[str]:
    """What stands in code on a page and begins with a program of ours, or make."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    lines += re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)
    return [line for line in lines if re.match(rf"({'|'.join(SCRIPTS)}|make) ", line)]


def named(page: Path) -> list[tuple[Path, str]]:
    return [(page, line) for line in dict.fromkeys(commands(page))]


@pytest.mark.parametrize(("page", "line"), [pair for page in PAGES for pair in named(page)],
                         ids=lambda value: value if isinstance(value, str) else value.name)
def test_a_command_is_taken(page: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [w for w in shlex.split(line) if "[" not in w and "]" not in w and w != "…"]
    if words[0] == "make":
        assert set(words[1:]) <= TARGETS
        return
    module, function = SCRIPTS[words[0]].split(":")
    main: Callable[[list[str]], int] = getattr(importlib.import_module(module), function)
    parse = argparse.ArgumentParser.parse_args

    def stop(parser: argparse.ArgumentParser, *given: object) -> None:
        parse(parser, words[1:])
        raise Parsed

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
    with pytest.raises(Parsed):
        main(words[1:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_and_links_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    linked = [page.parent / link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)
              if "://" not in link]
    spoken = [ROOT / code for code in re.findall(r"(?<!`)`([\w./-]+/[\w./-]*)`(?!`)", text)
              if code.split("/")[0] in TOP and not PLACEHOLDER.search(code)]
    kept = page.parent.name == "bundle"  # its paths are those of a bundle, which a test looks at
    missing = [path for path in linked + ([] if kept else spoken) if not path.exists()]
    assert not missing


def test_the_map_of_lessons_is_that_of_the_course() -> None:
    import json
    lessons = json.loads((ROOT / "course/contents.json").read_text("utf-8"))
    rows = re.findall(r"^\| (\d\d) ([^|]+) \| [^|]+ \| (\d+) \|$",
                      (ROOT / "README.md").read_text("utf-8"), re.M)
    assert rows == [(each["name"][:2], each["title"], str(each["minutes"])) for each in lessons]


@pytest.mark.parametrize("path", [*sorted(ROOT.glob("course/lessons/*.md")),
                                  *sorted(ROOT.glob("course/mistakes/**/*.py")),
                                  *sorted(ROOT.glob("solutions/minillm/*.py"))],
                         ids=lambda path: str(path.relative_to(ROOT)))
def test_a_lesson_that_is_named_exists(path: Path) -> None:
    there = {lesson.name[:2] for lesson in ROOT.glob("course/lessons/[0-9]*.md")}
    named = re.findall(r"[Ll]essons? (\d\d)\b", path.read_text("utf-8"))
    assert set(named) <= there
