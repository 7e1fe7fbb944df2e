"""Every file in a folder or a zip, zips within it opened, and nothing that leaves its place."""

import io
import os
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from .errors import GraderError

LARGEST = 100 << 20  # bytes of one file that is looked at
TOTAL = 4 << 30  # bytes that a whole archive may unpack to
FILES = 100_000
DEEPEST = 4  # zips within zips
IGNORED = {"__MACOSX", ".ipynb_checkpoints", "__pycache__", "Thumbs.db", "desktop.ini"}
CLOSED = {".rar", ".7z", ".gz", ".tgz", ".tar", ".bz2", ".xz"}  # archives that are not opened here


@dataclass(frozen=True)
class Arrived:
    """A file as it came: its path (zips count as folders), content, and time if that is known.

    Only what somebody may read later has its content: notebooks, and the notes that an LMS adds.
    """

    path: PurePosixPath
    content: bytes
    when: float = 0.0


@dataclass(frozen=True)
class Refused:
    """A file that was not taken, and why."""

    path: str
    why: str


Found = Iterator[Arrived | Refused]


def nfc(name: str) -> str:
    """One spelling for each name: macOS writes é as two characters."""
    return unicodedata.normalize("NFC", name)


def ignored(path: PurePosixPath) -> bool:
    return any(part in IGNORED or part.startswith(".") for part in path.parts)


def arrivals(source: Path) -> Found:
    """All files of a folder, a zip or a single notebook. Raises GraderError when it is neither."""
    if source.is_dir():
        yield from in_folder(source)
    elif not source.is_file():
        raise GraderError(f"{source} is not there")
    elif zipfile.is_zipfile(source):
        with source.open("rb") as file:
            yield from in_zip(file, PurePosixPath(), str(source), Budget())
    elif source.suffix == ".ipynb":
        yield from one(PurePosixPath(nfc(source.name)), source)
    else:
        raise GraderError(f"{source} is no folder, no zip and no notebook")


@dataclass
class Budget:
    """What a zip may still unpack to, with all zips within it."""

    size: int = field(default_factory=lambda: TOTAL)
    files: int = field(default_factory=lambda: FILES)


def in_folder(folder: Path) -> Found:
    for here, folders, files in os.walk(folder):  # does not follow links
        folders.sort()
        for name in sorted(files + [f for f in folders if (Path(here) / f).is_symlink()]):
            path = Path(here) / name
            inside = PurePosixPath(*map(nfc, path.relative_to(folder).parts))
            if ignored(inside):
                continue
            if path.is_symlink() or not path.is_file():
                yield Refused(str(inside), "a link, and links are not followed")
            else:
                yield from one(inside, path)


def one(inside: PurePosixPath, path: Path) -> Found:
    facts = path.stat()
    if facts.st_size > LARGEST:
        yield Refused(str(inside), f"larger than {LARGEST >> 20} MB")
    elif path.suffix.lower() == ".zip":
        with path.open("rb") as file:
            yield from in_zip(file, inside, str(inside), Budget())
    else:
        content = path.read_bytes() if wanted(inside) else b""
        yield from judged(Arrived(inside, content, facts.st_mtime))


def wanted(path: PurePosixPath) -> bool:
    return path.suffix.lower() in (".ipynb", ".txt", ".zip")


def judged(file: Arrived) -> Found:
    if file.path.suffix.lower() in CLOSED:
        yield Refused(str(file.path), f"a {file.path.suffix} archive; only zip is opened here")
    else:
        yield file


def in_zip(file: io.BufferedReader | io.BytesIO, inside: PurePosixPath, shown: str, budget: Budget,
           depth: int = 1) -> Found:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        yield Refused(shown, f"a zip that cannot be opened ({error})")
        return
    with archive:
        for info in sorted(archive.infolist(), key=lambda i: i.filename):
            name = spelled(info)
            parts = PurePosixPath(name.replace("\\", "/")).parts
            path = inside.joinpath(*map(nfc, parts)) if parts else inside
            if info.is_dir():
                continue
            if name.startswith(("/", "\\")) or ".." in parts or ":" in (parts or ("",))[0]:
                yield Refused(f"{shown}: {name}", "a name that leads out of the zip")
                continue
            if ignored(PurePosixPath(*parts)):
                continue
            if stat.S_ISLNK(info.external_attr >> 16):
                yield Refused(f"{shown}: {name}", "a link, and links are not followed")
                continue
            budget.files -= 1
            budget.size -= info.file_size if wanted(path) else 0
            if budget.size < 0 or budget.files < 0:
                yield Refused(shown, f"a zip that unpacks to more than {TOTAL >> 30} GB or "
                                     f"{FILES} files: the rest of it was not read")
                return
            yield from member(archive, info, path, f"{shown}: {name}", budget, depth)


def member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: PurePosixPath, shown: str,
           budget: Budget, depth: int) -> Found:
    if info.file_size > LARGEST:
        yield Refused(shown, f"larger than {LARGEST >> 20} MB")
        return
    if not wanted(path):
        yield from judged(Arrived(path, b"", when(info)))
        return
    try:
        with archive.open(info) as stream:
            content = stream.read(LARGEST + 1)  # a zip may lie about the size
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError) as error:
        yield Refused(shown, f"cannot be unpacked ({error})")
        return
    if len(content) > LARGEST:
        yield Refused(shown, f"larger than {LARGEST >> 20} MB")
    elif path.suffix.lower() == ".zip":
        if depth >= DEEPEST:
            yield Refused(shown, f"zips within zips, more than {DEEPEST} deep")
        else:
            yield from in_zip(io.BytesIO(content), path, shown, budget, depth + 1)
    else:
        yield from judged(Arrived(path, content, when(info)))


def spelled(info: zipfile.ZipInfo) -> str:
    """The name as it was meant: UTF-8 that is not marked as such is read as the old code page."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def when(info: zipfile.ZipInfo) -> float:
    try:
        return datetime(*info.date_time).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
