"""manage.py export_dataset STUDY FOLDER: a labeled study as a data set for Hugging Face's `datasets`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.audit.acts import taken_out
from annotation.management.arguments import named
from annotation.models import Study
from comparison.dataset.card import DatasetOptions
from comparison.dataset.making import CannotExport, make, study_in
from comparison.dataset.parting import PARTS
from comparison.management.asking import ExplainedCommand
from corpus.arguments import whole
from corpus.whole import whole_folder

HELP = """A study's target items, with the labels that count, as a data set in a folder:

  README.md          the card: features, parts, label shares, agreement, exclusion rules, and how to import it again
  items/PART.…       one row per item: texts, majority label, reference, how often each label was given
  labels/PART.…      one row per label; annotators are numbers

each as Parquet and as JSON lines, in the parts train, validation and test. A group of items is always in one part, and
labels have similar shares in all parts. Load it with datasets.load_dataset(FOLDER), or make a study from it with the
command on its card.

  manage.py export_dataset pilot pilot-data
  manage.py export_dataset pilot pilot-data --parts 70 15 15 --seed 2 --license cc-by-4.0

Exit codes: 0; 1 if there are no items, the labels change meanwhile, or writing fails; 2 wrong arguments."""


class Command(ExplainedCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="a study's slug")
        parser.add_argument(
            "folder", type=Path, metavar="FOLDER", help="new, empty, or one that this command wrote for STUDY"
        )
        parser.add_argument(
            "--parts",
            type=whole(0, 100),
            nargs=len(PARTS),
            default=list(DatasetOptions().shares),
            metavar="PERCENT",
            help="of items in train, validation and test (80 10 10)",
        )
        parser.add_argument("--seed", type=whole(0), default=DatasetOptions().seed, help="seed of the split (1)")
        parser.add_argument(
            "--license",
            default=DatasetOptions().license,
            metavar="ID",
            help="for the card, such as cc-by-4.0 (unknown)",
        )

    def handle(self, *args: Any, study: str, folder: Path, **options: Any) -> None:
        loaded = named(study)
        _refuse_what_is_not_its(loaded, folder)
        shares = tuple(options["parts"])
        if sum(shares) != 100 or not shares[0]:
            raise CommandError("--parts: give three percentages that add up to 100, the first above 0.", returncode=2)
        dataset_options = DatasetOptions(shares=shares, seed=options["seed"], license=options["license"])
        try:
            with whole_folder(folder) as fresh:
                written = make(loaded, fresh, dataset_options)
        except CannotExport as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{error.filename or folder} cannot be written: {error.strerror}.") from None
        taken_out(loaded, "data set")
        for part, rows in written.items.items():
            self.stdout.write(f"{part}: {rows:,} items, {written.labels.get(part, 0):,} labels")
        without = sum(count for (_, label), count in written.of_label.items() if label is None)
        if without:
            every = sum(written.items.values())
            self.stdout.write(f"in all parts: {without:,} of {every:,} items have no majority and so no label")
        self.stderr.write(f"Wrote {folder}.")


def _refuse_what_is_not_its(study: Study, folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder} is a file. Give a folder.", returncode=2)
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    slug = study_in(folder)
    if not slug:
        raise CommandError(f"{folder} is not empty and was not written by this command. Choose another.", returncode=2)
    if slug != study.slug:
        raise CommandError(
            f"FOLDER: {folder} holds the data set of the study {slug!r}, not of {study.slug!r}. Choose another or "
            "remove it first.",
            returncode=2,
        )
