"""Tables for programs: CSV and Parquet say the same, on every line whose labels they hold, and do not drift."""

import csv

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from comparison.bundle.making import typed, write_tables
from comparison.exports.cells import cell, lines
from comparison.exports.registry import IN_REPORT, export
from comparison.figures.file import Row
from comparison.frame.filters.selection import Selection


def test_columns_are_of_what_is_in_them():
    header = ["truth", "whole", "number", "text", "mixed", "nothing", "digits"]
    rows: list[Row] = [
        [True, 1, 0.5, "=1", 1, None, "007"],
        [None, None, 2, "", "a", "", "1"],
        [False, 3, None, None, 0.25, None, "2"],
    ]
    table = typed(header, rows)
    assert table.schema.types == [
        pa.bool_(), pa.int64(), pa.float64(), pa.string(), pa.string(), pa.string(), pa.string()
    ]  # fmt: skip
    assert table.to_pydict() == {
        "truth": [True, None, False],
        "whole": [1, None, 3],
        "number": [0.5, 2.0, None],
        "text": ["=1", "", None],
        "mixed": ["1", "a", "0.25"],
        "nothing": [None, "", None],
        "digits": ["007", "1", "2"],
    }


def test_columns_of_one_name_both_stay():
    assert typed(["a", "a"], [[1, 2]]).num_columns == 2


def test_a_table_without_rows_has_its_columns():
    assert typed(["a", "b"], []).column_names == ["a", "b"]


@pytest.mark.slow
def test_parquet_says_what_csv_says(synthetic_study, tmp_path):
    for what in IN_REPORT:
        write_tables(synthetic_study, what, tmp_path)
        if what == "numbers":
            assert not (tmp_path / "numbers.csv").exists(), "it has no lines"
            continue
        with (tmp_path / f"{what}.csv").open(encoding="utf-8", newline="") as file:
            written = list(csv.DictReader(file))
        stored = pq.read_table(tmp_path / f"{what}.parquet").to_pylist()
        assert [{name: cell(value) for name, value in row.items()} for row in stored] == written
        assert {row["population"] for row in stored} <= {"synthetic"}


@pytest.mark.slow
def test_the_csv_is_the_download_but_for_what_depends_on_who_asked(study, tmp_path):
    for what in ("items", "breakdown", "report"):
        write_tables(study, what, tmp_path)
        found = (tmp_path / f"{what}.csv").read_text(encoding="utf-8")
        downloaded = "".join(lines(export(what)(study, Selection()))).replace("\r\n", "\n")
        if what == "report":
            kept = [line for line in downloaded.splitlines() if ",aggregation," not in line]
            assert len(kept) < len(downloaded.splitlines())
            downloaded = "\n".join(kept) + "\n"
        assert found == downloaded
