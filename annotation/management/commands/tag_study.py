"""manage.py tag_study STUDY TAG…: the words that the list of studies is narrowed by."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.lifecycle.status import TagsRefused, tag
from annotation.management.arguments import named


class Command(BaseCommand):
    help = (
        "Replace a study's tags; without tags, remove them. Tags are stored on this server only, not in the study's "
        "folder."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("tags", metavar="TAG", nargs="*", help="one or more words, such as pilot, without commas")

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"])
        try:
            tags = tag(study, options["tags"])
        except TagsRefused as refused:
            raise CommandError(str(refused), returncode=2) from None
        self.stdout.write(f"{study.slug}: {', '.join(tags) or 'no tags'}")
