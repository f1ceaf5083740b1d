"""What the bundle holds, with the sha256 of every file, and as a zip file: from the same data, the same bytes."""

import json
import shutil
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from comparison.bundle.words.facts import mark
from comparison.frame.cache.remembered import PROGRAM
from comparison.frame.selected import Selected
from corpus.provenance import sha256, versions
from corpus.whole import whole_file

NAME = "manifest.json"
FIELDS = {"study", "population", "labels", "version", "statistics", "made_with", "files"}
# What decides bytes: libraries that write files, and those that figures are computed with.
MADE_WITH = ("numpy", "pandas", "pyarrow", "scipy", "statsmodels", "vl-convert-python")


def files_in(folder: Path) -> list[Path]:
    """Every file below the folder, by name."""
    return sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: _name(path, folder))


def is_bundle(folder: Path) -> bool:
    """Whether a folder was made here: made studies have a manifest of that name too, and other things in it."""
    try:
        manifest = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.keys() == FIELDS


def write_manifest(folder: Path, chosen: Selected) -> None:
    """Of every other file in the folder."""
    manifest = {
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
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (folder / NAME).write_text(text + "\n", encoding="utf-8", newline="\n")


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


# The first that the format can hold.
TIME = (1980, 1, 1, 0, 0, 0)
MODE = 0o644 << 16
UNIX = 3


def write_zip(folder: Path, path: Path, *, top: str) -> None:
    """All files of the folder under `top`; `path` is there whole or not at all."""
    with whole_file(path) as scratch, ZipFile(scratch, "w") as out:
        for file in files_in(folder):
            entry = ZipInfo(f"{top}/{file.relative_to(folder).as_posix()}", TIME)
            entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, MODE, UNIX
            with file.open("rb") as source, out.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)
