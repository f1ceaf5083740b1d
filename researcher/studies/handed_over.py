"""The text that goes into a platform's form: no header, and no line but those of people."""

from annotation.paying.handing_over import HandedOver
from comparison.exports.cells import cell, quoted


def text_of(found: HandedOver) -> str:
    """Ids alone are as the platform has made them. With an amount beside it, an id could say another one, or run as a
    formula: such a line is CSV, as in the export of payments. Ids that fit Prolific's or MTurk's pattern stay as is.
    """
    return "".join(f"{_line(row)}\n" for row in found.rows)


def _line(row: tuple[str, ...]) -> str:
    return row[0] if len(row) == 1 else ",".join(quoted(cell(value)) for value in row)
