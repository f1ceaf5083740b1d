"""manage.py tag_study STUDY TAG…: the words that the list of studies is narrowed by."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.lifecycle.status import TagsRefused, tag
from annotation.management.arguments import named


class Command(BaseCommand):
    help = (
        "Give a study these tags in the place of those it has; without any it has none. They are this installation's: "
        "the study's folder does not have them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("tags", metavar="TAG", nargs="*", help="a word or a few, such as pilot; no comma in it")

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"])
        try:
            tags = tag(study, options["tags"])
        except TagsRefused as refused:
            raise CommandError(str(refused), returncode=2) from None
        self.stdout.write(f"{study.slug}: {', '.join(tags) or 'no tags'}")
