"""manage.py backup FILE: everything that cannot be made again, in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from work.backup import CannotKeep, write


class Command(BaseCommand):
    help = (
        "Write the database, the secret key, models and uploads into one file with checksums, readable by its owner "
        "alone. People can go on answering. Keep it safe: it holds everything, the secret key too."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the file, which must not exist: backup.tar")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            counts = write(options["file"].absolute())
        except CannotKeep as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{options['file']}: {counts['rows']:,} rows and {counts['files']:,} files.")
