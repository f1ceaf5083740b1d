"""Items in another tool's file: its records as the rows of a table whose columns somebody maps."""

from pathlib import Path

from corpus.errors import SourceError
from corpus.formats.reading import read_format
from corpus.formats.registry import format_of
from corpus.formats.source import FormatFault, of_path
from corpus.tables.remarks import Remark
from stimuli.datasets.table.rows import Table, TableRow

# Such a folder is a table, of which --split chooses a part; packed, or named, it is read whole.
DATASET = "hf-dataset"
# Files that no table is in, whatever their names.
OTHER = (".json", ".zip", ".eval")


def read_foreign(path: Path, *, format: str, is_table: bool) -> Table | None:  # noqa: A002
    """The table of a tool's items; None where the file is a table, or is said to be one."""
    if is_table or not (format or path.is_dir() or path.suffix.lower() in OTHER):
        return None
    try:
        source = of_path(path)
        found = format_of(source, "items", asked=format, is_mapped=True)
        if not found or (path.is_dir() and not format and found == DATASET):
            return None
        records = read_format(found, "items", source)
    except FormatFault as fault:
        raise SourceError(path, fault.faults) from None
    remarks = tuple(Remark("", said) for said in records.remarks)
    return Table((), [TableRow(row.where, row.values) for row in records.rows], (path,), remarks=remarks)
