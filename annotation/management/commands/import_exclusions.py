"""manage.py import_exclusions STUDY FILE: ids of people who may not begin in a study."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.arrival.repeats import IdsFileError, bar
from annotation.management.arguments import named
from corpus.source_text import source_bytes


class Command(BaseCommand):
    help = (
        "Add platform IDs to a study's block list: one ID per line, or a CSV file with a column of IDs. Only keyed "
        "hashes are stored. If any line has a problem, nothing is imported and every problem is listed by line."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("file", type=Path, metavar="FILE", help="file with the IDs")

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"], returncode=1)
        try:
            done = bar(study, source_bytes(options["file"], refused=IdsFileError), options["file"])
        except IdsFileError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{study.slug}: {done}")
