"""`course start`: made once, whole or not at all, and never over somebody's work."""

import os
import shutil
from pathlib import Path

import pytest

from course import files, workspace

from .conftest import course, everything


def test_it_is_made_once(project: Path) -> None:
    assert f"made {project}/my-course" in course(project, "start")
    module = project / "my-course/minillm/bigram.py"
    assert module.read_text("utf-8").startswith(workspace.WORKING)
    module.write_text(module.read_text("utf-8") + "\nMINE = 1\n", "utf-8")
    before = everything(project / "my-course")
    assert "your working copy is" in course(project, "start")
    assert everything(project / "my-course") == before


def test_another_folder_and_one_that_is_taken(project: Path, tmp_path: Path) -> None:
    course(project, "start", str(tmp_path / "mein Kurs é"))
    assert workspace.is_working_copy(tmp_path / "mein Kurs é")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/thesis.txt").write_text("years", "utf-8")
    said = course(project, "start", str(tmp_path / "taken"), fails=True)
    assert "is no working copy of this course" in said and "Traceback" not in said
    assert [p.name for p in (tmp_path / "taken").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("missing", ["minillm", "notebooks"])
def test_nothing_to_copy(project: Path, missing: str) -> None:
    shutil.rmtree(project / missing)
    said = course(project, "start", fails=True)
    assert "is missing: `course build` makes it" in said
    assert not (project / "my-course").exists()


def test_a_full_disk_leaves_nothing_half_made(project: Path, monkeypatch: pytest.MonkeyPatch,
                                              tmp_path: Path) -> None:
    real = files.write

    def full(path: Path, content: str) -> None:
        if path.name == "bigram.py":
            raise OSError(28, "No space left on device", str(path))
        real(path, content)

    monkeypatch.setattr(workspace, "write", full)
    with pytest.raises(OSError, match="No space left"):
        workspace.start(project, tmp_path / "copy")
    assert not (tmp_path / "copy").exists() and not list(tmp_path.glob(".copy*"))


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "module.py"
    files.write(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write(path, "new")
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["module.py"]
