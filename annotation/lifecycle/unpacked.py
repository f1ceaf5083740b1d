"""A study's folder as a zip file, unpacked and read in a confined process of its own, so that no page parses it.

`python -m annotation.lifecycle.unpacked ZIP FOUND` writes what the folder holds as lines of JSON: the settings, each
item, the labels; or one line with what is wrong and in which of the files.
"""

import json
import sys
import tempfile
import zipfile
import zlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path, PurePosixPath
from typing import IO, Any

from annotation import itemfile, studyfile
from annotation.elsewhere import labelfile
from annotation.elsewhere.labelfile import LabelFile, LabelFileError, LabelRow
from annotation.itemfile import ItemFileError, ItemRow
from annotation.studyfile import StudyFile, StudyFileError, read_study
from corpus.bounds import MOST_FAULTS, MOST_FOLDER, MOST_ITEMS_SENT
from corpus.errors import Fault, Remark, SourceError
from corpus.formats.apart import (
    MOST_BYTES,
    TakesLonger,
    confine,
    is_page,
    leave,
    refuse_large,
    run_confined,
    sent_folder,
)
from corpus.formats.source import is_of_system

FILES = (studyfile.NAME, itemfile.NAME, labelfile.NAME)
# What those who make folders put beside, and what loading does not need.
PASSED_OVER = ("manifest.json",)
# Items and labels that a page stores, which takes a second.
MOST_AT_ONCE = 5_000
CODES = {"item_codes": "l", "annotator_codes": "l", "label_codes": "h", "seconds": "d"}


class FolderFileError(SourceError):
    """A zip file that is no study's folder."""


REFUSED: Mapping[str, type[SourceError]] = {
    studyfile.NAME: StudyFileError, itemfile.NAME: ItemFileError, labelfile.NAME: LabelFileError
}  # fmt: skip


def read_zip(file: IO[bytes], *, name: str) -> tuple[StudyFile, LabelFile | None]:
    """What the folder in a zip file says. FolderFileError for another kind of file, and what reading a folder raises;
    TakesLonger on a page, where reading or storing it does.

    `name` is what the zip file is called; the errors name the file within by itself.
    """
    with sent_folder() as holder:
        packed, found = Path(holder) / "sent.zip", Path(holder) / "found.jsonl"
        file.seek(0)
        with packed.open("wb") as out:
            while piece := file.read(1024**2):
                out.write(piece)
        try:
            run_confined(__name__, str(packed), str(found), source=Path(name))
            refuse_large(found, source=Path(name))
        except TakesLonger:
            raise
        except SourceError as error:
            raise FolderFileError(error.path, error.faults) from None
        with found.open(encoding="utf-8") as lines:
            study, labels = _told(map(json.loads, lines), name)
    if is_page() and len(study.items) + len(labels or ()) > MOST_AT_ONCE:
        raise TakesLonger(Path(name), [Fault("file", f"has more than {MOST_AT_ONCE:,} items and labels")])
    return study, labels


def _told(lines: Iterator[dict[str, Any]], name: str) -> tuple[StudyFile, LabelFile | None]:
    first = next(lines)
    if "faults" in first:
        raise REFUSED.get(first["file"], FolderFileError)(
            Path(first["file"] or name), [Fault(*one) for one in first["faults"]]
        )
    items: list[ItemRow] = []
    labels = None
    for line in lines:
        if "labels" in line:
            labels = _labels_of(line["labels"])
        else:
            items.append(ItemRow(**line))
    return StudyFile(**first, items=items), labels


def _labels_of(told: dict[str, Any]) -> LabelFile:
    told |= {name: array(code, told[name]) for name, code in CODES.items()}
    told["repeats"] = tuple(LabelRow(**one) for one in told["repeats"])
    told["remarks"] = tuple(Remark(**one) for one in told["remarks"])
    return LabelFile(**told)


# --- In the process of its own ------------------------------------------------------------------------


def _main(packed: Path, found: Path) -> int:
    confine(MOST_BYTES)
    with tempfile.TemporaryDirectory(dir=found.parent) as holder, found.open("w", encoding="utf-8") as out:
        try:
            _unpack(packed, Path(holder))
            for line in _lines(Path(holder)):
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
        except SourceError as error:
            # Where it was unpacked for a moment is nobody's business.
            faults = [[fault.field, fault.message] for fault in error.faults[:MOST_FAULTS]]
            file = "" if isinstance(error, FolderFileError) else error.path.name
            out.write(json.dumps({"file": file, "faults": faults}) + "\n")
    return 0


def _lines(folder: Path) -> Iterator[dict[str, Any]]:
    _refuse_many_items(folder / itemfile.NAME)
    study, path = read_study(folder), folder / labelfile.NAME
    labels = labelfile.read_labels(path, study.task, study.labeled_items) if path.is_file() else None
    yield {one.name: getattr(study, one.name) for one in fields(study) if one.name != "items"}
    for row in study.items:
        yield row.fields()
    if labels is not None:
        told = {one.name: getattr(labels, one.name) for one in fields(labels)}
        told |= {name: list(told[name]) for name in CODES}
        told |= {name: [asdict(one) for one in told[name]] for name in ("repeats", "remarks")}
        yield {"labels": told}


def _refuse_many_items(file: Path) -> None:
    """Counted before the first is read: to read them all takes seconds."""
    if not file.is_file():
        # The study's reader says so.
        return
    with file.open("rb") as lines:
        if sum(1 for line in lines if line.strip()) > MOST_ITEMS_SENT:
            raise FolderFileError(
                Path(), [Fault(file.name, f"has more than {MOST_ITEMS_SENT:,} items; use `manage.py load_study`")]
            )


def _unpack(file: Path, folder: Path) -> None:
    """Only the files of a study, which stand at the top or all in one folder."""
    try:
        with zipfile.ZipFile(file) as packed:
            _refuse(packed)
            for entry, path in _files(packed):
                if path.name in FILES:
                    (folder / path.name).write_bytes(packed.read(entry))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        if isinstance(error, FolderFileError):
            raise
        # Encrypted, cut off, or packed in a way that Python does not know.
        raise FolderFileError(Path(), [Fault("file", "is not a readable zip file")]) from None


def _files(packed: zipfile.ZipFile) -> list[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """Those that a person packed; what macOS and Windows put beside them is passed over, and `\\` parts folders too."""
    found = [(entry, PurePosixPath(entry.filename.replace("\\", "/"))) for entry in packed.infolist()]
    return [(entry, path) for entry, path in found if not (entry.is_dir() or is_of_system(path))]


def _refuse(packed: zipfile.ZipFile) -> None:
    paths = [path for _, path in _files(packed)]
    faults = []
    strange = [path for path in paths if path.name not in (*FILES, *PASSED_OVER) or len(path.parts) > 2]
    if strange:
        faults.append(
            Fault(str(strange[0])[:200], f"does not belong in a study folder, which contains {', '.join(FILES)}")
        )
    if len({path.parent for path in paths}) > 1:
        faults.append(Fault("file", "contains more than one folder"))
    missing = [wanted for wanted in FILES[:2] if wanted not in {path.name for path in paths}]
    faults += [Fault(wanted, "is missing") for wanted in missing]
    if len({path.name for path in paths}) != len(paths):
        faults.append(Fault("file", "contains the same file twice"))
    if sum(entry.file_size for entry in packed.infolist()) > MOST_FOLDER:
        faults.append(Fault("file", f"is larger than {MOST_FOLDER // 1024**2} MB unpacked"))
    if faults:
        raise FolderFileError(Path(), faults)


if __name__ == "__main__":
    leave(_main(Path(sys.argv[1]), Path(sys.argv[2])))
