"""manage.py delete_study STUDY: delete a study with all that belongs to it, for good."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.lifecycle.deleting import CannotDelete
from annotation.management.arguments import named
from researcher.deleting import all_lost, begin, delete


class Command(BaseCommand):
    help = (
        "Delete a study that is not open, with its items, labels, submissions, runs and scores. Without "
        "--yes-delete, only say what would be lost."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("--yes-delete", default="", metavar="SLUG", help="the slug again, to confirm")

    def handle(self, *args: Any, **options: Any) -> None:
        study, again = named(options["study"]), options["yes_delete"]
        lost = all_lost(study)
        said = (
            f"{study.slug}: {lost.here.items} items, {lost.here.labels} labels of {lost.here.annotators:,} "
            f"annotators in {lost.here.sittings:,} submissions, {lost.runs:,} runs with {lost.scores} scores"
        )
        if not again:
            self.stdout.write(
                f"{said} will be lost. To delete it: manage.py delete_study {study.slug} --yes-delete {study.slug}"
            )
            return
        if again != study.slug:
            raise CommandError(
                f"--yes-delete names {again!r}, but the study is {study.slug}. Nothing was deleted.", returncode=2
            )
        try:
            gone = begin(study)
        except CannotDelete as refused:
            raise CommandError(str(refused)) from None
        rows = delete(gone)
        self.stdout.write(f"{said} deleted ({rows:,} rows)")
