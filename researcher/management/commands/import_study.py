"""manage.py import_study DATASET FILE: make a study of a file that others have published."""

from argparse import ArgumentParser
from typing import Any

from researcher.management.study_command import StudyCommand
from stimuli.making.contract import BuiltStudy
from stimuli.making.from_options import imported
from stimuli.making.options import DATA_SET, declare
from stimuli.making.registry import importer, importers


class Command(StudyCommand):
    help = (
        "Turn a published data set or another tool's file into a study folder (study.toml, items.jsonl, "
        "manifest.json) and load it. If the file has any problem, nothing is written and every problem is listed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        whose = "the data set or tool that the file is from"
        datasets = parser.add_subparsers(dest="dataset", required=True, metavar="DATASET", help=whose)
        for key in importers():
            chosen = importer(key)
            options = datasets.add_parser(key, help=chosen.help, description=chosen.help)
            declare(options, DATA_SET, key)
            self.add_placing_arguments(options)

    def make_studies(self, options: dict[str, Any]) -> list[BuiltStudy]:
        return imported(options["dataset"], options)
