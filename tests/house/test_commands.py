"""Every command of ours says what it does and what its arguments mean."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from manage import asks_for_help
from tests import forked
from tests.house.sources import ROOMS

OURS = sorted((app, name) for name, app in get_commands().items() if app in ROOMS)
# Arguments that every Django command has.
STANDARD = {
    "help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"
}  # fmt: skip


def test_there_are_commands():
    assert ("annotation", "load_study") in OURS
    assert {("researcher", "import_study"), ("researcher", "build_study")} < set(OURS)


@pytest.mark.slow
def test_a_command_explains_itself_and_its_arguments():
    assert [f"{name}: {silent}" for app, name in OURS for silent in unexplained(app, name)] == []


def unexplained(app, name):
    command = load_command_class(app, name)
    arguments = command.create_parser("manage.py", name)._actions
    silent = [action.dest for action in arguments if not action.help and action.dest not in STANDARD]
    return silent if command.help else ["the command", *silent]


def told_without_a_key(tmp_path, *arguments):
    """manage.py as on a clean clone: nothing in the environment, and no `make run` has written a key."""
    env = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    env["PARALLAX_VAR"] = str(tmp_path)
    return forked.run("manage.py", *arguments, env=env)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), ("load_study", "--help")])
def test_help_needs_no_secret_key(tmp_path, arguments):
    told = told_without_a_key(tmp_path, *arguments)
    assert (told.returncode, told.stderr) == (0, "")
    assert "load_study" in told.stdout or "usage: manage.py" in told.stdout


@pytest.mark.slow
def test_a_reader_who_leaves_ends_a_command_quietly():
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    written = [sys.executable, "manage.py", "member", "--rights"]
    with subprocess.Popen(
        written, env=env, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as told:
        assert told.stdout is not None
        assert told.stderr is not None
        told.stdout.close()
        said = told.stderr.read()
    assert (told.returncode, said) == (141, b"")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("check",), ("migrate",), ("load_study", "help"), ("--version",)])
def test_all_else_stops_without_one(tmp_path, arguments):
    told = told_without_a_key(tmp_path, *arguments)
    assert told.returncode == 1
    assert told.stderr.startswith("Set the environment variable SECRET_KEY, or run `make run` once")


@pytest.mark.parametrize(
    ("arguments", "asks"),
    [
        ([], True),
        (["help"], True),
        (["help", "score"], True),
        (["score", "--help"], True),
        (["score", "small", "-h"], True),
        (["score", "help"], False),
        (["load_study", "--", "--help"], False),
        (["runserver"], False),
    ],
)
def test_only_help_is_help(arguments, asks):
    assert asks_for_help(arguments) is asks
