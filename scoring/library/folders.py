"""The models that lie where the settings say that models of one's own may lie."""

import os
from pathlib import Path

from django.conf import settings

# Below a root: the folder itself, or one for its owner with the models in it, as on a hub.
DEPTH = 2
MOST = 500


def model_folders() -> list[Path]:
    """Every folder there with a config.json, in order; none that a link leads out of its root."""
    found: list[Path] = []
    for root in settings.MODEL_FOLDERS:
        found += _below(root.resolve(), root.resolve(), DEPTH)
    return sorted(set(found))[:MOST]


def _below(folder: Path, root: Path, depth: int) -> list[Path]:
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.X_OK):
        return []
    if (folder / "config.json").is_file():
        return [folder]
    inside = (one.resolve() for one in folder.iterdir() if depth and not one.name.startswith("."))
    return [model for one in inside if one.is_relative_to(root) for model in _below(one, root, depth - 1)]
