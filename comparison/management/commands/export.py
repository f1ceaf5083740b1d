"""manage.py export STUDY WHAT [--query TEXT] [--out FILE]: the same files as in the results."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from comparison.exports import EXPORTS, export
from comparison.exports.cells import lines
from comparison.exports.rows import Row, Written
from comparison.exports.writing import write_out
from comparison.frame.filters.address import SelectionError, not_understood, read_selection


class Command(BaseCommand):
    help = (
        "Write one of a study's exports as CSV, to a file or to standard output. Exit codes: 0; 1 if it cannot be "
        "written; 2 if the arguments do not fit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="The study's slug.")
        parser.add_argument("what", choices=sorted(EXPORTS), help="What to write.")
        parser.add_argument(
            "--assessor",
            action="append",
            default=[],
            metavar="NAME",
            help="an annotator to show as a rater of their own, by the name in the imported file or the number in the "
            "judgments (a12); may be given several times. Without it, all of a study of five at most",
        )
        parser.add_argument(
            "--query",
            default="",
            metavar="TEXT",
            help="Filters and choices as behind the ? of a results page, such as 'by=class&against=reference'.",
        )
        parser.add_argument("--out", type=Path, help="The file to write; without it, standard output.")

    def handle(self, *args: Any, study: str, what: str, query: str, out: Path | None, **options: Any) -> None:
        try:
            found = Study.objects.get(slug=study)
        except Study.DoesNotExist:
            known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no study {study!r}. There are: {known}.", returncode=2) from None
        asked = parse_qs(query.removeprefix("?"), keep_blank_values=True)
        if unknown := not_understood(asked):
            raise CommandError(unknown.replace("the address, and left out", "--query"), returncode=2)
        written = lines(_rows(found, what, asked, tuple(options["assessor"])))
        write_out(written, out=out, stdout=self.stdout)
        if out is not None:
            self.stderr.write(f"Wrote {out}.")


def _rows(
    study: Study, what: str, asked: Mapping[str, Sequence[str]], assessors: tuple[str, ...]
) -> Iterator[Row | Written]:
    """With the first line read: what does not fit is refused before anything is written."""
    try:
        selection = read_selection(asked)
        rows = export(what)(study, replace(selection, assessors=assessors or selection.assessors))
        header = next(rows)
    except SelectionError as error:
        raise CommandError(str(error), returncode=2) from None
    return chain([header], rows)
