"""Every requirement is pinned, and docs/dependencies.md says why it is there."""

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.house.pins import PIN, pins, requirement_lines
from tests.house.sources import ROOMS, ROOT, parsed, python_files, short


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt", "constraints.txt"])
def test_every_line_names_one_version(file):
    loose = [line for line in requirement_lines(file) if not PIN.fullmatch(line)]
    assert not loose, f"{file}: {loose}"


def test_every_requirement_is_explained_and_nothing_is_that_is_gone():
    """In docs/dependencies.md, which says what each is there for."""
    explained = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs/dependencies.md").read_text(), re.MULTILINE)
    required = set(pins("requirements.txt") | pins("requirements-dev.txt"))
    assert {line.lower() for line in explained} ^ required == set()


def test_constraints_agree_with_the_requirements():
    required, constrained = pins("requirements.txt") | pins("requirements-dev.txt"), pins("constraints.txt")
    differ = [name for name in required if name in constrained and required[name] != constrained[name]]
    assert not differ, f"Run `make constraints`: {differ}"


def imported(path: Path) -> set[str]:
    """The packages that a file imports, wherever in it; of its own room's, none."""
    found: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.slow
def test_what_users_run_imports_nothing_that_is_not_required():
    """`make run` installs requirements.txt alone, and what another package asks for today may be gone tomorrow."""
    required, distributions = set(pins("requirements.txt")), packages_distributions()
    # Only type checkers see the last.
    others = {*ROOMS, *sys.stdlib_module_names, "_typeshed"}
    strays = [
        f"{short(path)}: {module}"
        for path in python_files(rooms=ROOMS)
        for module in sorted(imported(path) - others)
        if required.isdisjoint(name.lower().replace("_", "-") for name in distributions.get(module, ()))
    ]
    assert not strays, "\n".join(strays)
