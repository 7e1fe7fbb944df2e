"""Which modules of the package a piece of code reaches, so that only what changed is made again."""

import ast
from pathlib import Path


def imported(source: str, tops: tuple[str, ...] = ("minillm", "steps")) -> set[str]:
    """Modules of minillm (and of steps, or of `tops`) that a source imports itself."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inside = "minillm" if node.level == 1 else ""
            base = ".".join(filter(None, (inside, node.module)))
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.split(".")[0] in tops}


def reached(sources: list[str], solutions: Path) -> list[Path]:
    """Files of the reference that these sources import, and what those import in turn, sorted."""
    todo = [name for source in sources for name in imported(source)]
    files: set[Path] = set()
    while todo:
        path = (solutions / todo.pop().replace(".", "/")).with_suffix(".py")
        if path.is_file() and path not in files:
            files.add(path)
            todo += imported(path.read_text("utf-8"))
    return sorted(files)


def widgets(sources: list[str], root: Path) -> list[Path]:
    """The demos that these sources show: their Python and JavaScript, which outputs carry."""
    names = {name.split(".")[2] for source in sources for name in imported(source, ("course",))
             if name.startswith("course.widgets.")}
    found = [root / f"course/widgets/{name}{kind}" for name in names for kind in (".js", ".py")]
    return sorted(path for path in found if path.is_file())
