"""`grader collect`: submissions in every shape they arrive in; nobody merged, nothing lost."""

import io
import json
import os
import unicodedata
import zipfile
from copy import deepcopy
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
import pytest

from grader.archive import Arrived, Refused, arrivals
from grader.classroom import Classroom
from grader.collect import Collecting, Index, Summary
from grader.errors import GraderError
from grader.learners import Owner, new_id, owners, slug
from grader.notebooks import grade_id

from .conftest import LESSON, STEP, Make

FILE = f"{LESSON}.ipynb"


@pytest.fixture
def text(make: Make) -> Any:
    """A notebook whose first answer is the given word, as text."""

    def notebook(word: str = "1") -> str:
        return json.dumps(make(**{STEP.replace("-", "__"): f"p_cat = {word}"}))

    return notebook


def lay(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def packed(files: dict[str, str | bytes]) -> bytes:
    made, when = io.BytesIO(), (2026, 11, 29, 10, 0, 0)
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, when), content)
    return made.getvalue()


def collect(room: Classroom, source: Path, only: str | None = None) -> Summary:
    return Collecting(room, only).run(source)


def answers(room: Classroom) -> dict[str, str]:
    """What each learner's submission says in its first answer."""
    found = {}
    for learner, path in room.submissions(LESSON).items():
        nb = nbformat.read(path, as_version=4)
        found[learner] = next(c.source for c in nb.cells if grade_id(c) == STEP).split(" = ")[1]
    return found


LAYOUTS: dict[str, tuple[list[str], set[str]]] = {
    "a folder per learner": ([f"ana/{FILE}", f"Bo Li/{FILE}"], {"ana", "Bo-Li"}),
    "a folder around them": ([f"submissions/ana/{FILE}", f"submissions/bo/{FILE}"], {"ana", "bo"}),
    "working copies": ([f"ana/my-course/notebooks/{FILE}", f"bo/notebooks/{FILE}"], {"ana", "bo"}),
    "flat": (["ana.ipynb", f"{LESSON}-Bo Li.ipynb", f"eva_{LESSON}.ipynb"],
             {"ana", "Bo-Li", "eva"}),
    "flat, one name within another": (["ana.ipynb", "ana (1).ipynb"], {"ana", "ana-1"}),
    "moodle": ([f"Ana María López_1234_assignsubmission_file_/{FILE}",
                "Bo Li_77_assignsubmission_file_/x (2).ipynb"], {"Ana-María-López", "Bo-Li"}),
    "moodle, flat": ([f"Bo Li_77_assignsubmission_file_{FILE}"], {"Bo-Li"}),
    "moodle, one name twice": ([f"Bo Li_77_assignsubmission_file_/{FILE}",
                                f"Bo Li_78_assignsubmission_file_/{FILE}"], {"Bo-Li", "Bo-Li-78"}),
    "canvas": ([f"liboxx_LATE_12_900_{LESSON}-1.ipynb", f"liboxx_13_901_{FILE}"],
               {"liboxx", "liboxx-12"}),
    "blackboard": ([f"Lesson 00_bo_li_attempt_2026-11-29-10-11-12_{FILE}",
                    f"Lesson 00_ana_attempt_2026-11-29-10-11-12_{FILE}"], {"bo_li", "ana"}),
    "only in case": ([f"ana/{FILE}", f"Ana/{FILE}"], {"ana-2", "Ana"}),
    "names to be careful with": ([f"[x]*?/{FILE}", f"-rf/{FILE}", f"CON/{FILE}", f"日本 語/{FILE}"],
                                 {"x", "rf", "learner-CON", "日本-語"}),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("as_zip", [False, True])
def test_layouts(room: Classroom, tmp_path: Path, text: Any, layout: str, as_zip: bool) -> None:
    names, learners = LAYOUTS[layout]
    files: dict[str, str | bytes] = {name: text(str(n)) for n, name in enumerate(names)}
    source = tmp_path / "came.zip" if as_zip else lay(tmp_path / "came", files)
    if as_zip:
        source.write_bytes(packed(files))
    summary = collect(room, source)
    assert not summary.problems
    assert answers(room).keys() == learners
    assert sorted(answers(room).values()) == sorted(map(str, range(len(names))))
    originals = {p.read_bytes() for p in (room.folder / "collected").rglob("*.ipynb")}
    assert originals == {str(content).encode() for content in files.values()}
    again = collect(room, source)
    assert again.known == len(names) and not again.taken


def test_zips_within_zips(room: Classroom, tmp_path: Path, text: Any) -> None:
    lay(tmp_path / "came", {
        "ana.zip": packed({f"__MACOSX/ana/._{FILE}": b"x", f"ana/{FILE}": text("1"),
                           f"ana/.ipynb_checkpoints/{FILE}": text("9")}),
        "all.zip": packed({"Bo Li_77_assignsubmission_file_/work.zip":
                           packed({f"notebooks/{FILE}": text("2"), "minillm/x.py": b""})}),
    })
    assert not collect(room, tmp_path / "came").problems
    assert answers(room) == {"ana": "1", "Bo-Li": "2"}


def test_a_single_working_copy(room: Classroom, tmp_path: Path, text: Any) -> None:
    lay(tmp_path / "Bo Li", {f"notebooks/{FILE}": text(), "minillm/bigram.py": "", "backups/x": ""})
    collect(room, tmp_path / "Bo Li")
    assert answers(room).keys() == {"Bo-Li"}


def test_names_that_are_spelled_two_ways(room: Classroom, tmp_path: Path, text: Any) -> None:
    for form, word in (("NFD", "1"), ("NFC", "2")):
        came = tmp_path / form
        lay(came, {f"{unicodedata.normalize(form, 'José')}/{FILE}": text(word)})
        collect(room, came)
    assert list(answers(room)) == ["José"]


def test_the_newest_attempt_wins(room: Classroom, tmp_path: Path, text: Any) -> None:
    came = lay(tmp_path / "came", {f"ana/{n}.ipynb": text(str(n)) for n in (9, 10, 11)})
    for n, when in ((9, 2000), (10, 3000), (11, 1000)):
        os.utime(came / f"ana/{n}.ipynb", (when, when))
    collect(room, came)
    assert answers(room) == {"ana": "10"}
    assert len(list((room.folder / f"collected/{LESSON}/ana").iterdir())) == 3
    older = lay(tmp_path / "older", {"ana/x.ipynb": text("12")})
    os.utime(older / "ana/x.ipynb", (500, 500))
    assert collect(room, older).taken and answers(room) == {"ana": "10"}
    later = lay(tmp_path / "later", {"ana/x.ipynb": text("13")})
    assert collect(room, later).taken and answers(room) == {"ana": "13"}


def test_an_attempt_that_is_handed_in_again_counts_again(room: Classroom, tmp_path: Path,
                                                         text: Any) -> None:
    """What comes a second time was dismissed as known, and the attempt in between counted."""
    def came(when: int, *words: str) -> Path:
        folder = lay(tmp_path / f"came-{when}", {f"ana/{w}.ipynb": text(w) for w in words})
        for path in (folder / "ana").iterdir():
            os.utime(path, (when, when))
        return folder

    for when, word in ((1000, "1"), (2000, "2"), (3000, "1")):
        collect(room, came(when, word))
        assert answers(room) == {"ana": word}
    for when in (3000, 2000, 1000):
        assert collect(room, tmp_path / f"came-{when}").known == 1
    assert answers(room) == {"ana": "1"}
    assert collect(room, came(9000, "1", "2")).known == 2, "all were copied, which says nothing"
    assert answers(room) == {"ana": "1"}


def test_attempts_that_alternate_in_one_download(room: Classroom, tmp_path: Path,
                                                 text: Any) -> None:
    files = {f"x_bo_attempt_2026-11-29-10-11-1{n}_{FILE}": text(str(n % 2)) for n in range(3)}
    source = lay(tmp_path / "came", files)
    for known in (0, 3):
        assert collect(room, source).known == known and answers(room) == {"bo": "0"}


def test_attempts_in_blackboard_and_canvas(room: Classroom, tmp_path: Path, text: Any) -> None:
    head = "Lesson_00_li_bo_attempt_2026-11-"
    collect(room, lay(tmp_path / "b", {
        f"{head}29-10-11-12_{FILE}": text("2"), f"{head}28-10-11-12_{FILE}": text("1"),
        f"{head}29-10-11-12.txt": "Name: Bo Li (li_bo)\nAssignment: Lesson_00\n",
        f"{head}28-10-11-12.txt": "Name: Bo Li (li_bo)\n"}))
    assert answers(room) == {"Bo-Li": "2"}
    came = lay(tmp_path / "c", {f"evaxx_4_{n}_{LESSON}-{n}.ipynb": text(str(n)) for n in (9, 10)})
    for path in came.iterdir():
        os.utime(path, (1000, 1000))
    collect(room, came)
    assert answers(room)["evaxx"] == "10"


def test_a_broken_newest_attempt(room: Classroom, tmp_path: Path, text: Any) -> None:
    came = lay(tmp_path / "came", {"ana/old.ipynb": text("1"), f"ana/new-{FILE}": "{broken"})
    os.utime(came / "ana/old.ipynb", (1000, 1000))
    summary = collect(room, came)
    assert answers(room) == {"ana": "1"}
    assert any("no JSON" in p for p in summary.problems)
    assert any("the one before it counts" in p for p in summary.problems)
    assert (room.folder / "collected" / Index(room.folder).attempts[0]["file"]).read_text() in (
        "{broken", text("1"))


def test_what_needs_a_person_is_named(room: Classroom, tmp_path: Path, text: Any,
                                      make: Make) -> None:
    other = make()
    other.metadata["course"]["lesson"] = "07_rope"
    for cell in other.cells:
        cell.metadata.pop("nbgrader", None)
        cell.source = "1"
    came = lay(tmp_path / "came", {
        f"ana/{FILE}": text(), FILE: text("8"), "bo/notes.pdf": "x", "bo/readme.txt": "x",
        "eva/work.rar": "x", "kim/x.ipynb": json.dumps(other), "liz/x.ipynb": "[]"})
    (came / "nobody").mkdir()
    (came / "link.ipynb").symlink_to("/etc/passwd")
    (came / "folder").symlink_to("/etc")
    summary = collect(room, came)
    said = "\n".join(summary.problems)
    assert answers(room) == {"ana": "1"}
    for words in (f"{FILE}: whose is it?", "bo: no notebook, only notes.pdf, readme.txt",
                  "eva/work.rar: refused: a .rar archive", "'07_rope', which has not been released",
                  "liz/x.ipynb: liz cannot be graded on it: JSON, but no notebook",
                  "nobody: an empty folder", "link.ipynb: refused: a link", "folder: refused"):
        assert words in said, said
    kept = [p.read_text() for p in (room.folder / "collected/unknown").rglob("*.ipynb")]
    assert sorted(kept) == sorted([text("8"), json.dumps(other), "[]"])


def test_another_lessons_notebook(room: Classroom, tmp_path: Path, text: Any,
                                  released: Any) -> None:
    other = deepcopy(released)
    other.metadata["course"]["lesson"] = "01_other"
    path = room.notebook("release", "01_other")
    path.parent.mkdir(parents=True)
    nbformat.write(other, path)
    came = lay(tmp_path / "came", {"ana.ipynb": text(), "bo.ipynb": json.dumps(other)})
    summary = collect(room, came, "01_other")
    assert [t.split(":")[0] for t in summary.taken] == ["bo"]
    assert any("ana.ipynb: not taken: it is the notebook of 00_start_here" in p
               for p in summary.problems)
    assert len(collect(room, came).taken) == 1


def test_hostile_zips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = zipfile.ZipInfo("ana/link.ipynb")
    link.external_attr = 0o120777 << 16
    made = io.BytesIO(packed({"../up.ipynb": "{}", "/abs.ipynb": "{}", "c:/x.ipynb": "{}",
                              "a\\..\\..\\up.ipynb": "{}", "ok/x.ipynb": "{}",
                              "big.ipynb": "0" * 5000}))
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    source = tmp_path / "came.zip"
    source.write_bytes(made.getvalue())
    monkeypatch.setattr("grader.archive.LARGEST", 4000)
    found = list(arrivals(source))
    assert [a.path for a in found if isinstance(a, Arrived)] == [PurePosixPath("ok/x.ipynb")]
    refused = [r.why for r in found if isinstance(r, Refused)]
    assert sum("leads out" in why for why in refused) == 4
    assert sum("a link" in why for why in refused) == 1
    assert sum("larger" in why for why in refused) == 1
    deep = packed({"x.ipynb": "{}"})
    for _ in range(6):
        deep = packed({"in.zip": deep})
    source.write_bytes(deep)
    assert ["zips within zips" in str(found) for found in arrivals(source)] == [True]
    source.write_bytes(packed({"x.ipynb": "{}"})[:-40] + b"PK\x05\x06" + b"\0" * 18)
    assert not any(isinstance(r, Arrived) for r in arrivals(source))
    monkeypatch.setattr("grader.archive.FILES", 10)
    source.write_bytes(packed({f"{n}.ipynb": "{}" for n in range(50)}))
    found = list(arrivals(source))
    assert len(found) == 11 and isinstance(found[-1], Refused) and "more than" in found[-1].why


def test_nothing_to_collect(room: Classroom, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.pdf").write_text("x")
    for source, why in (("empty", "no notebook"), ("x.pdf", "no folder, no zip"),
                        ("missing", "not there")):
        with pytest.raises(GraderError, match=why):
            collect(room, tmp_path / source)
    assert not (room.folder / "submitted").exists()
    with pytest.raises(GraderError, match="no lesson has been released"):
        Collecting(Classroom(tmp_path / "other"))
    (room.folder / "collected").mkdir()
    (room.folder / "collected/index.json").write_text("{")
    with pytest.raises(GraderError, match=r"index\.json cannot be read"):
        Collecting(room)


def test_a_corrected_submission_is_not_overwritten(room: Classroom, tmp_path: Path,
                                                   text: Any) -> None:
    came = lay(tmp_path / "came", {"ana.ipynb": text("1")})
    collect(room, came)
    room.notebook("submitted", LESSON, "ana").write_text(text("2"))
    collect(room, came)
    assert answers(room) == {"ana": "2"}


def test_ids() -> None:
    assert new_id(Owner("canvas 7", "Ana"), ["ana", "ana-7"]) == "Ana-2"
    assert slug("...") == "learner" and slug("a/b\\c:d") == "a-b-c-d" and len(slug("x" * 99)) == 60
    found = owners([PurePosixPath("00_start_here.ipynb")], [LESSON], "x")
    assert found == {PurePosixPath("00_start_here.ipynb"): None}


def test_the_exchange(room: Classroom, tmp_path: Path, text: Any) -> None:
    """The newest attempt counts, with its own secret; somebody else's folder is pointed out."""
    def inbound(minute: int) -> str:
        return f"bo+{LESSON}+2026-11-29 10:{minute}:12.123456 UTC+aB-_9"

    came = tmp_path / "inbound"
    for minute in (30, 20):
        lay(came / inbound(minute), {FILE: text(str(minute)),
                                     "submission_secret.txt": f"s{minute}"})
    lay(came / f"ana@x.org+{LESSON}+2026-11-29 10:11:12.123456 UTC", {FILE: text("1")})
    assert not collect(room, came).problems
    assert answers(room) == {"bo": "30", "ana-x.org": "1"}
    submitted = room.notebook("submitted", LESSON, "bo").parent
    assert (submitted / "submission_secret.txt").read_text() == "s30"
    assert (submitted / "timestamp.txt").read_text() == "2026-11-29 10:30:12 UTC\n"
    lay(tmp_path / "mail", {f"ana/{FILE}": text("1")})  # nbgrader wants a secret of everyone
    collect(room, tmp_path / "mail")
    theirs = room.notebook("submitted", LESSON, "ana").with_name("submission_secret.txt")
    assert len(theirs.read_text()) == 64
    if os.getuid() == 0:
        os.chown(came / inbound(30), 54321, -1)
        [note] = collect(room, came).notes
        assert note == f"{inbound(30)} is in the name of bo and belongs to the account 54321"
