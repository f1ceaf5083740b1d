"""manage.py adjudicate STUDY: the items without agreement as a file, and decisions from one."""

import csv
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.access.matrix import Right
from annotation.adjudicating import DecisionFileError, import_decisions, listed
from annotation.audit.acts import taken_out
from annotation.management.arguments import acting, named


class Command(BaseCommand):
    help = (
        "Adjudicate items without a majority. --list writes them as CSV with a column decision; --import reads such "
        "a file with a label or 'cannot be decided' in that column. Labels, majorities and references do not change."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        either = parser.add_mutually_exclusive_group(required=True)
        either.add_argument("--list", action="store_true", help="write the items as CSV")
        either.add_argument("--import", type=Path, metavar="FILE", dest="file", help="store a file's decisions")
        parser.add_argument(
            "--under",
            type=float,
            default=0.0,
            metavar="SHARE",
            help="also list majorities smaller than this share",
        )
        parser.add_argument(
            "--by", metavar="NAME", help="user name of the researcher who decided; required with --import"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"], returncode=1)
        if not 0 <= options["under"] <= 1:
            raise CommandError("--under must be a share from 0 to 1.")
        if options["list"]:
            csv.writer(self.stdout, lineterminator="\n").writerows(listed(study, under=options["under"]))
            taken_out(study, "items without agreement")
            return
        if not options["by"]:
            raise CommandError("--by must be the user name of the researcher who decided.")
        researcher = acting(options["by"], study, Right.EDIT)
        try:
            done = import_decisions(study, options["file"], by=researcher)
        except DecisionFileError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{study.slug}: {done}")
