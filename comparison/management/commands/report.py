"""manage.py report STUDY [--out FOLDER|FILE.zip]: a study as one bundle, from figures to data."""

import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.audit.acts import taken_out
from annotation.management.arguments import named
from annotation.models import Study
from comparison.bundle.archive import is_bundle, write_zip
from comparison.bundle.making import CannotReport, make
from comparison.bundle.words.facts import name
from comparison.exported import make_report
from comparison.management.asking import ExplainedCommand, say_unfinished
from corpus.whole import whole_folder

HELP = """A study's report as one bundle, for a paper and for readers who want to check it:

  report.html    the verdict, tables and figures in one self-contained file
  methods.md     design, exclusions, models, metrics and statistics, with their numbers
  datasheet.md   Gebru et al. (2021), prefilled where possible
  tables/        every table at full precision, as CSV and as Parquet
  latex/         tables with captions (booktabs); tables.tex inputs them all and compiles
  figures/       the charts as SVG
  data/          the study as a folder (study.toml, items.jsonl, labels), all answers and all scores
  manifest.json  the sha256 of every file

  manage.py report adept-validation --out adept-report.zip
  manage.py report adept-validation --out adept-report

The same data and software versions (see manifest.json) give the same bytes: no file has a date. Every file says
whether labels are synthetic. The report covers the whole study, without filters.

Without --out it is stored where Results › Export stores it, under reports/ in PARALLAX_VAR.

Exit codes: 0; 1 if there is nothing to report, the data change meanwhile, or writing fails; 2 wrong arguments."""


class Command(ExplainedCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="a study's slug")
        parser.add_argument(
            "--out",
            type=Path,
            metavar="FOLDER|FILE.zip",
            help="where to write it; a folder must be empty, new, or made by this command",
        )

    def handle(self, *args: Any, study: str, out: Path | None, **options: Any) -> None:
        loaded = named(study)
        if out is not None:
            _refuse_what_is_not_ours(out)
        say_unfinished([loaded], self.stderr)
        try:
            path = self._written(loaded, out)
        except CannotReport as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{error.filename or out} cannot be written: {error.strerror}.") from None
        taken_out(loaded, "report")
        self.stderr.write(f"Wrote {path}.")

    def _written(self, study: Study, out: Path | None) -> Path:
        if out is None:
            return make_report(study, report=self._say)
        if out.suffix == ".zip":
            with tempfile.TemporaryDirectory() as folder:
                make(study, Path(folder), report=self._say)
                write_zip(Path(folder), out, top=name(study))
            return out
        with whole_folder(out) as folder:
            make(study, folder, report=self._say)
        return out

    def _say(self, words: str, finished: int, steps: int) -> None:
        self.stderr.write(f"{finished + 1} of {steps}: {words}")


def _refuse_what_is_not_ours(out: Path) -> None:
    if out.suffix == ".zip" and out.is_dir():
        raise CommandError(f"{out} is a folder. Give a file.", returncode=2)
    if out.suffix != ".zip" and out.exists() and not out.is_dir():
        raise CommandError(f"{out} is a file. Give a folder, or a file that ends in .zip.", returncode=2)
    if out.is_dir() and any(out.iterdir()) and not is_bundle(out):
        raise CommandError(f"{out} is not empty and was not made by this command. Choose another folder.", returncode=2)
