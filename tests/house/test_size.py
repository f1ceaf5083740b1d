"""What is small and used by its neighbor alone is part of that neighbor, and a folder has enough in it to be one."""

import ast
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from tests.house.sources import ROOMS, ROOT, parsed, python_files, short

LINES_OF_A_MODULE = 80
IN_A_FOLDER = 3
# Where Django looks for modules by the name of their folder or of their file.
DJANGOS_FOLDERS = {"management", "commands", "templatetags", "sqlite"}
DJANGOS_FILES = {"admin.py", "apps.py", "models.py", "tasks.py", "urls.py", "views.py"}
# Holds values alone: what computes one stands beside it.
VALUES = "settings.py"


@cache
def importers() -> dict[str, set[Path]]:
    """Of every module of the house, the files that import it or a name of it."""
    files = python_files(rooms=(*ROOMS, "bench"))
    there = {short(path).removesuffix(".py").replace("/", ".").removesuffix(".__init__") for path in files}
    found: dict[str, set[Path]] = defaultdict(set)
    for path in [*files, ROOT / "manage.py"]:
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                found[inner if inner in there else node.module].add(path)
    return found


def part_of_another() -> list[str]:
    """Modules under 80 lines with one importer, which is in their folder."""
    users = importers()
    offenders = []
    for path in python_files(rooms=ROOMS):
        if path.name in DJANGOS_FILES | {"__init__.py"}:
            continue
        if len(path.read_text().splitlines()) >= LINES_OF_A_MODULE:
            continue
        match list(users[short(path).removesuffix(".py").replace("/", ".")]):
            case [one] if one.parent == path.parent and one.name not in {"__init__.py", VALUES}:
                offenders.append(short(path))
    return offenders


def too_few() -> list[str]:
    """Folders with fewer than three modules and folders in them."""
    modules: Counter[Path] = Counter()
    for path in python_files(rooms=ROOMS):
        modules[path.parent] += path.name != "__init__.py"
    inside = Counter(folder.parent for folder in modules) + modules
    return [short(folder) for folder in modules if folder.name not in DJANGOS_FOLDERS and inside[folder] < IN_A_FOLDER]


def test_what_is_small_and_used_next_door_alone_is_part_of_it():
    offenders = sorted({*part_of_another(), *too_few()})
    assert not offenders, "Put each into its one importer, or dissolve the folder:\n" + "\n".join(offenders)


def test_the_search_knows_who_imports_what():
    users = importers()
    assert ROOT / "training/classifier/working.py" in users["training.classifier.loop"]
    assert len(users["annotation.itemfile"]) > 10
