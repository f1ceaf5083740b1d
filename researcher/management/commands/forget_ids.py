"""manage.py forget_ids SLUG: erase the platform's ids of those whose payment is decided."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.arguments import named
from annotation.privacy import count_platform_ids, forget_decided, forget_due


class Command(BaseCommand):
    help = (
        "Erase the platform IDs of everyone in a study whose submissions are approved or rejected. Labels are kept, "
        "and people who return are still recognized. With --due: all IDs that are due in any study."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="the study; not with --due")
        parser.add_argument(
            "--due",
            action="store_true",
            help="in all studies, the IDs older than forget_after_days; the worker does this too",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["due"] == bool(options["slug"]):
            raise CommandError("Name a study or use --due.")
        if options["due"]:
            self.stdout.write(f"{forget_due()} IDs erased.")
            return
        study = named(options["slug"], returncode=1)
        self.stdout.write(
            f"{forget_decided(study)} IDs erased; {count_platform_ids(study)} are kept until payment is decided."
        )
