"""The project's own Python files, as the house rules see them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = (
    "accounts", "annotation", "api", "comparison", "config", "corpus", "researcher", "scoring", "stimuli", "training",
    "work",
)  # fmt: skip


@cache
def python_files(*, rooms: tuple[str, ...] = (*ROOMS, "parallax_client", "tests", "bench")) -> list[Path]:
    """All .py files of these folders, migrations excepted, sorted."""
    found = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    return sorted(path for path in found if "migrations" not in path.parts)


def templates() -> list[Path]:
    folders = [ROOT / "templates", *(ROOT / room for room in ROOMS)]
    return sorted(path for folder in folders for path in folder.rglob("*.html"))


@cache
def parsed(path: Path) -> ast.Module:
    """The file's tree, parsed once for all rules."""
    return ast.parse(path.read_text())


def short(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
