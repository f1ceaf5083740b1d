"""manage.py export STUDY WHAT [--query TEXT] [--run MODEL] [--out FILE]: the same files as in the results."""

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.audit.acts import taken_out
from annotation.management.arguments import named
from annotation.models import Study
from comparison.exports.cells import lines, write_out
from comparison.exports.registry import FILES, export
from comparison.figures.file import Row, Written
from comparison.frame.filters.address import SelectionError
from comparison.frame.filters.selection import Selection
from comparison.management.asking import add_asking, say_unfinished, selection_from_options


class Command(BaseCommand):
    help = (
        "Write one of a study's exports as CSV, to a file or to standard output. Exit codes: 0; 1 if it cannot be "
        "written; 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="The study's slug.")
        parser.add_argument("what", choices=sorted(FILES), help="The export to write.")
        add_asking(parser)
        parser.add_argument("--out", type=Path, help="The file to write; without it, standard output.")

    def handle(self, *args: Any, study: str, what: str, out: Path | None, **options: Any) -> None:
        loaded = named(study)
        selection = selection_from_options(loaded, options)
        if not FILES[what].is_of_people:
            say_unfinished([loaded], self.stderr)
        written = lines(_rows(loaded, what, selection))
        write_out(written, out=out, stdout=self.stdout)
        taken_out(loaded, f"{what}.csv")
        if out is not None:
            self.stderr.write(f"Wrote {out}.")


def _rows(study: Study, what: str, selection: Selection) -> Iterator[Row | Written]:
    """With the first line read: what does not fit is refused before anything is written."""
    try:
        rows = export(what)(study, selection)
        header = next(rows)
    except SelectionError as error:
        raise CommandError(str(error), returncode=2) from None
    return chain([header], rows)
