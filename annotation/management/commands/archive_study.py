"""manage.py archive_study STUDY: out of the list of studies, or back into it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.lifecycle.status import CannotArchive, archive, restore
from annotation.management.arguments import named


class Command(BaseCommand):
    help = (
        "Archive a study that is not open. The list of studies then shows it only on request; nothing else changes. "
        "--restore unarchives it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("--restore", action="store_true", help="unarchive the study")

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"])
        if options["restore"]:
            restore(study)
            self.stdout.write(f"{study.slug} unarchived")
            return
        try:
            archive(study)
        except CannotArchive as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(f"{study.slug} archived")
