"""A newer release over a working copy: nothing its owner wrote is lost, and new holes come."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from course import files, update, workspace
from course.source import spans, text

from .conftest import Run, course, everything, module
from .test_progress import RIGHT

HOLE = '    raise NotImplementedError("not filled in yet: lesson 00, exercise 2")\n'


def notebook(folder: Path) -> nbformat.NotebookNode:
    return nbformat.read(folder / "notebooks/00_start_here.ipynb", as_version=4)


def save(folder: Path, nb: nbformat.NotebookNode) -> None:
    nbformat.write(nb, folder / "notebooks/00_start_here.ipynb")


@pytest.fixture
def newer(built: Path, tmp_path: Path) -> Path:
    """A later release: an argument more, a new hole, a new module, other text in the notebook."""
    root = Path(shutil.copytree(built, tmp_path / "newer"))
    path = root / "minillm/bigram.py"
    source = path.read_text("utf-8").replace(
        "def next_word_probabilities(counts: torch.Tensor)",
        "def next_word_probabilities(counts: torch.Tensor, smooth: float = 0.0)")
    path.write_text(source + f"\n\ndef perplexity(p):\n{HOLE}", "utf-8")
    first = source.splitlines()[0]
    (root / "minillm/trigram.py").write_text(f"{first}\ndef counts(ids):\n{HOLE}", "utf-8")
    nb = notebook(root)
    nb.cells[0].source = nb.cells[0].source.replace("minute", "two minutes")
    nb.cells[0].id = "text-00000000"
    save(root, nb)
    return root


def test_what_was_written_stays_and_what_is_new_comes(copy: Path, run: Run, newer: Path) -> None:
    run(RIGHT, "#| fill minillm.bigram\ndef my_own_helper(x):\n    return x\n")
    assert update.is_outdated(newer, copy)
    report = update.update(newer, copy)
    source = module(copy)
    assert "counts / counts.sum(-1, keepdim=True)" in source
    assert "my_own_helper" in spans(source) and "perplexity" in spans(source)
    assert source.startswith(workspace.WORKING)
    assert (copy / "minillm/trigram.py").read_text("utf-8").startswith(workspace.WORKING)
    assert report.kept == ["bigram.next_word_probabilities", "bigram.my_own_helper"]
    assert report.new == ["bigram.perplexity", "trigram.counts"]
    assert len(report.misfit) == 1 and "smooth: float=0.0" in report.misfit[0]
    assert not update.is_outdated(newer, copy)
    assert "two minutes" in notebook(copy).cells[0].source


def test_untouched_copy_becomes_the_new_release(copy: Path, newer: Path, tmp_path: Path) -> None:
    update.update(newer, copy)
    assert workspace.start(newer, tmp_path / "fresh")
    fresh, now = everything(tmp_path / "fresh"), everything(copy)
    same = {p.relative_to(tmp_path / "fresh"): c for p, c in fresh.items()
            if p.suffix == ".py" or ".released" in p.parts}
    assert same.items() <= {p.relative_to(copy): c for p, c in now.items()}.items()


def test_answers_own_cells_and_changed_demos_stay_in_the_notebook(copy: Path, newer: Path) -> None:
    nb = notebook(copy)
    by_id = {c.id: c for c in nb.cells}
    by_id["steps-start-p_cat"].source = "p_cat = 3 / 4"
    demo = next(c for c in nb.cells if c.id.startswith("code-"))
    demo.source += "\nprint('mine')"
    at = nb.cells.index(by_id["steps-start-p_cat"])
    nb.cells.insert(at + 1, nbformat.v4.new_markdown_cell("my note", id="mine"))
    gone = nbformat.v4.new_code_cell("answer = 1", id="steps-start-gone", metadata={
        "nbgrader": {"grade_id": "steps-start-gone", "solution": True}})
    nb.cells.insert(at + 2, gone)
    save(copy, nb)
    update.update(newer, copy)
    sources = [c.source for c in notebook(copy).cells]
    where = sources.index("p_cat = 3 / 4")
    assert sources[where + 1:where + 3] == ["my note", "answer = 1"]
    assert demo.source in sources
    assert not any("not filled in yet" not in s and "def next_word" in s for s in sources)
    nbformat.validate(notebook(copy))


def test_given_code_changed_by_hand_stays_and_is_named(copy: Path, newer: Path) -> None:
    path = copy / "minillm/bigram.py"
    path.write_text(path.read_text("utf-8") + "\n\ndef given(x):\n    return 'mine'\n", "utf-8")
    base = copy / workspace.BASE / "minillm/bigram.py"
    base.write_text(base.read_text("utf-8") + "\n\ndef given(x):\n    return 1\n", "utf-8")
    fresh = newer / "minillm/bigram.py"
    fresh.write_text(fresh.read_text("utf-8") + "\n\ndef given(x):\n    return 2\n", "utf-8")
    report = update.update(newer, copy)
    assert "'mine'" in text(module(copy), "given")
    assert any("given is given and has changed" in line for line in report.misfit)


def test_without_the_old_release_what_cells_wrote_is_known(copy: Path, run: Run, newer: Path,
                                                           ) -> None:
    run(RIGHT)
    shutil.rmtree(copy / workspace.BASE)
    assert "bigram.next_word_probabilities" in update.update(newer, copy).kept


def test_a_broken_module_stops_the_update_before_anything_is_changed(
        copy: Path, newer: Path) -> None:
    (copy / "minillm/bigram.py").write_text(f"{workspace.WORKING}\ndef broken(:\n", "utf-8")
    before = everything(copy)
    with pytest.raises(ValueError, match="minillm/bigram.py is no Python"):
        update.update(newer, copy)
    assert {p: c for p, c in everything(copy).items() if p.name != ".course.lock"} == before


def test_killed_at_every_write_and_run_again(copy: Path, run: Run, newer: Path, tmp_path: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    run(RIGHT)
    expected, last = None, 0
    while True:
        folder = Path(shutil.copytree(copy, tmp_path / f"try{last}"))
        left = last

        def stop(path: Path, content: str | bytes) -> bool:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            files.write(path, content)
            return True

        with monkeypatch.context() as patch:
            patch.setattr(update, "write", stop)
            patch.setattr(update, "write_if_changed", stop)
            try:
                update.update(newer, folder)
                finished = True
            except KeyboardInterrupt:
                finished = False
        assert "keepdim=True" in module(folder)
        update.update(newer, folder)
        result = {str(p.relative_to(folder)): c for p, c in everything(folder).items()
                  if "backups" not in p.parts and p.suffix in (".py", ".ipynb")}
        expected = expected or result
        assert result == expected
        if finished:
            return
        last += 1


def test_a_bundle_is_updated_from_a_newer_bundle(built: Path, newer: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for root, folder in ((built, old), (newer, new)):
        workspace.fill_copy(root, folder)
        (folder / "course").mkdir()
        (folder / "course/__init__.py").write_text(f"# {root.name}\n", "utf-8")
        (folder / "README.md").write_text(root.name, "utf-8")
    source = module(old)
    (old / "minillm/bigram.py").write_text(source.replace(
        text(source, "next_word_probabilities"), RIGHT.partition("\n")[2]), "utf-8")
    (old / "course/mine.txt").write_text("not a learner's place", "utf-8")
    report = update.update(new, old)
    assert report.kept == ["bigram.next_word_probabilities"]
    assert (old / "README.md").read_text("utf-8") == "newer"
    assert (old / "course/__init__.py").read_text("utf-8") == "# newer\n"
    assert not update.is_outdated(new / workspace.BASE, old)
    assert not update.is_outdated(new, new), "a fresh bundle has not changed since"
    before = everything(old)
    with pytest.raises(ValueError, match="has nothing newer.*course update --folder"):
        update.update(old, old)  # the old one's own command: nothing newer comes from there
    assert everything(old) == before


def test_the_command(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    course(project, "start", str(folder))
    assert "course update" not in course(project, "start", str(folder))
    path = project / "minillm/bigram.py"
    path.write_text(path.read_text("utf-8") + f"\n\ndef extra(p):\n{HOLE}", "utf-8")
    assert "`course update`" in course(project, "start", str(folder))
    said = course(project, "update", "--folder", str(folder))
    assert "new to fill: bigram.extra" in said and "nothing was filled in" in said
    assert json.loads((folder / "minillm/.course.json").read_text("utf-8"))["bigram.extra"]


HALF = ("#| fill minillm.bigram\ndef next_word_probabilities(counts):\n"
        "    sums = counts.sum(-1, keepdim=True)  # mine\n"
        "    raise NotImplementedError(\"not filled in yet: lesson 00, exercise 1\")\n")


def test_half_an_answer_stays_too(copy: Path, newer: Path) -> None:
    """An answer that still has a hole (a class with two, say) is not the hole it was given."""
    nb = notebook(copy)
    next(c for c in nb.cells if c.id == "bigram-next_word_probabilities").source = HALF
    save(copy, nb)
    source = module(copy)
    (copy / "minillm/bigram.py").write_text(source.replace(
        text(source, "next_word_probabilities"), HALF.partition("\n")[2].rstrip()), "utf-8")
    report = update.update(newer, copy)
    assert HALF in [c.source for c in notebook(copy).cells]
    assert "# mine" in module(copy) and "bigram.next_word_probabilities" in report.kept


@pytest.fixture
def fetched(copy: Path) -> Path:
    """The lesson as nbgrader's exchange brings it: in a folder of its own, and nowhere else."""
    path = copy / "notebooks/00_start_here/00_start_here.ipynb"
    path.parent.mkdir()
    (copy / "notebooks/00_start_here.ipynb").rename(path)
    nb = nbformat.read(path, as_version=4)
    next(c for c in nb.cells if c.id == "steps-start-p_cat").source = "p_cat = 3 / 4"
    nbformat.write(nb, path)
    return path


def test_a_fetched_lesson_is_updated_where_it_is(copy: Path, newer: Path, fetched: Path) -> None:
    update.update(newer, copy)
    sources = [c.source for c in nbformat.read(fetched, as_version=4).cells]
    assert "two minutes" in sources[0] and "p_cat = 3 / 4" in sources
    assert [p.relative_to(copy / "notebooks") for p in (copy / "notebooks").rglob("*.ipynb")] == [
        fetched.relative_to(copy / "notebooks")], "and no second one beside it"
    assert "perplexity" in spans(module(copy))


def test_lessons_that_were_not_fetched_do_not_come(copy: Path, newer: Path) -> None:
    """Beside its folder for the exchange the copy has none, as the hub has made it."""
    (copy / "notebooks/00_start_here.ipynb").unlink()
    (copy / "notebooks/help.md").unlink()
    update.update(newer, copy)
    assert [p.name for p in (copy / "notebooks").iterdir()] == ["help.md"]


def test_both_are_updated_where_there_are_both(copy: Path, newer: Path, fetched: Path) -> None:
    shutil.copy(fetched, copy / "notebooks/00_start_here.ipynb")
    update.update(newer, copy)
    assert "two minutes" in notebook(copy).cells[0].source
    assert "two minutes" in nbformat.read(fetched, as_version=4).cells[0].source
