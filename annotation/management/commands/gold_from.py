"""manage.py gold_from PILOT [--into STUDY]: what all annotators of a pilot agreed on, as gold of the next study."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.audit.acts import taken_out
from annotation.drafting.gold import LEAST, NoGold, take_gold, unanimous
from annotation.loading import LoadRefused
from annotation.management.arguments import named
from annotation.studyfile import StudyFileError
from corpus.arguments import whole


class Command(BaseCommand):
    help = (
        "Make gold items from the items that all annotators of a pilot labeled alike. With --into, add them to a "
        "draft study after its own items, each once; without it, print them as lines of an item file. Exit codes: 0 "
        "done, 1 no such items or the study refuses them, 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pilot", metavar="PILOT", help="slug of a study that people have labeled")
        parser.add_argument("--into", default="", metavar="STUDY", help="slug of a draft with the same task")
        parser.add_argument(
            "--least", type=whole(2), default=LEAST, metavar="N", help=f"minimum labels per item ({LEAST})"
        )

    def handle(self, *args: Any, pilot: str, into: str, least: int, **options: Any) -> None:
        source = named(pilot)
        try:
            if into:
                self.stdout.write(f"{into}: {take_gold(named(into), source, least=least)}")
                return
            gold = unanimous(source, least=least)
        except (NoGold, LoadRefused, StudyFileError) as error:
            raise CommandError(str(error)) from None
        for row in gold.rows:
            self.stdout.write(row.as_json())
        taken_out(source, "gold items")
        left = "".join(f"; {count:,} left out: {reason}" for reason, count in gold.left_out.items())
        self.stderr.write(f"{len(gold.rows):,} gold items{left}")
