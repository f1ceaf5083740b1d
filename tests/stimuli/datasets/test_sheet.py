"""Excel workbooks as tables."""

import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from openpyxl import Workbook

from annotation.studyfile.reading import read_study
from corpus.errors import SourceError
from corpus.tables import sheet as module
from corpus.tables.opening import How
from stimuli.datasets.table.reading import read_table


def workbook(path: Path, rows, *, title="Items"):
    book = Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.create_sheet("Notes").append(["nothing of this"])
    book.save(path)
    return path


def test_values_are_read_as_they_are_seen(tmp_path):
    rows = [
        ["id", "sentence", "rating", "day"],
        [1, " A key. ", 3.5, datetime(2026, 1, 2)],
        [2, "x", 4, date(2026, 1, 3)],
    ]
    table = read_table(workbook(tmp_path / "items.xlsx", rows))
    assert table.columns == ("id", "sentence", "rating", "day")
    assert [row.where for row in table.rows] == ["row 2", "row 3"]
    assert table.rows[0].values == {"id": 1, "sentence": " A key. ", "rating": 3.5, "day": "2026-01-02"}


def test_empty_rows_and_cells_at_the_end_are_no_rows(tmp_path):
    rows = [[None], ["a", "b", None], ["1", None, None], [None, None], ["2", "3"]]
    table = read_table(workbook(tmp_path / "items.xlsx", rows))
    assert [(row.where, row.values) for row in table.rows] == [
        ("row 3", {"a": "1", "b": None}),
        ("row 5", {"a": "2", "b": "3"}),
    ]


def test_a_sheet_by_name(tmp_path):
    path = workbook(tmp_path / "items.xlsx", [["a"], ["1"]])
    assert read_table(path, how=How(sheet="Notes")).columns == ("nothing of this",)
    with pytest.raises(SourceError, match="there is no sheet 'Other'; there are Items, Notes"):
        read_table(path, how=How(sheet="Other"))


def test_columns_that_are_named_alike_have_their_numbers(tmp_path):
    table = read_table(workbook(tmp_path / "items.xlsx", [["a", "b", "a"], ["1", "2", "3"]]))
    assert table.columns == ("a (column 1)", "b", "a (column 3)")
    assert "row 1: 2 columns are called “a”; each has its number behind it here" in map(str, table.remarks)


def imported(source: Path, out: Path, *columns: str) -> None:
    more = (
        "--map",
        "sentence=sentence",
        *columns,
        "--question",
        "How natural?",
        "--set",
        "points=7",
        "low=a",
        "high=b",
    )
    call_command(
        "import_study", "table", str(source), "--out", str(out), "--no-load", "--task", "rating", *more, verbosity=0
    )


def test_an_error_of_excel_is_a_fault_where_its_column_is_asked_for(tmp_path):
    rows = [["sentence", "m"], ["A b.", "#REF!"], ["C d.", "#N/A"]]
    source = workbook(tmp_path / "items.xlsx", rows)
    imported(source, tmp_path / "made")
    assert len(read_study(tmp_path / "made").items) == 2
    with pytest.raises(CommandError, match="row 2, column 'm': contains the error #REF!"):
        imported(source, tmp_path / "none", "strength=m")


def test_what_was_noticed_of_a_file_is_told_when_it_is_refused(tmp_path):
    source = workbook(tmp_path / "items.xlsx", [["a", "b"], ["A.", "x"]])
    with pytest.raises(CommandError, match=r"(?s)there is no column.*note: The sheet “Items” is read"):
        imported(source, tmp_path / "none")


def test_files_that_are_no_workbook(tmp_path):
    text = tmp_path / "text.xlsx"
    text.write_text("a,b\n1,2\n")
    assert read_table(text).columns == ("a", "b"), "text is read as text, whatever it is called"
    text.write_bytes(b"\0\1\2")
    with pytest.raises(SourceError, match=r"is not an \.xlsx file"):
        read_table(text)
    other = tmp_path / "other.xlsx"
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("a.txt", "x")
    with pytest.raises(SourceError, match="cannot be read as an Excel file"):
        read_table(other)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_UNPACKED", 1_000_000)
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", "0" * 2_000_000)
    assert bomb.stat().st_size < 10_000
    with pytest.raises(SourceError, match="the limit is"):
        read_table(bomb)
