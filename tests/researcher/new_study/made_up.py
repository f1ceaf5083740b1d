"""A tool's format and a form of table that nobody has seen, each registered as one object and read by this module."""

import io
import zipfile

from corpus.formats import registry as formats
from corpus.formats.contract import ITEM, LABEL, Found, Record
from corpus.formats.source import Source
from corpus.tables import registry as tables
from corpus.tables.opening import How, OpenedTable, read_delimited

BEGINS, MEMBER = b"- made up", "content.made-up"


def recognized(source: Source) -> bool:
    return not source.is_packed and source.only.startswith(BEGINS)


def items(source: Source) -> Found:
    for number, line in enumerate(source.only.decode().splitlines()[1:], start=1):
        yield Record(f"entry {number}", {ITEM: f"e{number}", "sentence": line})


def labels(source: Source) -> Found:
    for number, line in enumerate(source.only.decode().splitlines()[1:], start=1):
        yield Record(f"entry {number}", {ITEM: f"e{number}", LABEL: line})


def read(data: bytes, how: How) -> OpenedTable:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return read_delimited(packed.read(MEMBER), how)


FORMAT = formats.Format("Made-up tool", "an export", (".yml",), "Export.", ("items", "labels"), __name__)
FORM = tables.Form(name="Made-up sheet", suffixes=(".made",), read=read, member=MEMBER)


def register() -> None:
    """In this process, as its lines in both registries would."""
    formats.FORMATS["made-up"] = FORMAT
    tables.FORMS = (*tables.FORMS, FORM)


def sheet(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(MEMBER, text)
    return out.getvalue()
