"""A folder as a zip file whose bytes depend on nothing but the files: names in order, one time, one mode."""

import shutil
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from comparison.bundle.manifest import files_in
from corpus.whole import whole_file

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
