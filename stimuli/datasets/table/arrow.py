"""Parquet files, and folders that Hugging Face's `datasets` saves or publishes, read by pyarrow alone."""

import json
from pathlib import Path
from typing import Any

import pyarrow

from corpus.errors import Fault, SourceError
from corpus.formats.columnar import read_columns, rows_of
from corpus.formats.contract import Record
from corpus.formats.source import FormatFault
from stimuli.datasets.table.rows import Table

STATE = "state.json"
SPLITS = "dataset_dict.json"


def read_arrow(path: Path, *, split: str) -> Table:
    """A Parquet file; a folder of save_to_disk, of one split or several; or a folder of Parquet files.

    Of a folder, `split` may name several, one after the other, as `datasets` writes it: `train+test`.
    """
    if path.is_file():
        if split:
            raise SourceError(path, [Fault("--split", "applies only to folders; a file has no splits")])
        return _joined(path, [path])
    if not path.exists():
        raise SourceError(path, [Fault("file", "cannot be read: No such file or directory")])
    if (path / SPLITS).is_file():
        chosen = [path / _chosen(path, _listed_splits(path), one) for one in split.split("+")]
        return _joined(path, [file for folder in chosen for file in _saved_files(folder)])
    if (path / STATE).is_file():
        if split:
            raise SourceError(path, [Fault("--split", "is not needed: this folder holds one split")])
        return _joined(path, _saved_files(path))
    return _joined(path, [file for one in split.split("+") for file in _parquet_files(path, one)])


def _listed_splits(path: Path) -> list[str]:
    splits = _json_object(path / SPLITS).get("splits")
    if not isinstance(splits, list) or not all(_plain_name(name) for name in splits) or not splits:
        raise SourceError(path / SPLITS, [Fault("splits", "must be a list of folder names")])
    return splits


def _saved_files(folder: Path) -> list[Path]:
    """The files of one saved split, in the order that its state.json gives."""
    state = _json_object(folder / STATE)
    if state.get("_indices_data_files") or state.get("_indices_files"):
        wrong = "the rows are picked by an index file; save it again after `flatten_indices()`"
        raise SourceError(folder / STATE, [Fault("file", wrong)])
    files = state.get("_data_files")
    names = [entry.get("filename") for entry in files if isinstance(entry, dict)] if isinstance(files, list) else []
    if not names or not all(_plain_name(name) for name in names):
        raise SourceError(folder / STATE, [Fault("_data_files", "must list the .arrow files")])
    return [folder / str(name) for name in names]


def _parquet_files(path: Path, split: str) -> list[Path]:
    """Files such as `train-00000-of-00002.parquet`, here or in `data/`, of one split."""
    files = sorted(path.glob("*.parquet")) or sorted(path.glob("data/*.parquet"))
    if not files:
        wrong = f"holds neither {STATE} nor {SPLITS} (of `save_to_disk`) nor .parquet files"
        raise SourceError(path, [Fault("folder", wrong)])
    chosen = _chosen(path, sorted({_split_of(file) for file in files}), split)
    return [file for file in files if _split_of(file) == chosen]


def _split_of(file: Path) -> str:
    return file.stem.split("-")[0]


def _chosen(path: Path, splits: list[str], split: str) -> str:
    if split in splits:
        return split
    if not split and len(splits) == 1:
        return splits[0]
    wrong = f"there is no {split!r}" if split else "is needed: the folder holds more than one"
    raise SourceError(path, [Fault("--split", f"{wrong}; there are {', '.join(splits)}")])


def _joined(path: Path, files: list[Path]) -> Table:
    columns: tuple[str, ...] = ()
    rows: list[Record] = []
    for file in files:
        table = _read(file)
        if columns and tuple(table.column_names) != columns:
            raise SourceError(file, [Fault("file", f"has other columns than {files[0].name}")])
        columns = tuple(table.column_names)
        repeated = sorted({name for name in columns if columns.count(name) > 1})
        if repeated:
            raise SourceError(file, [Fault("file", f"names the column {', '.join(repeated)} twice")])
        rows += [Record(f"row {len(rows) + number}", row) for number, row in enumerate(rows_of(table), start=1)]
    if not rows:
        raise SourceError(path, [Fault("file", "contains no rows")])
    return Table(columns, rows, tuple(files))


def _read(file: Path) -> pyarrow.Table:
    try:
        with file.open("rb") as data:
            return read_columns(data, suffix=file.suffix.lower())
    except FormatFault as error:
        raise SourceError(file, error.faults) from None
    except (OSError, pyarrow.ArrowException) as error:
        # What the disk says has a number; what the library says of bytes that it cannot read has none, and no use.
        wrong = f"cannot be read: {error}" if getattr(error, "errno", None) else _unreadable(file)
        raise SourceError(file, [Fault("file", wrong)]) from None


def _unreadable(file: Path) -> str:
    kind = "a Parquet" if file.suffix.lower() == ".parquet" else "an Arrow"
    return f"{file.name} is not {kind} file: it is another kind of file, or truncated, or damaged"


def _json_object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error}")]) from None
    if not isinstance(value, dict):
        raise SourceError(path, [Fault("file", "must hold a JSON object")])
    return value


def _plain_name(name: object) -> bool:
    """A name inside the folder, not a way out of it."""
    return isinstance(name, str) and name not in ("", ".", "..") and "/" not in name and "\\" not in name
