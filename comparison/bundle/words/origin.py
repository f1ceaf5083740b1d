"""What the folder that a study was made in says of its items' origin: the paper, and the license."""

import json
from dataclasses import dataclass

from annotation import itemfile
from annotation.loading import place_of
from annotation.models import Study
from corpus.provenance import digest

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Origin:
    """Empty where nothing is said of it."""

    paper: str = ""
    license: str = ""


def read_origin(study: Study) -> Origin:
    """Nothing where the folder is elsewhere, or holds other items than the study: another may have had its name."""
    folder = place_of(study.slug)
    try:
        lines = (folder / itemfile.NAME).read_text(encoding="utf-8").split("\n")
        if digest([line for line in lines if line]) != study.content_hash:
            return Origin()
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Origin()
    said = found if isinstance(found, dict) else {}
    return Origin(paper=str(said.get("paper") or ""), license=str(said.get("license") or ""))
