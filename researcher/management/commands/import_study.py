"""manage.py import_study DATASET FILE: make a study of a file that others have published."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpus.arguments import whole
from researcher.management.study_command import StudyCommand
from stimuli.making.contract import MadeStudy
from stimuli.making.registry import importer, importers


class Command(StudyCommand):
    help = (
        "Turn a published data set, or a file of another tool, into a study folder (study.toml, items.jsonl, "
        "manifest.json) and load it. A file with any fault is refused with all of them, and nothing is left behind."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        whose = "whose file it is: a data set's or a tool's"
        datasets = parser.add_subparsers(dest="dataset", required=True, metavar="DATASET", help=whose)
        for key in importers():
            chosen = importer(key)
            options = datasets.add_parser(key, help=chosen.help, description=chosen.help)
            options.add_argument("source", type=Path, metavar="FILE", help="the file as published")
            options.add_argument("--limit", type=whole(1), metavar="N", help="take the first N entries only")
            options.add_argument("--seed", type=int, default=0, help="what --sample draws follows from it (0)")
            self.add_study_arguments(options)
            chosen.add_arguments(options)

    def made(self, options: dict[str, Any]) -> list[MadeStudy]:
        study = importer(options["dataset"]).load(
            options["source"],
            slug=options["slug"],
            title=options["title"],
            limit=options["limit"],
            options=options,
        )
        return [study]
