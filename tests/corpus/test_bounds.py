"""The bounds on what is sent: docs/running.md says each of them, and every reader of tables holds to them."""

import io
import os
import re
import resource
import time
import zipfile
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from corpus import bounds
from corpus.errors import Fault, SourceError
from corpus.formats.apart import records_apart
from corpus.tables import sheet
from corpus.tables.registry import opened
from stimuli.datasets.table.columns import BLANKS, NUMBER
from stimuli.datasets.table.reading import read_table

PAGE = Path(__file__).parents[2] / "docs" / "running.md"
WIDE = 200_000
TAB, QUOTED = "\t", '"a"'


def test_docs_running_md_says_every_bound():
    section = PAGE.read_text().partition("## Limits on what people send")[2]
    said = {int(number.replace(",", "")) for number in re.findall(r"^\|.*\| ([\d,]+) \|$", section, re.MULTILINE)}
    declared = {value for name, value in vars(bounds).items() if name.startswith(("MOST", "LONGEST"))}
    assert said == declared - {bounds.LONGEST_MESSAGE}


def row(delimiter, cell="1", many=WIDE):
    return delimiter.join([cell] * many)


def names(many, value="1"):
    return "{" + ",".join(f'"n{number}":{value}' for number in range(many)) + "}"


def refused(path):
    began = time.process_time()
    with pytest.raises(SourceError) as error:
        read_table(path)
    assert time.process_time() - began < 5
    return str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.csv", f"{row(',')}\n{row(',')}\n", "line 1"),
        ("a.tsv", f"{row(TAB)}\n{row(TAB)}\n", "line 1"),
        ("quoted.csv", f"{row(',', QUOTED)}\n{row(',', QUOTED)}\n", "line 1"),
        ("spaced.csv", f"{row(', ', QUOTED)}\n", "line 1"),
        ("below.csv", f"a,b\n{row(',')}\n", "line 1"),
        ("lines.jsonl", f"{names(WIDE)}\n", "line 1"),
        ("list.json", f"[{names(WIDE)}]", "record 1"),
        ("each.jsonl", "".join(f'{{"n{number}": 1}}\n' for number in range(WIDE)), "file"),
    ],
)
def test_a_table_of_too_many_columns_is_refused_at_once(tmp_path, name, text, where):
    (tmp_path / name).write_text(text)
    assert f"{where}: has more than 1,000 columns" in refused(tmp_path / name)


def test_so_is_a_parquet_file_by_its_schema(tmp_path):
    table = pyarrow.table({f"n{number}": [1] for number in range(1_001)})
    pyarrow.parquet.write_table(table, tmp_path / "wide.parquet")
    assert "has more than 1,000 columns" in refused(tmp_path / "wide.parquet")


def test_a_parquet_file_of_few_bytes_and_many_rows_is_refused_before_it_is_read(tmp_path):
    table = pyarrow.table({"n": pyarrow.nulls(3_000_000, pyarrow.int8())})
    pyarrow.parquet.write_table(table, tmp_path / "long.parquet")
    assert (tmp_path / "long.parquet").stat().st_size < 10_000
    assert "has more than 1,000,000 rows" in refused(tmp_path / "long.parquet")


def test_a_workbook_of_too_many_cells_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sheet, "MOST_SHEET_CELLS", 1_000)
    book = openpyxl.Workbook()
    for _ in range(2):
        one = book.create_sheet()
        for _ in range(60):
            one.append([1] * 10)
    book.save(tmp_path / "cells.xlsx")
    assert "has more than 1,000 cells; save the sheet as CSV" in refused(tmp_path / "cells.xlsx")


SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData>{}</worksheet>'
CELL = '<row r="{0}"><c r="A{0}"><v>1</v></c></row>'


def book(rows, after=""):
    """A workbook whose sheet holds just this."""
    plain, made = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(plain)
    with zipfile.ZipFile(plain) as read, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name in read.namelist():
            out.writestr(name, SHEET.format(rows, after) if name.endswith("sheet1.xml") else read.read(name))
    return made.getvalue()


@pytest.mark.slow
def test_a_sheet_of_more_rows_than_excel_has_is_refused():
    with pytest.raises(SourceError, match="has a row beyond the 1,048,576 that Excel has"):
        records_apart(book(CELL.format(1) + CELL.format(2_000_000_000)), "a.xlsx", "labels")


def test_rows_without_a_number_are_counted_and_refused_when_excel_s_are_passed(monkeypatch):
    monkeypatch.setattr(sheet, "MOST_SHEET_ROWS", 1_000)
    with pytest.raises(sheet.NotSheet, match="has a row beyond the 1,000 that Excel has"):
        sheet.read_cells(book("<row/>" * 1_100))


BLANK = '<row r="{0}" s="1" customFormat="1"><c r="A{0}" s="0"/><c r="B{0}" s="0"></c></row>'


@pytest.mark.parametrize(
    ("after", "last"), [("", 2_003), ("<!-- <row> -->", 2_003), ('<row><c r="A2004"><v>2</v></c></row>', 2_004)]
)
def test_cells_that_have_a_format_and_nothing_in_them_are_no_cells(monkeypatch, after, last):
    """Somebody colored two columns far down; rows keep their numbers, and a comment is no row."""
    monkeypatch.setattr(sheet, "MOST_SHEET_CELLS", 10)
    monkeypatch.setattr(sheet, "SMALL", 1_000)
    rows = CELL.format(1) + "".join(BLANK.format(number) for number in range(2, 2_003)) + CELL.format(2_003) + after
    assert [number for number, _ in sheet.read_cells(book(rows)).rows] == sorted({1, 2_003, last})


def test_cells_without_places_keep_theirs(monkeypatch):
    """What stands after a cell with a format and nothing in it stays in its own column."""
    monkeypatch.setattr(sheet, "SMALL", 10)
    [(_, cells)] = sheet.read_cells(book('<row r="1"><c><v>1</v></c><c s="0"/><c><v>3</v></c></row>')).rows
    assert len(cells) == 3 and not cells[1]


@pytest.mark.slow
def test_a_workbook_formatted_to_its_end_is_read_in_seconds():
    rows = CELL.format(1) + "".join(BLANK.format(number) for number in range(2, 300_000))
    data, began = book(rows), resource.getrusage(resource.RUSAGE_SELF).ru_utime
    assert len(sheet.read_cells(data).rows) == 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - began < 5


@pytest.mark.slow
def test_merged_cells_without_number_are_a_drawing():
    merged = '<mergeCell ref="A1:A100000"/>' * 100_000
    rows = "".join(CELL.format(number) for number in range(1, 4))
    assert records_apart(book(rows, f"<mergeCells>{merged}</mergeCells>"), "a.xlsx", "labels") is not None


@pytest.mark.slow
def test_a_parquet_file_of_few_bytes_and_a_long_list_is_not_taken_into_this_process():
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"item": [[0] * 9_000_000]}), file)
    with pytest.raises(SourceError, match="has more than 8,000,000 values; use the command"):
        records_apart(file.getvalue(), "a.parquet", "labels")


@pytest.mark.parametrize(
    ("text", "is_over"),
    [
        ('["a, b, [c], {d}", 1]', False),
        (r'["\\", "a\",,,,,\"", "b"]', False),
        (r'["\\\",,,,,,", 2]', False),
        ("[1, 2, 3, 4]", True),
        ('["a", "b", {"c": ","}, "d"]', True),
        ('"",' * 20, True),
        ('"' * 20 + ",,,,", True),
    ],
)
def test_values_are_counted_and_not_commas_within_texts(text, is_over):
    for one in (text, text.encode()):
        assert bool(bounds.fault_of_values(one, most=3)) == is_over


@pytest.mark.parametrize(("name", "most"), [("MOST_ROWS", 100), ("MOST_CELLS", 200)])
def test_a_table_of_too_many_rows_or_cells_is_refused(tmp_path, monkeypatch, name, most):
    monkeypatch.setattr(bounds, name, most)
    (tmp_path / "long.csv").write_text("a,b\n" + "1,2\n" * 101)
    what = {"MOST_ROWS": "rows", "MOST_CELLS": "cells"}[name]
    assert f"file: has more than {most} {what}" in refused(tmp_path / "long.csv")


def test_a_table_as_wide_as_may_be_and_long_texts_with_commas_are_read(tmp_path):
    passage = "One, two, " * 2_000
    head = ",".join(f"n{number}" for number in range(999))
    (tmp_path / "wide.csv").write_text(f'{head},text\n{row(",", many=999)},"{passage}"\n' * 1)
    table = read_table(tmp_path / "wide.csv")
    assert len(table.columns) == 1_000
    assert table.rows[0].values["text"] == passage


@pytest.mark.slow
@pytest.mark.parametrize("inside", ["[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500, "[" * 200_000])
@pytest.mark.parametrize("use", ["labels", "scores", "items"])
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_what_is_nested_deeply_never_ends_a_reader(name, inside, use):
    text = {
        "a.jsonl": f'{{"item": "1", "label": {inside}}}\n',
        "a.json": f'[{{"item": "1", "label": {inside}}}]',
        "a.csv": "item,label\n1,{}\n".format('"' + inside.replace('"', '""') + '"'),
    }[name]
    try:
        found = records_apart(text.encode(), name, use)
    except SourceError as error:
        assert "memory" not in str(error)
    else:
        assert found is None or found.rows


LONG = 500_000
# Each takes a second or less where time grows with length, and hours where it grows with its square.
LINES = {
    "spaces after a word": "word" + " " * LONG + "x\ny\n",
    "commas in doubled marks": 'a\tb\n"' + "," * LONG + '""b"\t"plain"\n',
    "an open bracket": "a,b\nx,[" + " " * LONG + "\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("case", LINES)
def test_no_line_takes_time_that_grows_with_its_square(case):
    """By what a process may use of a processor: how fast the machine is, and what else it does, is no matter."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        list(opened(LINES[case].encode(), "a.tsv" if "\t" in LINES[case] else "a.csv").lines())
        any(one.search(LINES[case]) for one in BLANKS)
        NUMBER.fullmatch("1" * LONG + "x")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.slow
def test_a_name_given_twice_among_many_is_found_at_once(tmp_path):
    (tmp_path / "twice.jsonl").write_text(names(100_000)[:-1] + ',"n5":1}\n')
    assert "n5 is given twice" in refused(tmp_path / "twice.jsonl")


def test_a_fault_does_not_say_again_all_that_was_sent():
    assert len(Fault("f" * 10_000, "m" * 10_000_000).message) < 3_000
