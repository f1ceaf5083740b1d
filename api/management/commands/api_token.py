"""manage.py api_token USER: a token of the API made on the command line, listed or withdrawn."""

from argparse import ArgumentParser
from datetime import UTC, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.dateparse import parse_date

from accounts.models import User
from annotation.access.members import MembershipRefused, find_user
from api.models import TokenRefused, make_token
from api.scopes import Scope


class Command(BaseCommand):
    help = (
        "Create an API token that acts as this user within its scopes, and print it once; only a hash is stored. "
        "Without --name, list the user's tokens."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", metavar="USER", help="user name of the token's owner")
        parser.add_argument("--name", default="", metavar="TEXT", help="what the new token is for")
        parser.add_argument(
            "--scope",
            action="append",
            default=[],
            choices=[scope.value for scope in Scope],
            help="what it may do; repeatable (default: read)",
        )
        parser.add_argument(
            "--until", default="", metavar="DATE", help="last day it is valid, such as 2027-03-31 (UTC)"
        )
        parser.add_argument("--withdraw", default="", metavar="PREFIX", help="revoke the token that starts with this")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = find_user(options["user"])
        except MembershipRefused as refused:
            raise CommandError(str(refused), returncode=2) from None
        if options["withdraw"]:
            self._withdraw(user, options["withdraw"])
        elif options["name"]:
            self._make(user, options)
        else:
            for token in user.api_tokens.all():
                state = "valid" if token.is_in_force else "no longer valid"
                self.stdout.write(f"{token.prefix}  {', '.join(token.scopes)}  {state}  {token.name}")

    def _make(self, user: User, options: dict[str, Any]) -> None:
        try:
            made = make_token(
                user,
                name=options["name"],
                scopes=options["scope"] or [Scope.READ.value],
                expires_at=_end_of(options["until"]),
            )
        except TokenRefused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(made.secret)

    def _withdraw(self, user: User, prefix: str) -> None:
        found = [token for token in user.api_tokens.all() if token.is_in_force and token.prefix == prefix]
        if not found:
            raise CommandError(f"{user.get_username()} has no valid token that starts with {prefix!r}.")
        for token in found:
            token.withdraw()
            self.stdout.write(f"{token} revoked.")


def _end_of(day: str) -> datetime | None:
    try:
        found = parse_date(day) if day else None
    except ValueError:
        found = None
    if day and found is None:
        raise CommandError(f"--until must be a date such as 2027-03-31, not {day!r}.")
    return None if found is None else datetime.combine(found, time.max, UTC)
