"""manage.py import_study DATASET FILE: make a study of a file that others have published."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.itemfile import ItemFileError
from corpus.errors import SourceError
from stimuli.making.command import MakesStudies, positive
from stimuli.making.registry import IMPORTERS, importer
from stimuli.making.study_folder import FolderRefused


class Command(MakesStudies):
    help = (
        "Turn a published data set into a study folder (study.toml, items.jsonl, manifest.json) and load it. "
        "A file with any fault is refused with all of them, and nothing is left behind."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        datasets = parser.add_subparsers(dest="dataset", required=True, metavar="DATASET", help="whose file it is")
        for key in IMPORTERS:
            chosen = importer(key)
            options = datasets.add_parser(key, help=chosen.help, description=chosen.help)
            options.add_argument("source", type=Path, metavar="FILE", help="the file as published")
            options.add_argument("--limit", type=positive, metavar="N", help="take the first N entries only")
            self.add_study_arguments(options)
            chosen.add_arguments(options)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            study = importer(options["dataset"]).load(
                options["source"],
                slug=options["slug"],
                title=options["title"],
                limit=options["limit"],
                options=options,
            )
            self.write([study], options)
        except (SourceError, ItemFileError, FolderRefused) as error:
            raise CommandError(str(error)) from None
