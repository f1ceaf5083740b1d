"""What commands are told by name: the study, who does it where that is kept with it, and whose a new study is."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from annotation.access.matrix import RIGHTS, Right, Role
from annotation.access.members import MembershipRefused, find_user
from annotation.access.visible import owners_of, rights_in
from annotation.models import Study


class TellingCommand(BaseCommand):
    """A command that takes long: what it says is read at once, through a pipe too."""

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def add_owner(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--owner",
        default="",
        metavar="USERNAME",
        help="owner of a new study; without an owner, only superusers see it until you run manage.py member",
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
    return f"Warning: {study.slug} already existed and {name} is not an owner: {by}"


def named(slug: str, *, returncode: int = 2) -> Study:
    """CommandError with the names that there are, where this is none."""
    study = Study.objects.filter(slug=slug).first() if slug.isprintable() else None
    if study is None:
        known = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no study {slug!r}. Available: {known}.", returncode=returncode)
    return study


def acting(name: str, study: Study, right: Right) -> User:
    """CommandError for an account that is not there, or that a page would not let do this."""
    try:
        user = find_user(name)
    except MembershipRefused as refused:
        raise CommandError(str(refused), returncode=2) from None
    if right not in rights_in(study, user):
        roles = " or ".join(role for role in Role if role in RIGHTS[right].roles)
        raise CommandError(
            f"{name} may not {RIGHTS[right].words} in {study.slug}. An owner can make them {roles}: manage.py "
            f"member {study.slug} {name} ROLE",
            returncode=2,
        )
    return user
