"""manage.py plan STUDY --items N… --labels K…: what a study of N items with K labels each would show."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError

from annotation.management.arguments import named
from comparison.figures.people.plan_ground import PlannedRatings, planned_ratings, read_own_ground
from comparison.figures.people.planning import NEXT, STOPPING, labels_an_item, read_plans
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.management.asking import ExplainedCommand
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.planning.plan import STUDIES, Design, Planned
from corpus.arguments import whole

HELP = """How many more items and labels? Simulates studies of N items with K labels each by resampling this one: its
labeled items (groups whole), and K labels of each, with the label frequencies of that item. For each design it prints

  the accuracy of the first run, with the 95 % interval that such a study would have;
  Krippendorff's α, likewise;
  the power to separate the top two runs (McNemar, p < .05), and to separate the first from chance;

then whether collection can stop now, by anytime-valid tests, and the items whose next label narrows the interval
between models and people the most.

Of a study measured by ρ it prints for each design the power to separate the top two models and to show that ρ of the
first is above 0, computed from the reliability of one rating. For quadratic κ and distance there is no plan.

  manage.py plan adept-validation --items 500 1000 2000 --labels 3 5
  manage.py plan adept-validation --items 2000 --labels 5 --studies 2000

A plan is only as good as its labels: a few dozen items are themselves an uncertain basis, and simulating more studies
does not change that. Some items must have at least two labels; otherwise nothing shows how much people differ.

Exit codes: 0; 1 if there is nothing to plan from; 2 wrong arguments."""

MOST_ITEMS, MOST_LABELS = 1_000_000, 100
HEADS_OF_RATINGS = ("items", "labels", "in all", "power: two models", "power: above 0")
HEADS = ("items", "labels", "in all", "accuracy", "alpha", "power: two runs", "power: above chance")


class Command(ExplainedCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="a study's slug")
        parser.add_argument(
            "--items", nargs="+", type=whole(1, MOST_ITEMS), metavar="N", help="items; default: the number with labels"
        )
        parser.add_argument(
            "--labels", nargs="+", type=whole(1, MOST_LABELS), metavar="K", help="labels per item; default: the study's"
        )
        parser.add_argument(
            "--studies",
            type=whole(1, 100_000),
            default=STUDIES,
            help=f"simulated studies per design ({STUDIES})",
        )

    def handle(self, *args: Any, study: str, studies: int, **options: Any) -> None:
        loaded = named(study)
        chosen = select(loaded, Selection())
        ground = read_own_ground(chosen)
        if not ground.labeled:
            raise CommandError(f"There is nothing to plan from: {ground.undefined}.")
        sizes = options["items"] or [ground.labeled]
        designs = [Design(items, labels) for labels in options["labels"] or [labels_an_item(chosen)] for items in sizes]
        self.stdout.write(f"First: {ground.first or 'no run'}; second: {ground.second or 'no run'}\n")
        if loaded.is_averaged:
            ratings = (planned_ratings(ground, design) for design in designs)
            self._write_table([HEADS_OF_RATINGS, *map(_row_of_ratings, ratings)])
            return
        self._write_table([HEADS, *map(_row, read_plans(chosen, designs, studies=studies))])
        self.stdout.write(f"\nCan we stop collecting? {STOPPING.read(chosen).words}")
        waiting = NEXT.read(chosen)
        names = ", ".join(f"{one.item} ({one.labels})" for one in waiting) or "none: every item has all its labels"
        self.stdout.write(f"Label next (labels so far): {names}")

    def _write_table(self, rows: Sequence[tuple[str, ...]]) -> None:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            self.stdout.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _row_of_ratings(one: PlannedRatings) -> tuple[str, ...]:
    return (*_size(one.design), _power(one.apart), _power(one.above_zero))


def _size(design: Design) -> tuple[str, ...]:
    return f"{design.items:,}", f"{design.labels:,}", f"{design.total:,}"


def _row(one: Planned) -> tuple[str, ...]:
    return (*_size(one.design), one.accuracy.short, one.alpha.short, _power(one.apart), _power(one.above_chance))


def _power(estimate: Estimate) -> str:
    return estimate.short if estimate.value is None else plain(estimate.value, decimals=2)
