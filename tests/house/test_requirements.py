"""Every requirement is pinned, and docs/dependencies.md says why it is there."""

import re
from importlib.metadata import packages_distributions

import pytest

from tests.house.pins import PIN, pins, requirement_lines
from tests.house.sources import ROOMS, ROOT, python_files, short

AN_IMPORT = re.compile(r"^\s*(?:from|import) (\w+)", re.MULTILINE)


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


def test_what_users_run_imports_nothing_that_only_developers_install():
    """`make run` installs requirements.txt alone, and every test has the others beside it."""
    developers = set(pins("requirements-dev.txt")) - set(pins("requirements.txt"))
    of_module = {
        module: {name.lower().replace("_", "-") for name in names} for module, names in packages_distributions().items()
    }
    strays = [
        f"{short(path)}: {module}"
        for path in python_files(rooms=ROOMS)
        for module in set(AN_IMPORT.findall(path.read_text()))
        if of_module.get(module, set()) & developers
    ]
    assert not strays, "\n".join(strays)
