"""Where a model's source is looked up. A row names it shortly, so that it stays true when the installation moves."""

from pathlib import Path

from django.conf import settings
from django.db import models


def associations_dir() -> Path:
    """Where the stores of counted text lie."""
    return Path(settings.VAR_DIR) / "associations"


class Location(models.TextChoices):
    """What kind of place a source is the name of."""

    MODELS = "models", "a folder under MODELS_DIR"
    STORE = "store", "a store of counted text"
    PATH = "path", "a folder elsewhere"
    HUB = "hub", "a model hub"
    ENDPOINT = "endpoint", "the endpoint"
    NONE = "none", "nowhere: it looks nothing up"

    def resolve(self, source: str) -> str:
        """The source as a scorer takes it: the whole path of what lies in this installation's own folders."""
        match self:
            case Location.MODELS:
                return str(settings.MODELS_DIR / source)
            case Location.STORE:
                return str(associations_dir() / source)
            case _:
                return source


def of_folder(folder: Path) -> tuple[Location, str]:
    """How a row names a folder, whose path is resolved: shortly if it lies under MODELS_DIR."""
    if folder.parent == Path(settings.MODELS_DIR).resolve():
        return Location.MODELS, folder.name
    return Location.PATH, str(folder)
