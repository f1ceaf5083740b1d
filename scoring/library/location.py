"""Where a model's source lies, named shortly so that the installation may move, and which of one's own may be used."""

import os
from pathlib import Path

from django.conf import settings
from django.db import models

# Below a root: the folder itself, or one for its owner with the models in it, as on a hub.
DEPTH = 2
MOST = 500


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
    NONE = "none", "no model files (computed here)"

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


def model_folders() -> list[Path]:
    """Every folder there with a config.json, in order; none that a link leads out of its root."""
    folders: list[Path] = []
    for root in settings.MODEL_FOLDERS:
        folders += _below(root.resolve(), root.resolve(), DEPTH)
    return sorted(set(folders))[:MOST]


def _below(folder: Path, root: Path, depth: int) -> list[Path]:
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.X_OK):
        return []
    if (folder / "config.json").is_file():
        return [folder]
    inside = (one.resolve() for one in folder.iterdir() if depth and not one.name.startswith("."))
    return [model for one in inside if one.is_relative_to(root) for model in _below(one, root, depth - 1)]
