"""Every page of docs/papers/: its commands are commands with options that fit, and a test runs them."""

import re

import pytest
from django.core.management import CommandError, get_commands, load_command_class

from comparison.statistics.estimate import ESTIMATE
from tests.house.sources import ROOT
from tests.papers.commands import MANAGE, PAPERS, Cut, read_commands, words

PAGES = sorted(path.stem for path in PAPERS.glob("*.md"))


class AnyText(dict[str, str]):
    """A text for every variable: options are read here, not files."""

    def __missing__(self, name: str) -> str:
        return "1"


@pytest.mark.parametrize("name", PAGES)
def test_a_test_runs_the_commands_of_the_page(name):
    test = ROOT / "tests" / "papers" / f"test_{name.replace('-', '_')}.py"
    assert f'run_page("{name}"' in test.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_its_commands_take_the_options_that_they_are_given(name):
    commands = read_commands(name)
    assert commands
    for command in commands:
        what, *options = words(command, AnyText())
        assert what in get_commands(), command
        parser = load_command_class(get_commands()[what], what).create_parser(MANAGE, what)
        try:
            parser.parse_args(options)
        except (CommandError, SystemExit) as error:
            pytest.fail(f"{command}\n{error}")


def test_a_cut_keeps_the_head_and_takes_groups():
    lines = list("habcdef")
    assert Cut(head=1, together=2, step=2).of(lines) == list("habef")
    assert Cut(count=2).of(lines) == ["h", "a"]
    assert Cut(start=5).of(lines) == ["e", "f"]


@pytest.mark.parametrize("name", ["agreement", "event-knowledge", "intensifiers"])
def test_one_cell_holds_one_estimate(name):
    """What is of singular and of plural, or of two models, stands in columns or lines of its own."""
    lines = [line for line in (PAPERS / f"{name}.md").read_text().splitlines() if line.startswith("|")]
    assert any(ESTIMATE.search(line) for line in lines)
    assert [cell for line in lines for cell in line.split("|") if re.search(r"[\d\]]; *[−.\d]", cell)] == []
