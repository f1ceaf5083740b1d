"""manage.py member STUDY USER ROLE: who may do what in a study."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.access.matrix import Role, as_markdown
from annotation.access.members import MembershipRefused, find_member, find_user, give, read_role, take
from annotation.access.visible import members_of
from annotation.management.arguments import named


class Command(BaseCommand):
    help = (
        "Give USER a role in STUDY, or remove them with --remove. The sole owner cannot be removed. With STUDY "
        "alone, list its members; with --rights, print what each role may do."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", nargs="?", default="", help="the slug of the study")
        parser.add_argument("user", nargs="?", default="", help="user name of an account")
        parser.add_argument("role", nargs="?", default="", help=f"one of {', '.join(Role)}")
        parser.add_argument("--remove", action="store_true", help="remove USER from the study")
        parser.add_argument("--rights", action="store_true", help="print rights by role as a Markdown table")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rights"]:
            self.stdout.write(as_markdown())
            return
        study = named(options["study"])
        name, role = options["user"], options["role"]
        if not name:
            for one in members_of(study):
                self.stdout.write(f"{one.user.get_username()}: {one.role}")
            return
        if bool(role) == options["remove"]:
            raise CommandError("Give either a role or --remove.", returncode=2)
        try:
            if options["remove"]:
                take(study, find_member(study, name))
            else:
                give(study, find_user(name), read_role(role))
        except MembershipRefused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(f"{study.slug}: {name} {f'is {role}' if role else 'no longer has a role'}")
