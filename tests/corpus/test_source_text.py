"""Sources read whole: what is wrong with their bytes is named by line."""

import pytest

from corpus.errors import Fault, SourceError
from corpus.source_text import read_text, rows

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("data", [b"one\n\xffwo\n", BOM + b"one\n\xffwo\n"], ids=["plain", "with a BOM"])
def test_what_is_not_utf8_is_named_by_its_line_and_byte(tmp_path, data):
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(SourceError, match=r"line 2: is not UTF-8 text \(byte 0xff\)"):
        read_text(tmp_path / "a.txt")
    [(line, fault)] = rows(data)
    assert isinstance(fault, Fault)
    assert (line, fault.message) == (2, "is not UTF-8 text (byte 0xff); save the file as UTF-8")


def test_a_bom_is_no_text(tmp_path):
    (tmp_path / "a.txt").write_bytes(BOM + b"one")
    assert read_text(tmp_path / "a.txt") == "one"


def test_a_folder_is_no_source(tmp_path):
    with pytest.raises(SourceError, match="file: cannot be read: Is a directory"):
        read_text(tmp_path)
