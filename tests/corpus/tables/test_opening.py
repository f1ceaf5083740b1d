"""Tables as they lie in files: heads, quotes, encodings and workbooks, told where they are not plain."""

import io

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from corpus.errors import Fault
from corpus.tables.cells import cells_of
from corpus.tables.opening import OpenedTable, Unreadable, opened


def rows(table: OpenedTable) -> list[list[str]]:
    return [list(found) for _, found in table.lines() if not isinstance(found, Fault)]


def said(table: OpenedTable) -> str:
    return "\n".join(map(str, table.remarks))


def workbook(*lines, change=None) -> bytes:
    book = Workbook()
    for line in lines:
        book.active.append(line)
    if change:
        change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


# --- Quotation marks ---------------------------------------------------------------------------------


def test_a_quotation_mark_never_joins_rows_of_tabs_in_silence():
    text = 'id\ttext\n1\t"Stop now” she said.\n2\tThe dog barks.\n3\tHe said “go!"\n4\tThe cat sleeps.\n'
    table = opened(text.encode(), "items.tsv")
    assert [row[1] for row in rows(table)] == [
        '"Stop now” she said.',
        "The dog barks.",
        'He said “go!"',
        "The cat sleeps.",
    ]
    assert "lines 2–4: a quotation mark opens and another closes lines below" in said(table)


def test_between_commas_rows_are_rows_where_their_first_cells_are_alike():
    text = 's1,"Stop now” she said.\ns2,The dog\ns3,He said “go!"\n'
    table = opened(f"id,text\n{text}".encode(), "items.csv")
    assert [row[0] for row in rows(table)] == ["s1", "s2", "s3"]
    dialog = opened(b'id,text\ns1,"A: hi\nB: bye, now"\ns2,x\n', "items.csv")
    assert rows(dialog) == [["s1", "A: hi\nB: bye, now"], ["s2", "x"]]
    assert "lines 2–3: quotation marks hold these lines together" in said(dialog)


def test_marks_around_a_cell_between_tabs_are_text_unless_the_writer_quotes():
    assert rows(opened(b'id\ttext\n1\t"Stop!"\n2\t"Stop!" he said.\n', "a.tsv"))[0] == ["1", '"Stop!"']
    assert rows(opened(b'"id"\t"text"\n"1"\t"Stop!"\n', "a.tsv")) == [["1", "Stop!"]]
    of_excel = b'id\ttext\n1\t"Well, yes."\n2\tNo.\n3\t"He said ""no""."\n'
    assert [row[1] for row in rows(opened(of_excel, "a.txt"))] == ["Well, yes.", "No.", 'He said "no".']


def test_a_mark_that_nothing_closes_is_text_and_told():
    table = opened(b'id,text\n1,"Stop\n2,The dog\n', "a.csv")
    assert rows(table) == [["1", '"Stop'], ["2", "The dog"]]
    assert "line 2: a quotation mark opens that nothing closes" in said(table)


# --- The head ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("above", "left_out"),
    [
        ("#Ratings of 2020\n#Read with skip=2\n", "lines 1 and 2"),
        ("Experiment 1,,\n,,\n", "line 1"),
        ("Experiment 1\n\n", "line 1"),
        ("Ratings of experiment 1, published with the paper\n", "line 1"),
    ],
)
def test_lines_above_the_head_are_left_out_and_told(above, left_out):
    table = opened(f"{above}id,sentence,cond\n1,The dog.,a\n2,The cat.,b\n".encode(), "a.csv")
    assert table.columns == ("id", "sentence", "cond")
    assert f"{left_out}: above the table" in said(table)


@pytest.mark.parametrize("text", ["The dog, it barks.\nThe cat, it sleeps.\n", "A, b, c.\nNone here\n"])
def test_one_column_of_texts_with_commas_is_one_column(text):
    table = opened(f"sentence\n{text}".encode(), "a.csv")
    assert table.columns == ("sentence",)
    assert [row[0] for row in rows(table)] == text.split("\n")[:-1]


def test_excels_line_for_the_delimiter_is_followed():
    assert rows(opened(b"sep=;\nid;text\n1;a, b\n", "a.csv")) == [["1", "a, b"]]


def test_columns_without_name_and_cell_are_dropped_and_those_with_cells_are_called_by_number():
    assert opened(b"id,text,,\ns1,a,,\ns2,b,,\n", "a.csv").columns == ("id", "text")
    table = opened(b",text\n0,a\n1,b\n", "a.csv")
    assert table.columns == ("column 1", "text")
    assert "“column 1”" in said(table)
    of_r = opened(b'"id"\t"text"\n"1"\t"a"\t"x"\n"2"\t"b"\t"y"\n', "a.txt")
    assert of_r.columns == ("column 1", "id", "text")


def test_a_first_line_that_looks_like_data_is_told_and_can_be_data():
    data = b"1,The dog barks.,3\n2,The cat sleeps.,4\n"
    assert "looks like data" in said(opened(data, "a.csv"))
    table = opened(data, "a.csv", header=False)
    assert table.columns == ("column 1", "column 2", "column 3")
    assert len(rows(table)) == 2


def test_a_row_with_too_many_cells_is_a_fault_of_that_row_alone():
    table = opened(b"id,text\n1,The dog, it barks.\n2,The cat.\n", "a.csv")
    [(line, fault), (_, sound)] = table.lines()
    assert line == 2
    assert isinstance(fault, Fault)
    assert "needs quotation marks" in fault.message
    assert sound == ["2", "The cat."]


# --- Encodings ---------------------------------------------------------------------------------------

GERMAN = "id;satz\n1;Der Hund fängt für Österreich Bälle.\n2;Äpfel – „süß“\n"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", GERMAN),
        ("utf-8-sig", GERMAN),
        ("utf-16", GERMAN),
        ("utf-16-le", GERMAN),
        ("utf-16-be", GERMAN),
        ("utf-16-le", "a;b\n漢字;日本\n"),
        ("cp1252", GERMAN),
        ("cp1252", "id,s\n1,Il a été à l’école – “oui”.\n2,¿Qué comió el niño?\n"),
        ("mac-roman", GERMAN),
        ("mac-roman", "id,s\n1,Il a été à l’école – “oui”.\n"),
        ("cp1250", "id,s\n1,Zażółć gęślą jaźń\n"),
        ("cp1251", "id,s\n1,Собака лает на кошку.\n"),
    ],
)
def test_the_encoding_is_found_and_told(encoding, text):
    table = opened(text.encode(encoding), "a.csv")
    assert rows(table)[0][1] == text.split("\n")[1].split(table.delimiter)[1]
    assert ("Read as" in said(table)) == (not encoding.startswith("utf-8"))


def test_the_encoding_can_be_chosen():
    assert rows(opened("s\n犬\n".encode("shift_jis"), "a.csv", encoding="shift_jis")) == [["犬"]]
    with pytest.raises(Unreadable, match="is not UTF-8 text"):
        opened("s\n犬が猫を\n".encode("shift_jis"), "a.csv", encoding="utf-8")


# --- Excel -------------------------------------------------------------------------------------------


def test_escapes_of_excel_are_undone():
    table = opened(workbook(["id", "text"], ["d1", "A: hi_x000D_\nB: _x005F_x000D_"]), "a.xlsx")
    assert rows(table) == [["d1", "A: hi\nB: _x000D_"]]


def test_formulas_without_a_value_are_named_by_column():
    table = opened(workbook(["id", "text"], ["s1", '="The "&"dog"']), "a.xlsx")
    assert table.unstored == ("text",)
    assert "column “text”: formulas without a stored value (row 2)" in said(table)


def test_hidden_struck_out_and_merged_cells_are_told():
    def change(book):
        sheet = book.active
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["C"].hidden = True
        sheet["B2"] = CellRichText(["The ", TextBlock(InlineFont(strike=True), "dog"), " barks."])
        sheet.merge_cells("A4:A5")
        book.create_sheet("other")

    lines = [["id", "text", "c"], ["s1", "", "x"], ["s2", "b", "x"], ["s3", "c", "x"], [None, "d", "x"]]
    table = opened(workbook(*lines, change=change), "a.xlsx")
    for remark in (
        "row 3: hidden in the sheet",
        "column C: hidden",
        "row 2: text is struck out",
        "cell A5: merged with a cell above",
        "there is also “other”",
    ):
        assert remark in said(table)
    assert [row[0] for row in rows(table)] == ["s1", "s2", "s3", "s3"]
    assert table.sheets == ("Sheet", "other")


def test_a_title_above_the_head_of_a_sheet_is_left_out():
    table = opened(workbook(["Experiment 1"], [], ["id", "text"], ["s1", "a b"]), "a.xlsx")
    assert table.columns == ("id", "text")
    assert "row 1: above the table" in said(table)


def test_a_workbook_gives_texts_to_labels_and_scores():
    table = opened(workbook(["item", "label"], [1, 3.0], ["x", None]), "a.xlsx")
    assert [found for _, found in cells_of(table, {"item": "item", "label": "label"})] == [
        {"item": "1", "label": "3"},
        {"item": "x", "label": ""},
    ]


# --- JSON --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "1", "a": {"b": "x"}}]',
        '{"id": "1", "a": {"b": "x"}}\n{"id": "2", "a": {"b": "y"}}\n',
        '{"data": [{"id": "1", "a": {"b": "x"}}]}',
    ],
)
def test_json_is_read_as_records(text):
    table = opened(text.encode(), "a.json")
    first = next(cells_of(table, {"id": "id", "text": "a.b"}))
    assert first == (1, {"id": "1", "text": "x"})
