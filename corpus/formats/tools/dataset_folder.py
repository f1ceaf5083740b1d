"""A Hugging Face data set: a folder of `save_to_disk`, or one of Parquet, Arrow, JSON-lines or CSV files by split.

Rows are read from the files alone, never by a loading script. A label that is a number among named classes is its name.
"""

import io
from collections.abc import Iterator
from datetime import date, time
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import Found, Record, listed, named
from corpus.formats.json_text import lines, parsed
from corpus.formats.source import FormatFault, Source, refused

STATE, SPLITS, CARD = "state.json", "dataset_dict.json", "README.md"
COLUMNAR = (".parquet", ".arrow")
OTHERS = (".jsonl", ".csv", ".tsv")


def recognized(source: Source) -> bool:
    """By what save_to_disk writes, by a card beside data files, or by Parquet files."""
    if not source.is_packed:
        return source.suffix == ".parquet"
    return bool({STATE, SPLITS} & source.members.keys() or source.named(".parquet")) or (
        CARD in source.members and bool(source.named(*OTHERS))
    )


def items(source: Source) -> Found:
    """A record a row, with `split` beside its columns."""
    for name, split in _files(source):
        suffix = PurePosixPath(name).suffix.lower()
        of_text = lines(source.read(name), name=name) if suffix == ".jsonl" else source.rows(name)
        for where, row in _of_columns(source, name) if suffix in COLUMNAR else of_text:
            yield row if isinstance(row, Fault) else Record(where, {"split": split} | row)


labels = scores = texts = items


def _files(source: Source) -> list[tuple[str, str]]:
    """The data files, each with the split that it belongs to."""
    if not source.is_packed:
        (name,) = source.members
        return [(name, _split_of(name))]
    if SPLITS in source.members:
        splits = listed(named(parsed(source.read(SPLITS), where=SPLITS)).get("splits"))
        return [(name, str(split)) for split in splits for name in _saved(source, f"{split}/")]
    if STATE in source.members:
        return [(name, "") for name in _saved(source, "")]
    names = source.named(*COLUMNAR) or source.named(*OTHERS)
    if not names:
        raise refused("file", f"contains no {STATE}, {SPLITS} or {', '.join((*COLUMNAR, *OTHERS))} files")
    return [(name, _split_of(name)) for name in names]


def _saved(source: Source, folder: str) -> list[str]:
    """The files of one saved split, in the order that its state.json gives."""
    if folder + STATE not in source.members:
        raise refused(folder + STATE, "is missing, but the data set refers to it")
    state = named(parsed(source.read(folder + STATE), where=folder + STATE))
    if state.get("_indices_data_files") or state.get("_indices_files"):
        raise refused(folder + STATE, "selects rows by an index file; save it again after `flatten_indices()`")
    names = [folder + str(named(entry).get("filename")) for entry in listed(state.get("_data_files"))]
    if not names or any(name not in source.members for name in names):
        raise refused(f"{folder}{STATE}._data_files", "must list existing .arrow files")
    return names


def _split_of(name: str) -> str:
    """`train` of `data/train-00000-of-00002.parquet` and of `train.jsonl`."""
    return PurePosixPath(name).stem.split("-")[0]


def _of_columns(source: Source, name: str) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    # pyarrow takes a tenth of a second and 40 MB; whoever reads other formats pays neither.
    import pyarrow

    from corpus.formats.columnar import read_columns, rows_of

    suffix = PurePosixPath(name).suffix.lower()
    try:
        table = read_columns(io.BytesIO(source.read(name)), suffix=suffix)
        rows = rows_of(table)
    except FormatFault:
        raise
    except (OSError, ValueError, pyarrow.ArrowException):
        kind = "a Parquet" if suffix == ".parquet" else "an Arrow"
        raise refused(name, f"is not {kind} file: it is another kind of file, or truncated") from None
    for number, row in enumerate(rows, start=1):
        yield f"{name}, row {number}", {column: _plain(value) for column, value in row.items()}


def _plain(value: Any) -> Any:
    """As JSON would have it."""
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value
