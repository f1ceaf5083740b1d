"""manage.py export STUDY WHAT [--out FILE]: the same files as on the comparison page."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from comparison.exports import EXPORTS, export
from comparison.exports.cells import lines
from comparison.selection import Selection


class Command(BaseCommand):
    help = "Write one of a study's exports as CSV, to a file or to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="The study's slug.")
        parser.add_argument("what", choices=sorted(EXPORTS), help="What to write.")
        parser.add_argument("--out", type=Path, help="The file to write; without it, standard output.")

    def handle(self, *args: Any, study: str, what: str, out: Path | None, **options: Any) -> None:
        try:
            found = Study.objects.get(slug=study)
        except Study.DoesNotExist:
            known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no study {study!r}. There are: {known}.") from None
        written = lines(export(what)(found, Selection()))
        if out is None:
            sys.stdout.writelines(written)
            return
        try:
            # newline="": the lines bring their own ends, as CSV wants them.
            with out.open("w", encoding="utf-8", newline="") as file:
                file.writelines(written)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.") from None
        self.stderr.write(f"Wrote {out}.")
