"""Commands that are given a user keep to what that user may do, or make them the owner of what is new."""

from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator

from django.core.management import get_commands, load_command_class

from tests.house.sources import ROOMS

# How options are called that take a user's name.
NAMES = {"account", "asked_by", "by", "editor", "imported_by", "member", "owner", "researcher", "user", "username"}
# What is done with the name: tests/annotation/access/test_joining.py tries the owners' and `member`,
# tests/annotation/adjudicating/test_deciding.py the one who decides, tests/api/test_walk.py what a token may.
GIVEN = {
    ("load_study", "owner"): "owns the study, if it is new",
    ("build_study", "owner"): "owns the study, if it is new",
    ("import_study", "owner"): "owns the study, if it is new",
    ("study_from", "owner"): "owns the study, if it is new",
    ("member", "user"): "is given the role",
    ("api_token", "user"): "gets a token that does what they may",
    ("adjudicate", "by"): "must have the right to edit",
    ("import_scores", "by"): "is no user: by what lines are told apart",
}


def options(parser: ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield action.dest
        if isinstance(action, _SubParsersAction):
            for below in action.choices.values():
                yield from options(below)


def test_it_is_known_what_each_command_does_with_a_user():
    commands = {name: load_command_class(app, name) for name, app in get_commands().items() if app in ROOMS}
    found = {
        (name, option)
        for name, command in commands.items()
        for option in options(command.create_parser("manage.py", name))
        if option in NAMES
    }
    assert found == set(GIVEN)
