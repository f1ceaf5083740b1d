"""`manage.py store_models [KEY …]`: models' files into the model store, for workers on other machines."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from annotation.management.arguments import TellingCommand
from scoring.library.location import Location
from scoring.library.model_store import StoreError, upload
from scoring.models import LanguageModel
from scoring.runs.fitting import CannotRun, find_model


class Command(TellingCommand):
    help = (
        "Copy the files of models on this machine into the model store (MODEL_STORE), from which workers on other "
        "machines fetch them. New models are copied when they are added. Without KEY: every model that has files here. "
        "Exit code 1 if one could not be copied."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="KEY", help="key of a model")

    def handle(self, *args: Any, keys: list[str], **options: Any) -> None:
        if not settings.MODEL_STORE:
            raise CommandError("MODEL_STORE is not set (docs/settings.md).", returncode=2)
        try:
            models = [find_model(key) for key in keys] or list(_with_files())
        except CannotRun as error:
            raise CommandError(str(error), returncode=2) from None
        failed = [model.key for model in models if not self._store(model)]
        if failed:
            raise CommandError(f"Not in the model store: {', '.join(failed)}.")

    def _store(self, model: LanguageModel) -> bool:
        folder = Path(model.spec.source)
        if not model.files or not folder.is_dir():
            self.say(f"{model.key}: has no folder on this machine")
            return False
        try:
            copied = upload(folder, model.files)
        except StoreError as error:
            self.say(f"{model.key}: {error}")
            return False
        self.say(f"{model.key}: {'copied' if copied else 'in the store'}")
        return True


def _with_files() -> list[LanguageModel]:
    own = LanguageModel.objects.filter(location__in=[Location.MODELS, Location.PATH])
    return [model for model in own if Path(model.spec.source).is_dir()]
