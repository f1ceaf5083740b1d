"""What import_study and build_study share: the options of a study, and writing and loading its folder."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import transaction

from stimuli.contract import MadeStudy
from stimuli.studyfolder import staged


class MakesStudies(BaseCommand):
    """A command that ends in study folders, loaded unless told not to."""

    def add_study_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--slug", type=slug, default="", help="the study's name in addresses")
        parser.add_argument("--title", default="", help="the study's title")
        parser.add_argument("--out", type=Path, metavar="DIR", help="default: studies/SLUG under PARALLAX_VAR")
        parser.add_argument("--no-load", action="store_true", help="write the folder and stop there")

    def write(self, studies: Sequence[MadeStudy], options: dict[str, Any]) -> None:
        """All folders, and unless told not to all rows, or none of them."""
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
    if text and not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", text):
        raise ArgumentTypeError(f"{text!r} is not a slug: lower-case letters, digits and single hyphens")
    return text
