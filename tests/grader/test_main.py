"""The `grader` command on input that is wrong: it names the file and why, and changes nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader import cgroups
from grader.__main__ import main
from grader.classroom import Classroom
from grader.environment import environment
from grader.private import sweep
from grader.report import harmless

from .conftest import LESSON, ROOT

Capture = pytest.CaptureFixture[str]


def fails(capsys: Capture, *words: str) -> str:
    assert main(words) == 1
    said = capsys.readouterr()
    assert not said.out and "Traceback" not in said.err
    return said.err


def test_a_class_that_is_not_there(tmp_path: Path, capsys: Capture) -> None:
    within = ("--class", str(tmp_path / "class"))
    assert f"{LESSON} has not been released" in fails(capsys, "grade", "00", *within)
    assert "no lesson has been released" in fails(capsys, "collect", str(tmp_path), *within)
    assert "holds no gradebook yet" in fails(capsys, "report", *within)
    assert "holds no gradebook yet" in fails(capsys, "formgrader", *within)
    assert "nobody has handed in" in fails(capsys, "feedback", "00", *within)
    left = [p.name for p in (tmp_path / "class").rglob("*") if p.name != ".grader.lock"]
    assert left in ([], ["nbgrader_config.py"])


def test_lessons_that_are_not_there(room: Classroom, capsys: Capture) -> None:
    within = ("--class", str(room.folder))
    said = fails(capsys, "grade", "x", *within)
    assert "no lesson is called 'x'; there are 00_start_here" in said
    assert "no lesson is called" in fails(capsys, "collect", ".", "--lesson", "99", *within)
    assert "no lesson is called" in fails(capsys, "selftest", "99")
    assert "holds no submission of 00_start_here" in fails(capsys, "grade", "00", *within)


def test_a_machine_that_cannot_confine(room: Classroom, capsys: Capture,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    within = ("--class", str(room.folder))
    monkeypatch.setattr("grader.host.landlock_version", lambda: 0)
    monkeypatch.setattr("sys.platform", "linux")
    said = fails(capsys, "grade", "00", *within)
    assert "submissions cannot be confined here: the kernel of this machine has no Landlock" in said
    assert "--unconfined" in said
    monkeypatch.setattr("sys.platform", "darwin")
    assert "only Linux can confine" in fails(capsys, "grade", "00", *within)
    assert "holds no submission" in fails(capsys, "grade", "00", "--unconfined", *within)


def test_a_gradebook_that_is_none(room: Classroom, capsys: Capture) -> None:
    room.database.write_bytes(b"no database at all, but a text")
    for command in (("report", "00"), ("feedback", "00")):
        said = fails(capsys, *command, "--class", str(room.folder))
        assert "gradebook.db" in said and "not a database" in said


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "class").write_text("a file")
    said = fails(capsys, "release", "--class", str(tmp_path / "class"))
    assert str(tmp_path / "class") in said


def test_a_full_disk_leaves_the_old_bundle(tmp_path: Path, capsys: Capture,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = tmp_path / "class/bundle/minillm-course"
    bundle.mkdir(parents=True)
    (bundle / "old").write_text("old")

    def full(root: Path, folder: Path) -> None:
        folder.mkdir(parents=True)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("grader.release.make_bundle", full)
    said = fails(capsys, "release", "--class", str(tmp_path / "class"))
    assert "No space left on device" in said and (bundle / "old").read_text() == "old"
    assert not (tmp_path / "class/gradebook.db").exists()


def test_no_torch_before_it_is_needed() -> None:
    script = ("import sys; from grader.__main__ import main; from grader import report, collect\n"
              "print([m for m in ('torch', 'nbgrader', 'rfc3987_syntax') if sys.modules.get(m)])")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, text=True, check=True,
                          capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.stdout == "[]\n"


def test_what_a_kernel_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "x")
    env = environment([Path("/kit"), Path("/package")], Path("/package"), tmp_path)
    assert env["PYTHONPATH"] == os.pathsep.join(["/kit", "/package"])
    assert env["COURSE_MINILLM"] == "/package" and env["PYTHONSAFEPATH"] == "1"
    assert env["NBGRADER_EXECUTION"] == "autograde" and env["OMP_NUM_THREADS"] == "1"
    assert not [k for k in env if k.startswith(("PYTEST", "JPY_"))]


def test_folders_of_killed_graders_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"grader-{ended.pid}-a", f"grader-{os.getpid()}-b", "grader-x", "other"):
        (tmp_path / name / "within").mkdir(parents=True)
    sweep()
    assert {p.name for p in tmp_path.iterdir()} == {f"grader-{os.getpid()}-b", "grader-x", "other"}


def test_control_groups_of_killed_graders_go(tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.cgroups.ROOT", tmp_path)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"grader-{ended.pid}-0", f"grader-{os.getpid()}-1", "grader-x-1", "user"):
        (tmp_path / "pids" / name).mkdir(parents=True)
    cgroups.sweep()
    assert {p.name for p in (tmp_path / "pids").iterdir()} == {
        f"grader-{os.getpid()}-1", "grader-x-1", "user"}


def test_a_name_is_no_formula() -> None:
    assert harmless("=1+1") == "'=1+1" and harmless("Ana") == "Ana"
    assert (harmless(2.0), harmless(1.5)) == (2, 1.5)


def test_reference_code_for_who_joins_late(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                           ) -> None:
    from course.catchup import reference_package
    from course.source import is_hole, text
    assert main(["catch-up", "01", "--class", str(tmp_path)]) == 0
    folder = Path(capsys.readouterr().out.split(":")[0])
    package = reference_package(folder, tmp_path)
    earlier = (package / "bigram.py").read_text("utf-8")
    later = (package / "functional.py").read_text("utf-8")
    assert not is_hole(text(earlier, "next_word_probabilities"))
    assert "SOLUTION" not in earlier and is_hole(text(later, "softmax"))
