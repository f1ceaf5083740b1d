"""Whose a study is that a command makes: the option that all such commands have."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from accounts.models import User
from annotation.access.joining import MembershipRefused, find_user
from annotation.access.visible import owners_of
from annotation.models import Study


def add_owner(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--owner",
        default="",
        metavar="USERNAME",
        help="whose the study is, if it is new; without it, superusers alone see it until manage.py member",
    )


def owner_of(options: Mapping[str, Any]) -> User | None:
    """Before any work: CommandError for an account that is not there."""
    try:
        return find_user(options["owner"]) if options["owner"] else None
    except MembershipRefused as refused:
        raise CommandError(str(refused), returncode=2) from None


def not_owned(study: Study, owner: User | None) -> str:
    """What is said of a study that was there before and is not theirs; empty otherwise."""
    if owner is None or owner.get_username() in owners_of(study):
        return ""
    name = owner.get_username()
    by = f"manage.py member {study.slug} {name} owner"
    return f"Warning: {study.slug} was there before, and {name} is no owner of it: {by}"
