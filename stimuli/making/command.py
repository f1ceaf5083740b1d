"""What import_study and build_study share: the options of a study, and writing and loading its folder."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation.itemfile import ItemFileError
from annotation.labelfile import LabelFileError
from stimuli.making.contract import MadeStudy
from stimuli.making.study_folder import staged

# The folder in which a study is made before it is put in place: /…/studies/.slug-x7f3/slug/items.jsonl.
SCRATCH = re.compile(r"\S*/\.[^/\s]+-[^/\s]+/(?=[^/\s]+/(items\.jsonl|labels\.csv|study\.toml))")


class MakesStudies(BaseCommand):
    """A command that ends in study folders, loaded unless told not to."""

    def add_study_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--slug", type=slug, default="", help="the study's name in addresses")
        parser.add_argument("--title", type=title, default="", help="the study's title")
        parser.add_argument("--out", type=Path, metavar="DIR", help="default: studies/SLUG under PARALLAX_VAR")
        parser.add_argument("--no-load", action="store_true", help="write the folder and stop there")

    def write(self, studies: Sequence[MadeStudy], options: dict[str, Any]) -> None:
        """All folders, and unless told not to all rows, or none of them."""
        try:
            self._write(studies, options)
        except (ItemFileError, LabelFileError, CommandError) as error:
            # The folder that it names was a scratch one and is gone.
            raise CommandError(SCRATCH.sub("", str(error))) from None
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written: {error.strerror}") from None

    def _write(self, studies: Sequence[MadeStudy], options: dict[str, Any]) -> None:
        folders = {study.slug: self._folder(study, studies, options["out"]) for study in studies}
        # One transaction around it all, so that no study is loaded whose folder could not be put in place.
        with ExitStack() as everything:
            if not options["no_load"]:
                everything.enter_context(transaction.atomic())
            for study in studies:
                staging = everything.enter_context(staged(folders[study.slug], study))
                if not options["no_load"]:
                    call_command("load_study", staging, stdout=self.stdout)
        for study in studies:
            for line in study.summary:
                self.stdout.write(line)
            self.stdout.write(f"written to {folders[study.slug]}")

    def _folder(self, study: MadeStudy, studies: Sequence[MadeStudy], out: Path | None) -> Path:
        if out is None:
            return settings.VAR_DIR / "studies" / study.slug
        return out if len(studies) == 1 else out / study.slug


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def slug(text: str) -> str:
    if text and not re.fullmatch(r"(?=.{1,80}$)[a-z0-9]+(?:-[a-z0-9]+)*", text):
        raise ArgumentTypeError(f"{text!r} is not a slug: lower-case letters, digits and single hyphens, 80 at most")
    return text


def title(text: str) -> str:
    if len(text) > 200 or not text.isprintable():
        raise ArgumentTypeError("a title is one line of at most 200 characters")
    return text
