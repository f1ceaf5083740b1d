"""manage.py two_studies A B: two studies of the same items, item against item."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.audit.acts import taken_out
from annotation.management.arguments import named
from comparison.exports.cells import lines as csv_lines
from comparison.exports.cells import write_out
from comparison.management.asking import say_unfinished
from researcher.library.same_items import common, compute_figures, figure_lines, lines, same_labels
from researcher.library.two_studies import compute_together


class Command(BaseCommand):
    help = (
        "Compare two studies of the same items, such as with and without context: accuracy of people and of each "
        "model that ran in both, the difference, and how often their two answers match, with n and intervals, as "
        "CSV. With --items, list every item with both answers instead. Exit codes: 0 done, 1 the file cannot be "
        "written, 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("one", help="slug of the first study; differences are first minus second")
        parser.add_argument("other", help="slug of the second study")
        parser.add_argument("--items", action="store_true", help="one line per item, with all answers in both studies")
        parser.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: standard output)")

    def handle(self, *args: Any, one: str, other: str, out: Path | None, **options: Any) -> None:
        both = named(one), named(other)
        if both[0] == both[1] or not common(both).exists():
            raise CommandError("Choose two different studies that share item IDs.", returncode=2)
        if not (options["items"] or same_labels(both)):
            raise CommandError("The studies have different labels. Use --items to write both.", returncode=2)
        say_unfinished(both, self.stderr)
        if same_labels(both) and not options["items"]:
            # For the page, which computes it of small studies alone.
            compute_together(both)
        written = lines(both) if options["items"] else figure_lines(both, compute_figures(both))
        write_out(csv_lines(written), out=out, stdout=self.stdout)
        for study in both:
            taken_out(study, f"beside another study: {'items' if options['items'] else 'figures'}.csv")
        if out is not None:
            self.stderr.write(f"Wrote {out}.")
