"""Tables as they lie in files: heads, quotes, encodings and workbooks, told where they are not plain."""

import csv
import io
import zipfile
from datetime import datetime

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from corpus.errors import Fault
from corpus.tables.cells import cells_of
from corpus.tables.opening import How, OpenedTable, Unreadable
from corpus.tables.registry import opened


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
    assert "lines 2–4: a quotation mark opens here and closes lines below" in said(table)


def test_between_commas_rows_are_rows_where_their_first_cells_are_alike():
    text = 's1,"Stop now” she said.\ns2,The dog\ns3,He said “go!"\n'
    table = opened(f"id,text\n{text}".encode(), "items.csv")
    assert [row[0] for row in rows(table)] == ["s1", "s2", "s3"]
    dialog = opened(b'id,text\ns1,"A: hi\nB: bye, now"\ns2,x\n', "items.csv")
    assert rows(dialog) == [["s1", "A: hi\nB: bye, now"], ["s2", "x"]]
    assert "lines 2–3: quotation marks join these lines" in said(dialog)


def test_marks_around_a_cell_between_tabs_are_text_unless_the_writer_quotes():
    assert rows(opened(b'id\ttext\n1\t"Stop!"\n2\t"Stop!" he said.\n', "a.tsv"))[0] == ["1", '"Stop!"']
    assert rows(opened(b'"id"\t"text"\n"1"\t"Stop!"\n', "a.tsv")) == [["1", "Stop!"]]
    of_excel = b'id\ttext\n1\t"Well, yes."\n2\tNo.\n3\t"He said ""no""."\n'
    assert [row[1] for row in rows(opened(of_excel, "a.txt"))] == ["Well, yes.", "No.", 'He said "no".']


def test_a_backslash_before_marks_is_no_text():
    table = opened(b'"id","s"\n"1","He said \\"no\\", and left."\n"2","A."\n', "a.csv")
    assert rows(table) == [["1", 'He said "no", and left.'], ["2", "A."]]
    assert "line 2: a backslash stands before quotation marks" in said(table)
    out = io.StringIO()
    texts = ['He said "no".', 'He said "no", and left.', '"No", he said.', '"No"']
    csv.writer(out, doublequote=False, escapechar="\\").writerows([["id", "s"], *enumerate(texts)])
    assert [row[1] for row in rows(opened(out.getvalue().encode(), "a.csv"))] == texts
    assert rows(opened(b'id\ts\n1\tHe said \\"no\\".\n', "a.tsv")) == [["1", 'He said \\"no\\".']]


def test_a_mark_that_the_last_line_between_tabs_does_not_close_is_text():
    table = opened('id\ts\n1\tA.\n2\t"Stop now” is what she said.\n'.encode(), "a.tsv")
    assert rows(table)[1] == ["2", '"Stop now” is what she said.']
    assert "line 3: a quotation mark is never closed; it is kept as text" in said(table)


def test_lines_below_the_head_that_are_no_rows_are_left_out_and_told():
    text = "| id | s |\n|----|---|\n| 1 | A. |\n# two\n| id | s |\n| 2 | B. |\n| #3 | C. |\n"
    table = opened(text.encode(), "a.txt")
    found = [dict(zip(table.columns, row, strict=True)) for row in rows(table)]
    assert [row["id"].strip() for row in found] == ["1", "2", "#3"]
    assert "line 2: left out, as dashes between rows\nline 4: left out, as a comment" in said(table)
    assert "line 5: left out, as the header again" in said(table)


def test_a_title_in_any_column_stands_over_the_head():
    table = opened(workbook([None, None, "Items"], [None, "id", "sentence"], [None, "1", "A b."]), "a.xlsx")
    assert table.columns == ("id", "sentence")
    assert opened(b",sentence\n0,A b.\n", "a.csv").columns == ("column 1", "sentence")


def test_a_mark_that_nothing_closes_is_text_and_told():
    table = opened(b'id,text\n1,"Stop\n2,The dog\n', "a.csv")
    assert rows(table) == [["1", '"Stop'], ["2", "The dog"]]
    assert "line 2: a quotation mark is never closed" in said(table)


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
    table = opened(data, "a.csv", How(header=False))
    assert table.columns == ("column 1", "column 2", "column 3")
    assert len(rows(table)) == 2


def test_a_row_with_too_many_cells_is_a_fault_of_that_row_alone():
    table = opened(b"id,text\n1,The dog, it barks.\n2,The cat.\n", "a.csv")
    [(line, fault), (_, sound)] = table.lines()
    assert line == 2
    assert isinstance(fault, Fault)
    assert "needs quotation marks" in fault.message
    assert sound == ["2", "The cat."]


def test_a_first_item_with_an_id_like_those_below_looks_like_data():
    assert "looks like data" in said(opened(b"s1,the dog barks\ns2,the cat sleeps\n", "a.csv"))
    for plain in (b"q1,q2\n3,4\n5,6\n", b"item_no,is it right\n1,yes it is\n2,no it is not\n"):
        assert "looks like data" not in said(opened(plain, "a.csv"))


@pytest.mark.parametrize("above", ["Experiment 1, final version", "Items,,Norms", ",Stimuli,,"])
def test_a_title_or_a_first_line_of_a_head_of_two_is_left_out(above):
    table = opened(f"{above}\nid,sentence,freq\n1,A b.,3\n2,B c.,4\n".encode(), "a.csv")
    assert table.columns == ("id", "sentence", "freq")
    assert "line 1: above the table and left out; line 2 is" in said(table)


def test_a_head_of_two_rows_in_merged_cells_is_one():
    head = "ID,,Material,,answer\ngroup,item,passage,question,\n"
    table = opened(f"{head}A,1,Tom ran.,Did Tom run?,yes\n,2,Ann sat.,Did Ann run?,no\n".encode(), "a.csv")
    assert table.columns == ("group", "item", "passage", "question", "answer")
    assert [cells[1] for cells in rows(table)] == ["1", "2"]
    assert "lines 1 and 2: read as one header" in said(table)


@pytest.mark.parametrize("first", ["1,A dog barks.,good", "1,word,", "1,,good"])
def test_a_first_row_under_a_column_without_a_name_is_no_part_of_the_head(first):
    table = opened(f",sentence,cond\n{first}\n2,A cat runs.,bad\n3,A cow moos.,bad\n".encode(), "a.csv")
    assert table.columns == ("column 1", "sentence", "cond")
    assert len(rows(table)) == 3


@pytest.mark.parametrize("head", ["id,,sentence", "item,cond,text", "Nr,Satz,F", "code,typ,phrase"])
def test_a_head_over_rows_is_the_head(head):
    table = opened(f"{head}\ns1,word,The dog barks\ns2,text,The cat sleeps\n".encode(), "a.csv")
    assert table.head == 1
    assert len(rows(table)) == 2


def test_an_own_export_has_its_apostrophes_taken_off_however_it_was_saved_again():
    lines = [["study", "population", "item", "text"], ["s", "people", "'+d3", "'- Où"]]
    assert rows(opened(workbook(*lines), "a.xlsx"))[0][2:] == ["+d3", "- Où"]
    text = "\n".join(";".join(line[1:]) for line in lines)
    assert rows(opened(text.encode(), "a.csv"))[0] == ["people", "+d3", "- Où"]
    assert rows(opened(b"id,text\n1,'-ing' is a suffix\n", "a.csv"))[0][1] == "'-ing' is a suffix"


@pytest.mark.parametrize(
    "text", ["id|sentence\ns1|A b, c.\ns2|B c.\n", '"id" "sentence"\n"1" "s1" "A b, c."\n"2" "s2" "B c."\n']
)
def test_bars_and_the_spaces_of_r_part_cells(text):
    table = opened(text.encode(), "a.txt")
    assert table.columns[-2:] == ("id", "sentence")
    assert [row[-2:] for row in rows(table)] == [["s1", "A b, c."], ["s2", "B c."]]


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
        ("koi8-r", "id,s\n1,Собака лает громко.\n"),
        ("cp1253", "id,s\n1,Ο σκύλος γαβγίζει.\n"),
        ("cp1254", "id,s\n1,Köpek şimdi havlıyor.\n"),
        ("cp1252", "id,s\n1,Það er köttur á borðinu.\n"),
        ("cp1255", "id,s\n1,הכלב נובח.\n"),
        ("cp1256", "id,s\n1,الكلب ينبح.\n"),
        ("cp850", "id,s\n1,Größe fällt.\n"),
        ("iso-8859-2", "id,s\n1,Pies głośno żółtą.\n"),
        ("utf-32", "id,s\n1,Größe fällt.\n"),
        ("utf-32-be", "id,s\n1,Größe fällt.\n"),
        ("cp1252", "id,s\n1,I don’t.\n"),
    ],
)
def test_the_encoding_is_found_and_told(encoding, text):
    table = opened(text.encode(encoding), "a.csv")
    assert rows(table)[0][1] == text.split("\n")[1].split(table.delimiter)[1]
    assert ("Read as" in said(table)) == (not encoding.startswith("utf-8"))


def test_a_guess_names_the_encodings_that_it_may_be_as_well():
    table = opened("s\nКошка спит\n".encode("koi8-r"), "a.csv")
    assert "The encoding was guessed; choose another if letters look wrong, such as " in said(table)
    assert "Windows-1251 (Cyrillic)" in said(table)


@pytest.mark.parametrize("encoding", ["gb18030", "euc-kr", "shift_jis", "big5"])
def test_what_no_code_page_makes_letters_of_is_left_to_people(encoding):
    text = {"euc-kr": "개가 짖는다.", "shift_jis": "猫が寝ている。"}.get(encoding, "小狗在叫。")
    with pytest.raises(Unreadable, match="is not UTF-8 text"):
        opened(f"id,s\n1,{text}\n".encode(encoding), "a.csv")


def test_the_encoding_can_be_chosen():
    assert rows(opened("s\n犬\n".encode("shift_jis"), "a.csv", How(encoding="shift_jis"))) == [["犬"]]
    with pytest.raises(Unreadable, match="is not UTF-8 text"):
        opened("s\n犬が猫を\n".encode("shift_jis"), "a.csv", How(encoding="utf-8"))


# --- Excel -------------------------------------------------------------------------------------------


def test_escapes_of_excel_are_undone():
    table = opened(workbook(["id", "text"], ["d1", "A: hi_x000D_\nB: _x005F_x000D_"]), "a.xlsx")
    assert rows(table) == [["d1", "A: hi\nB: _x000D_"]]


def test_formulas_without_a_value_are_named_by_column():
    table = opened(workbook(["id", "text"], ["s1", '="The "&"dog"']), "a.xlsx")
    assert table.unstored == ("text",)
    assert "column “text”: formulas without a stored value (row 2)" in said(table)


def test_a_formula_with_an_empty_text_has_a_value():
    packed = zipfile.ZipFile(io.BytesIO(workbook(["id", "c"], ["s1", '=""'], ["s2", "x"])))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as again:
        for name in packed.namelist():
            data = packed.read(name).replace(b'<c r="B2">', b'<c r="B2" t="str">')
            again.writestr(name, data)
    table = opened(out.getvalue(), "a.xlsx")
    assert table.unstored == ()
    assert rows(table) == [["s1", None], ["s2", "x"]]


def test_a_number_is_read_with_the_zeros_that_are_shown_and_days_are_told():
    def change(book):
        book.active["A2"].number_format = "000"

    table = opened(workbook(["id", "text"], [7, "a"], [datetime(2026, 5, 3), "b"], change=change), "a.xlsx")
    assert [row[0] for row in rows(table)] == ["007", "2026-05-03"]
    assert "cell A3: a date or time in Excel" in said(table)


def test_of_several_sheets_the_largest_is_read():
    def change(book):
        sheet = book.create_sheet("items")
        for row in (["id", "sentence"], ["1", "R."]):
            sheet.append(row)

    table = opened(workbook(["My experiment"], ["See items"], change=change), "a.xlsx")
    assert (table.sheet, table.columns) == ("items", ("id", "sentence"))
    assert "there is also “Sheet”" in said(table)
    assert opened(workbook(["s"], *[["A."]] * 4, change=change), "a.xlsx").columns == ("s",)
    assert opened(workbook(["s"], *[["A."]] * 3, change=change), "a.xlsx").columns == ("s",), "the first of two alike"


def test_no_value_of_excel_is_nothing_to_labels_too():
    table = opened(workbook(["item", "label", "x"], [1, "#N/A", "#REF!"]), "a.xlsx")
    assert [found for _, found in cells_of(table, {"item": "item", "label": "label"})] == [{"item": "1", "label": ""}]
    [(_, fault)] = cells_of(table, {"x": "x"})
    assert fault == Fault("x", "contains the error #REF!")


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
        "row 2: text is struck through",
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


def test_a_comment_below_the_head_of_a_sheet_is_no_row():
    table = opened(workbook(["id", "x"], ["# part one", None], ["1", "a"], ["#2", "b"]), "a.xlsx")
    assert rows(table) == [["1", "a"], ["#2", "b"]]
    assert "row 2: left out, as a comment" in said(table)


@pytest.mark.parametrize(
    "table",
    [
        opened(b"sentence,comment\n# The rock sang a song.,\nThe dog barks.,\n", "a.csv"),
        opened(workbook(["sentence", "more"], ["# The rock sang a song.", None], ["The dog barks.", None]), "a.xlsx"),
    ],
)
def test_a_sentence_that_is_marked_as_odd_is_a_row(table):
    assert [row[0] for row in rows(table)] == ["# The rock sang a song.", "The dog barks."]


def test_below_the_head_a_line_with_delimiters_is_no_comment():
    found = dict(opened(b"item,annotator,label\n# part one\n1,ann,3\n#2,ann,3,extra\n", "a.csv").lines())
    assert list(found) == [3, 4] and isinstance(found[4], Fault)


def test_a_file_without_sheets_has_none_to_choose():
    with pytest.raises(Unreadable, match="--sheet: is for Excel files"):
        opened(b"id,x\n1,a\n", "a.csv", How(sheet="Items"))
