"""Every command of ours says what it does and what its arguments mean."""

import pytest
from django.core.management import get_commands, load_command_class

from tests.house.sources import ROOMS

OURS = sorted((app, name) for name, app in get_commands().items() if app in ROOMS)
# Arguments that every Django command has.
STANDARD = {
    "help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"
}  # fmt: skip


def test_there_are_commands():
    assert ("annotation", "load_study") in OURS
    assert {("researcher", "import_study"), ("researcher", "build_study")} < set(OURS)


@pytest.mark.parametrize(("app", "name"), OURS)
def test_a_command_explains_itself(app, name):
    command = load_command_class(app, name)
    assert command.help, f"{name} has no help text."
    parser = command.create_parser("manage.py", name)
    silent = [action.dest for action in parser._actions if not action.help and action.dest not in STANDARD]
    assert not silent, f"{name}: say what these arguments mean: {silent}"
