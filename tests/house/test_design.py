"""docs/design.md shows the house as it is: its paths exist, its versions are pinned, and every room explains itself."""

import ast
import re
from functools import cache
from pathlib import Path

from scoring.library.packaged import PACKAGED
from tests.house.pins import pins
from tests.house.sources import ROOMS, ROOT, short

DESIGN = ROOT / "docs" / "design.md"
DEPENDENCIES = ROOT / "docs" / "dependencies.md"
FOLDERS = {*ROOMS, "bench", "docs", "parallax_client", "static", "templates", "tests"}
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])
# Named here before they are merged; to be emptied when they are.
COMING: set[str] = set()
# Described on branches that are not merged yet; to be emptied when they are.
SILENT: set[str] = set()
# A docstring that says what lives here, what may be imported and how one more is added takes as much.
LINES_THAT_EXPLAIN = 3


@cache
def tree() -> list[str]:
    """The folders drawn under *The house*, as paths; what is indented lies in the folder above it."""
    [drawn] = re.findall(r"^## The house\n+```\n(.*?)```", DESIGN.read_text(), re.DOTALL | re.MULTILINE)
    paths, above = [], ""
    for indent, name in re.findall(r"^( *)([a-z_]+)/ ", drawn, re.MULTILINE):
        above = above if indent else name
        paths.append(f"{above}/{name}" if indent else name)
    return paths


def named(page: Path = DESIGN) -> set[str]:
    """Every file and folder of ours that stands in `code` on the page; those with a PLACE to fill are left out."""
    spans = re.findall(r"`([\w./-]+)`", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL))
    parts = {span: span.split("/") for span in spans if "/" in span}
    return {span for span, names in parts.items() if names[0] in FOLDERS and not any(map(str.isupper, names))}


def beside(page: Path) -> set[str]:
    """The modules that a room's own page names, which stand beside it or in a room above."""
    return set(re.findall(r"`([\w/]+\.py)`", page.read_text()))


def modules(page: Path) -> set[str]:
    """Every module of ours that the page writes with dots, in `code` or behind `python -m`; perhaps a name in one."""
    text = page.read_text()
    spans = re.findall(r"`([a-z_.]+)`", text) + re.findall(r"python3? -m ([a-z_.]+)", text)
    return {span for span in spans if span.split(".")[0] in ROOMS and "." in span}


def is_room(path: str) -> bool:
    return (ROOT / path / "__init__.py").exists() and path.split("/")[0] not in {"tests", "bench"}


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def test_a_path_that_the_design_draws_exists():
    assert not [path for path in tree() if not (ROOT / path).exists() and path not in COMING]


def test_a_path_that_a_page_names_exists():
    gone = [
        f"{short(page)}: {name}"
        for page in PAGES
        for name in [
            *(path for path in named(page) if not (ROOT / path).exists() and path not in COMING),
            *(name for name in modules(page) if not is_module(name) and not is_module(name.rpartition(".")[0])),
        ]
    ]
    assert not gone, "\n".join(gone)


def test_a_module_that_a_room_names_in_its_readme_is_there():
    pages = [page for page in PAGES if page.name == "README.md" and short(page).split("/")[0] in ROOMS]
    assert len(pages) > 10
    above = {page: [folder for folder in page.parents if folder.is_relative_to(ROOT)] for page in pages}
    gone = [
        f"{short(page)}: {name}"
        for page in pages
        for name in beside(page)
        if not any((folder / name).exists() for folder in above[page])
    ]
    assert not gone, "\n".join(gone)


def test_the_design_names_every_room_and_what_is_in_it():
    inside = [
        f"{room}/{path.parent.name}"
        for room in ROOMS
        for path in (ROOT / room).glob("*/__init__.py")
        if path.parent.name not in {"management", "migrations"}
    ]
    assert not {*ROOMS, *inside} - set(tree())


def test_the_search_finds_paths():
    assert {"annotation", "comparison/statistics", "training/shared"} <= set(tree())
    assert {"comparison/figures/registry.py", "annotation/setting.py"} <= named()


def test_a_room_says_what_lives_there():
    silent = [room for room in tree() if is_room(room) and not explains(room) and room not in SILENT]
    assert not silent, f"Say in their __init__.py what lives there, and how to add one: {silent}"


def explains(room: str) -> bool:
    said = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text())) or ""
    return len(said.splitlines()) >= LINES_THAT_EXPLAIN


def test_versions_on_the_page_are_the_pinned_ones():
    required = pins("requirements.txt") | pins("requirements-dev.txt")
    carried = dict(model.requirement.split("==") for model in PACKAGED)
    text = DESIGN.read_text() + DEPENDENCIES.read_text()
    stated = dict(re.findall(r"`([a-z0-9-]+)==([0-9a-z.]+)`", text))
    assert stated
    assert stated == {name: (required | carried).get(name) for name in stated}


def test_packages_with_data_are_required():
    [row] = re.findall(r"^\| word data \|([^|]*)\|", DEPENDENCIES.read_text(), re.MULTILINE)
    assert set(re.findall(r"`([^`]+)`", row)) <= set(pins("requirements.txt"))
