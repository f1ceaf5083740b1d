"""manage.py load_study DIR: put a study folder into the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.balancing import square
from annotation.elsewhere.label_import import ImportRefused
from annotation.elsewhere.labelfile import LabelFileError
from annotation.itemfile import ItemFileError
from annotation.lifecycle.folder import study_hash
from annotation.loading import LoadRefused, load_study
from annotation.management.arguments import add_owner, not_owned, owner_of
from annotation.quality.sentences import warnings
from annotation.studyfile import StudyFileError


class Command(BaseCommand):
    help = (
        "Read study.toml and items.jsonl in DIR, check them, and store the study. If anything is wrong, nothing is "
        "stored and every error is listed by line and field. Loading it again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder",
            type=Path,
            metavar="DIR",
            help="folder with study.toml, items.jsonl and optionally labels.csv",
        )
        parser.add_argument(
            "--open", action="store_true", help="also open it to annotators, which locks its exclusion rules"
        )
        add_owner(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_of(options)
        try:
            loaded = load_study(options["folder"], open_study=options["open"], owner=owner)
        except (StudyFileError, ItemFileError, LabelFileError, LoadRefused, ImportRefused) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(str(loaded))
        self.stdout.write(f"sha256 of the study: {study_hash(loaded.study)}")
        if (lists := square(loaded.study)) is not None:
            self.stdout.write(str(lists))
        if said := not_owned(loaded.study, owner):
            self.stdout.write(said)
        for warning in warnings(loaded.study):
            self.stdout.write(f"Warning: {warning}")
