"""manage.py export STUDY WHAT [--out FILE]: the same files as in the results."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from comparison.exports import EXPORTS, export
from comparison.exports.cells import lines
from comparison.exports.writing import write_out
from comparison.frame.filters.selection import Selection


class Command(BaseCommand):
    help = (
        "Write one of a study's exports as CSV, to a file or to standard output. Exit codes: 0; 1 if it cannot be "
        "written; 2 if the arguments do not fit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="The study's slug.")
        parser.add_argument("what", choices=sorted(EXPORTS), help="What to write.")
        parser.add_argument("--out", type=Path, help="The file to write; without it, standard output.")

    def handle(self, *args: Any, study: str, what: str, out: Path | None, **options: Any) -> None:
        try:
            found = Study.objects.get(slug=study)
        except Study.DoesNotExist:
            known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no study {study!r}. There are: {known}.", returncode=2) from None
        write_out(lines(export(what)(found, Selection())), out=out, stdout=self.stdout)
        if out is not None:
            self.stderr.write(f"Wrote {out}.")
