"""Workbooks of several sheets, as researchers keep them."""

import io

from openpyxl import Workbook

NOTES = [["what", "who", "when"], ["Collected in the lab.", "Mara", "May"], ["Revised later.", "Jon", "June"]]
ITEMS: list[list[object]] = [["Item ID", "Grammatical", "Ungrammatical", "Topic"]]
ITEMS += [[n, f"The {noun} runs.", f"The {noun} run.", "agreement"] for n, noun in enumerate(("dog", "cat", "cow"), 1)]


def workbook(**sheets):
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


BOTH = {"text": workbook(Notes=NOTES, Items=ITEMS), "name": "pairs.xlsx"}
