"""manage.py train_masked_lm FILE… --out FOLDER: the embedded masked language model, adapted on plain text."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from annotation.management.arguments import TellingCommand
from scoring.library.composed import ENCODER
from training.masked.options import HELP, add_arguments, run


class Command(TellingCommand):
    help = HELP
    # It needs no database: a training may run for hours beside a migration.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser, encoder=settings.MODELS_DIR / ENCODER)

    def handle(self, *args: Any, **options: Any) -> None:
        code = run(options, say=self.say, complain=lambda line: self.stderr.write(line))
        if code:
            sys.exit(code)
