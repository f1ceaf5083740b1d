"""What import_study and build_study share: the options of a study, and how one that was made is put in place."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.label_import import ImportRefused
from annotation.loading import LoadRefused
from corpus.arguments import slug, title
from corpus.errors import BuildError, SourceError
from researcher.making import put_in_place
from stimuli.making.contract import MadeStudy
from stimuli.making.study_folder import FolderRefused


class StudyCommand(BaseCommand, ABC):
    """A command that ends in study folders, loaded unless told not to."""

    def add_study_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--slug", type=slug, default="", help="the study's name in addresses")
        parser.add_argument("--title", type=title, default="", help="the study's title")
        parser.add_argument("--out", type=Path, metavar="DIR", help="default: studies/SLUG under PARALLAX_VAR")
        parser.add_argument("--no-load", action="store_true", help="write the folder and stop there")

    @abstractmethod
    def made(self, options: dict[str, Any]) -> Sequence[MadeStudy]:
        """The studies that were asked for."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            placed = put_in_place(self.made(options), out=options["out"], load=not options["no_load"])
        except (SourceError, BuildError, FolderRefused, LoadRefused, ImportRefused) as error:
            raise CommandError(str(error)) from None
        for one in placed:
            for line in one.lines():
                self.stdout.write(line)
