"""What the bundle holds, with the sha256 of every file: made again from the same data, it has the same sums."""

import json
from pathlib import Path

from comparison.bundle.mark import mark
from comparison.frame.cache.remembered import PROGRAM
from comparison.frame.selected import Selected
from corpus.provenance import sha256, versions

NAME = "manifest.json"
FIELDS = {"study", "population", "labels", "version", "statistics", "made_with", "files"}
# What decides bytes: libraries that write files, and those that figures are computed with.
MADE_WITH = ("altair", "numpy", "pandas", "pyarrow", "scipy", "statsmodels", "vl-convert-python")


def files_in(folder: Path) -> list[Path]:
    """Every file below the folder, by name."""
    return sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: _name(path, folder))


def is_bundle(folder: Path) -> bool:
    """Whether a folder was made here: made studies have a manifest of that name too, and other things in it."""
    try:
        found = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.keys() == FIELDS


def write_manifest(folder: Path, chosen: Selected) -> None:
    """Of every other file in the folder."""
    found = {
        "study": chosen.study.slug,
        "population": chosen.study.population,
        "labels": mark(chosen.study),
        "version": chosen.gathered.version,
        "statistics": PROGRAM,
        "made_with": versions(MADE_WITH),
        "files": {
            _name(path, folder): {"bytes": path.stat().st_size, "sha256": sha256(path)} for path in files_in(folder)
        },
    }
    text = json.dumps(found, ensure_ascii=False, indent=2)
    (folder / NAME).write_text(text + "\n", encoding="utf-8", newline="\n")


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
