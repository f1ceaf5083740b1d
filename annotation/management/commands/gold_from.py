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
        "Make gold items of what all annotators of a pilot gave one label. With --into they are added to a study that "
        "has not opened, behind its items, each once; without it they are written as lines of an item file. Exit "
        "codes: 0, 1 if there is none or the study does not take them, 2 if the arguments do not fit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pilot", metavar="PILOT", help="the slug of a study that people have labeled")
        parser.add_argument("--into", default="", metavar="STUDY", help="the slug of a draft of the same task")
        parser.add_argument(
            "--least", type=whole(2), default=LEAST, metavar="N", help=f"labels that an item must have ({LEAST})"
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
