"""pyproject.toml, constraints.txt and environment.yml say the same; CI runs what they say."""

import ast
import re
import sys
import sysconfig
import tomllib
from importlib.metadata import distributions, packages_distributions
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from rattler import MatchSpec

ROOT = Path(__file__).parents[1]
FILES = ("pyproject.toml", "constraints.txt", "environment.yml")
OURS = {"course", "grader", "minillm", "steps"}
BROUGHT = {"ipython", "jupyter-client", "matplotlib-inline", "pyzmq", "traitlets",  # by ipykernel
           "cycler", "jsonschema", "nbconvert", "jinja2"}  # by matplotlib, nbformat, nbgrader
HERE = [sysconfig.get_path("purelib")]  # setuptools puts what it vendors on sys.path once imported
UNPINNED = {"minillm-course", "pip", "setuptools", "wheel"}  # the project, and what venv brings


def pins(constraints: str) -> dict[str, Version]:
    """The exact versions; a line that is anything but `name==version` is an error."""
    lines = [line for line in constraints.splitlines() if line and not line.startswith("#")]
    found: dict[str, Version] = {}
    for line in lines:
        match = re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9a-z.]+)", line)  # no +cpu, no address
        assert match, f"constraints.txt: {line!r} is not name==version"
        found[canonicalize_name(match[1])] = Version(match[2])
    assert len(found) == len(lines), "constraints.txt names a package twice"
    return found


def disagreements(pyproject: str, constraints: str, environment: str) -> list[str]:
    """What the three files say differently, one line each."""
    project = tomllib.loads(pyproject)["project"]
    wanted = [Requirement(each) for each in
              [*project["dependencies"], *chain(*project["optional-dependencies"].values())]]
    pinned, wrong = pins(constraints), []
    for each in wanted:
        version = pinned.get(canonicalize_name(each.name))
        if version is None:
            wrong.append(f"{each.name}: in pyproject.toml and not in constraints.txt")
        elif version not in each.specifier:
            wrong.append(f"{each.name}: {version} is pinned, pyproject.toml wants {each.specifier}")

    conda: list[Any] = yaml.safe_load(environment)["dependencies"]
    specs = {str(spec.name.normalized): spec
             for spec in (MatchSpec(each) for each in conda if isinstance(each, str))}
    if set(specs) != {"python", "pip"}:
        wrong.append(f"environment.yml: conda brings {sorted(specs)}, and should python and pip")
    else:
        python = str(specs["python"].version).removesuffix(".*")
        if python not in SpecifierSet(project["requires-python"]):
            wrong.append(f"environment.yml: Python {python}, pyproject.toml wants "
                         f"{project['requires-python']}")
    by_pip = [line for each in conda if isinstance(each, dict) for line in each["pip"]]
    if by_pip != ["-c constraints.txt", "-e ."]:
        wrong.append(f"environment.yml: pip installs {by_pip}")
    return wrong


def imported(folder: Path) -> dict[str, Path]:
    """Top-level modules that the files below `folder` import, each with one such file."""
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0]: path for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found[node.module.split(".")[0]] = path
    return found


@pytest.fixture
def files() -> dict[str, str]:
    return {name: (ROOT / name).read_text("utf-8") for name in FILES}


def test_the_three_agree(files: dict[str, str]) -> None:
    assert disagreements(*files.values()) == []


@pytest.mark.parametrize(("name", "old", "new", "said"), [
    ("pyproject.toml", '"nbval>=0.11"', '"nbval>=0.99"', "nbval: 0.11.0 is pinned"),
    ("pyproject.toml", '"jupytext>=1.16"', '"hatch>=1"', "hatch: in pyproject.toml and not"),
    ("pyproject.toml", '">=3.11"', '">=3.12"', "environment.yml: Python 3.11"),
    ("constraints.txt", "nbgrader==0.9.6", "nbgrader==0.8.5", "nbgrader: 0.8.5 is pinned"),
    ("environment.yml", "python=3.11", "python=3.10", "environment.yml: Python 3.10"),
    ("environment.yml", "- pip\n", "- pip\n  - pytorch-cpu\n", "conda brings"),
    ("environment.yml", "- -e .", "- torch", "pip installs"),
])
def test_a_planted_mismatch_is_named(
        files: dict[str, str], name: str, old: str, new: str, said: str) -> None:
    assert old in files[name]
    files[name] = files[name].replace(old, new)
    [line] = disagreements(*files.values())
    assert said in line


@pytest.mark.parametrize("line", ["torch==2.13.0+cpu", "torch>=2.13", "-i https://example.org",
                                  "torch @ file:///torch.whl"])
def test_only_exact_public_versions_are_pins(line: str) -> None:
    with pytest.raises(AssertionError, match="is not name==version"):
        pins(line)


def test_conda_refuses_what_it_could_not_read() -> None:
    with pytest.raises(Exception, match=">>"):
        MatchSpec("numpy>>2")


@pytest.mark.skipif(sys.platform != "linux" or sys.version_info[:2] != (3, 11),
                    reason="constraints.txt is of Linux and Python 3.11")
def test_what_is_installed_is_what_is_pinned(files: dict[str, str]) -> None:
    # a local version (2.13.0+cpu) counts as its public one
    installed = {canonicalize_name(each.metadata["Name"]): Version(Version(each.version).public)
                 for each in distributions(path=HERE)}
    pinned = pins(files["constraints.txt"])
    assert {(name, version) for name, version in installed.items() if name not in UNPINNED} == \
        set(pinned.items())


def test_what_is_pinned_installs_on_the_oldest_python() -> None:
    """Debian 12 has Python 3.11.2; a pin that wants 3.11.5 stops pip after minutes of search."""
    for each in distributions(path=HERE):
        wanted = each.metadata["Requires-Python"] or ""
        assert "3.11.0" in SpecifierSet(wanted), f"{each.metadata['Name']} wants Python {wanted}"


@pytest.mark.parametrize("folder", ["course", "grader", "solutions"])
def test_nothing_is_imported_that_a_learner_would_not_have(folder: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {canonicalize_name(Requirement(each).name) for each in project["dependencies"]}
    brings = packages_distributions()
    for name, path in imported(ROOT / folder).items():
        if name not in OURS | sys.stdlib_module_names:
            packages = {canonicalize_name(each) for each in brings.get(name, [name])}
            assert packages & (declared | BROUGHT), f"{path} imports {name}: not a dependency"
