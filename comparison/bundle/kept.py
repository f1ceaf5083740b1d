"""Where finished bundles lie that are made for the results: one for each study, of the latest state of its data."""

import re
import tempfile
from pathlib import Path

from django.conf import settings

from annotation.models import Study
from comparison.bundle.archive import write_zip
from comparison.bundle.making import Report, make, silent
from comparison.bundle.mark import name
from comparison.frame.gathered import Gathered


def keep(study: Study, *, report: Report = silent) -> Path:
    """Make the bundle of the data as they are, put it in its place, and remove those of before."""
    _place().mkdir(parents=True, exist_ok=True)
    # Two may be at it at once: each has a folder of its own, and what both put in place is the same.
    with tempfile.TemporaryDirectory(prefix=f".{study.slug}-", dir=_place()) as holder:
        folder, scratch = Path(holder) / "bundle", Path(holder) / "bundle.zip"
        folder.mkdir()
        chosen = make(study, folder, report=report)
        path = _path(study, chosen.gathered.version)
        write_zip(folder, scratch, top=name(study))
        scratch.replace(path)
    for old in of_study(study):
        if old != path:
            old.unlink(missing_ok=True)
    return path


def kept(study: Study, gathered: Gathered) -> Path | None:
    """The bundle of this state of the data, if it was made."""
    path = _path(study, gathered.version)
    return path if path.is_file() else None


def of_study(study: Study) -> list[Path]:
    """Of any state. A slug may be the beginning of another, so that only whole names tell."""
    named = re.compile(rf"{re.escape(study.slug)}-[0-9a-f]{{32}}\.zip")
    return [path for path in _place().glob(f"{study.slug}-*.zip") if named.fullmatch(path.name)]


def _path(study: Study, version: str) -> Path:
    return _place() / f"{study.slug}-{version}.zip"


def _place() -> Path:
    return settings.VAR_DIR / "reports"
