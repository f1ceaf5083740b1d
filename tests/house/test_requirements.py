"""Every requirement is pinned, and docs/dependencies.md says why it is there."""

import re

import pytest

from tests.house.pins import PIN, pins, requirement_lines
from tests.house.sources import ROOT


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt", "constraints.txt"])
def test_every_line_names_one_version(file):
    loose = [line for line in requirement_lines(file) if not PIN.fullmatch(line)]
    assert not loose, f"{file}: {loose}"


@pytest.mark.parametrize("name", sorted(pins("requirements.txt") | pins("requirements-dev.txt")))
def test_every_requirement_is_explained(name):
    explained = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs/dependencies.md").read_text(), re.MULTILINE)
    assert name in {line.lower() for line in explained}, f"Say in docs/dependencies.md what {name} is there for."


def test_nothing_is_explained_that_is_gone():
    explained = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs/dependencies.md").read_text(), re.MULTILINE)
    gone = {line.lower() for line in explained} - set(pins("requirements.txt")) - set(pins("requirements-dev.txt"))
    assert not gone


def test_constraints_agree_with_the_requirements():
    required, constrained = pins("requirements.txt") | pins("requirements-dev.txt"), pins("constraints.txt")
    differ = [name for name in required if name in constrained and required[name] != constrained[name]]
    assert not differ, f"Run `make constraints`: {differ}"
