"""manage.py forget_ids SLUG: erase the platform's ids of those whose payment is decided."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.arguments import named
from annotation.privacy import forget_decided, forget_due, kept_ids


class Command(BaseCommand):
    help = (
        "Erase the platform's ids of everybody in a study whose sittings are approved or rejected; labels stay, and "
        "who comes again is still recognized. With --due instead what the studies keep for a number of days only."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="the study; not with --due")
        parser.add_argument(
            "--due",
            action="store_true",
            help="of all studies, what their forget_after_days says; the worker does it too",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["due"] == bool(options["slug"]):
            raise CommandError("Name a study, or say --due.")
        if options["due"]:
            self.stdout.write(f"{forget_due()} ids erased.")
            return
        study = named(options["slug"], returncode=1)
        self.stdout.write(f"{forget_decided(study)} ids erased; {kept_ids(study)} stay until payment is decided.")
