"""manage.py check_integrity: whether the rows keep what must always hold."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from researcher.integrity.faults import read_faults
from work.watching.health import database, migrations


class Command(BaseCommand):
    help = (
        "Check that the database keeps what must always hold: targets, counts and tallies, one judgment for each "
        "answer, content hashes, progress of runs, starts of links, imported files, payment, platform IDs, acts. "
        "Prints a sentence for each fault; exit code 1 if there is one. "
        "While people answer, a count may be reported that is already right again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if fault := database() or migrations():
            raise CommandError(fault)
        faults = 0
        for fault in read_faults():
            self.stdout.write(fault)
            faults += 1
        if faults:
            self.stderr.write(f"Faults: {faults:,}.")
            sys.exit(1)
        self.stdout.write("No faults.")
