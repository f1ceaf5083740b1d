"""manage.py figure STUDY CHART --out FILE: a chart of the results as SVG, PDF or PNG."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.arguments import named
from comparison.bundle.figures import KINDS, draw
from comparison.bundle.words.facts import mark
from comparison.figures.registry import checks
from comparison.frame.filters.address import SelectionError
from comparison.frame.selected import Selected, select
from comparison.management.asking import add_asking, say_unfinished, selection_from_options
from comparison.page.page import Page
from comparison.pictures.vega_lite import Spec

# The parts of the results that have charts; those that take longest come last.
PARTS = ("overview", "breakdown", "models")


class Command(BaseCommand):
    help = (
        "Draw a chart of a study's results to a file: accuracy, breakdown, shares, number, heatmap, ranks, strength, "
        "confusion and others, each as on its page. SVG, PDF or PNG, by the file's ending. Exit codes: 0; "
        "1 if it cannot be written; 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="The study's slug.")
        parser.add_argument("chart", help="Which chart. An unknown name lists the charts there are.")
        add_asking(parser)
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="FILE.svg, FILE.pdf or FILE.png")

    def handle(self, *args: Any, study: str, chart: str, out: Path, **options: Any) -> None:
        kind = out.suffix.lower().removeprefix(".")
        if kind not in KINDS:
            raise CommandError(f"{out.name} must end in one of: {', '.join(KINDS)}.", returncode=2)
        loaded = named(study)
        selection = selection_from_options(loaded, options)
        say_unfinished([loaded], self.stderr)
        try:
            spec = _chart(select(loaded, selection), chart)
        except SelectionError as error:
            raise CommandError(str(error), returncode=2) from None
        try:
            out.write_bytes(draw(spec, kind, note=mark(loaded)))
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.") from None
        self.stderr.write(f"Wrote {out}.")


def _chart(chosen: Selected, name: str) -> Spec:
    """Part by part, so that nothing is computed behind the one that has it."""
    names: list[str] = []
    for part in (*PARTS, *(figure.key for figure in checks())):
        charts = Page(chosen, part).charts
        if name in charts:
            return charts[name].spec
        names += charts
    raise CommandError(
        f"There is no chart {name!r} for these results. Charts: {', '.join(names) or 'none'}.", returncode=2
    )
