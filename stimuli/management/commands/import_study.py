"""manage.py import_study DATASET FILE: make a study of a file that others have published."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation.itemfile import ItemFileError
from stimuli.contract import Imported, SourceError
from stimuli.registry import IMPORTERS, importer
from stimuli.studyfolder import FolderRefused, staged


class Command(BaseCommand):
    help = (
        "Turn a published data set into a study folder (study.toml, items.jsonl, manifest.json) and load it. "
        "A file with any fault is refused with all of them, and nothing is left behind."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        datasets = parser.add_subparsers(dest="dataset", required=True, metavar="DATASET", help="whose file it is")
        for key in IMPORTERS:
            chosen = importer(key)
            options = datasets.add_parser(key, help=chosen.help)
            options.add_argument("source", type=Path, metavar="FILE", help="the file as published")
            options.add_argument("--slug", type=slug, default="", help="the study's name in addresses")
            options.add_argument("--title", default="", help="the study's title")
            options.add_argument("--limit", type=positive, metavar="N", help="take the first N entries only")
            options.add_argument("--out", type=Path, metavar="DIR", help="default: studies/SLUG under PARALLAX_VAR")
            options.add_argument("--no-load", action="store_true", help="write the folder and stop there")
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
            out = options["out"] or settings.VAR_DIR / "studies" / study.slug
            self._write(study, out, load=not options["no_load"])
        except (SourceError, ItemFileError, FolderRefused) as error:
            raise CommandError(str(error)) from None
        for line in study.summary:
            self.stdout.write(line)
        self.stdout.write(f"written to {out}")

    def _write(self, study: Imported, out: Path, *, load: bool) -> None:
        if not load:
            with staged(out, study):
                return
        # One transaction around both, so that no study is loaded whose folder could not be put in place.
        with transaction.atomic(), staged(out, study) as folder:
            call_command("load_study", folder, stdout=self.stdout)


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def slug(text: str) -> str:
    if text and not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", text):
        raise ArgumentTypeError(f"{text!r} is not a slug: lower-case letters, digits and single hyphens")
    return text
