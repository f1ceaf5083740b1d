"""Files and folders of the server that researchers may choose by name: what the setting CORPUS_FOLDERS lists."""

from pathlib import Path

from django.conf import settings


def source_named(name: str) -> Path:
    """Where it lies; LookupError for a name that the setting does not have."""
    found: dict[str, Path] = settings.CORPUS_FOLDERS
    if name not in found:
        raise LookupError(f"The setting CORPUS_FOLDERS names no {name!r}.")
    return found[name]


def source_names() -> list[str]:
    return sorted(settings.CORPUS_FOLDERS)
