"""What import_study, build_study and study_from share: where a study that was made is put, and whose it is."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.elsewhere.label_import import ImportRefused
from annotation.loading import LoadRefused
from annotation.management.arguments import add_owner, not_owned, owner_of
from corpus.errors import BuildError, SourceError
from researcher.making import put_in_place
from stimuli.making.contract import BuiltStudy
from stimuli.making.from_options import as_asked
from stimuli.making.options import Misasked
from stimuli.making.study_folder import FolderRefused


class StudyCommand(BaseCommand, ABC):
    """A command that ends in study folders, loaded unless told not to."""

    def add_placing_arguments(self, parser: ArgumentParser) -> None:
        """What only whoever runs the server can ask; what a study is, `stimuli.making.options` declares."""
        parser.add_argument("--out", type=Path, metavar="DIR", help="default: studies/SLUG under PARALLAX_VAR")
        add_owner(parser)
        parser.add_argument("--no-load", action="store_true", help="write the folder without loading it")

    @abstractmethod
    def make_studies(self, options: dict[str, Any]) -> Sequence[BuiltStudy]:
        """The studies that were asked for."""

    def besides(self, made: Sequence[BuiltStudy], options: dict[str, Any]) -> Iterable[str]:
        """What is written beside the studies once they are in place; a line for each file."""
        return ()

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_of(options)
        try:
            made = as_asked(self.make_studies(options), options)
            placed = put_in_place(made, out=options["out"], load=not options["no_load"], owner=owner)
        except Misasked as error:
            raise CommandError(str(error), returncode=2) from None
        except SourceError as error:
            raise CommandError("\n".join([str(error), *error.remedies()])) from None
        except (BuildError, FolderRefused, LoadRefused, ImportRefused) as error:
            raise CommandError(str(error)) from None
        for one in placed:
            for line in one.lines():
                self.stdout.write(line)
            if one.loaded is not None and (said := not_owned(one.loaded.study, owner)):
                self.stdout.write(said)
        for line in self.besides(made, options):
            self.stdout.write(line)
