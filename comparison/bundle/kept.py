"""Where finished bundles lie that are made for the results: one for each study, of the latest state of its data."""

import re
from pathlib import Path

from django.conf import settings

from annotation.models import Study
from comparison.frame.cache.gathered import Gathered


def kept_report(study: Study, gathered: Gathered) -> Path | None:
    """The bundle of this state of the data, if it was made."""
    path = path_of(study, gathered.version)
    return path if path.is_file() else None


def of_study(study: Study) -> list[Path]:
    """Of any state. A slug may be the beginning of another, so that only whole names tell."""
    named = re.compile(rf"{re.escape(study.slug)}-[0-9a-f]{{32}}\.zip")
    return [path for path in place().glob(f"{study.slug}-*.zip") if named.fullmatch(path.name)]


def path_of(study: Study, version: str) -> Path:
    return place() / f"{study.slug}-{version}.zip"


def place() -> Path:
    return settings.VAR_DIR / "reports"
