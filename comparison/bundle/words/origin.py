"""What the folder that a study was made in says of its items' origin: the paper, and the license."""

import json
from dataclasses import dataclass

from annotation import itemfile
from annotation.drafting.rows import as_revised
from annotation.loading import place_of
from annotation.models import Study

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
        rows = as_revised(study, itemfile.read_items(folder / itemfile.NAME, study.task))
        if itemfile.sum_of(rows) != study.content:
            return Origin()
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Origin()
    said = found if isinstance(found, dict) else {}
    return Origin(paper=str(said.get("paper") or ""), license=str(said.get("license") or ""))
