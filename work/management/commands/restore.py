"""manage.py restore FILE: what `backup` has written, into an empty place."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from work.backup import CannotKeep, restore


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty place: a new database, on which migrate has run, and a PARALLAX_VAR without "
        "files. SQLite and PostgreSQL both take it, whichever it was made from. Every checksum is checked first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a file that backup wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            counts = restore(options["file"].absolute())
        except CannotKeep as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{counts['rows']:,} rows and {counts['files']:,} files restored.")
        if (settings.VAR_DIR / "secret_key").read_text().strip() != settings.SECRET_KEY:
            self.stdout.write(
                f"Set SECRET_KEY to the key in {settings.VAR_DIR / 'secret_key'} before you start Parallax: without it "
                "no one who took part is recognized."
            )
