"""Which encoding a text is in, where its bytes do not say: UTF-8, UTF-16, or the code pages that spreadsheets write.

A code page is guessed by what it makes of the bytes: letters that go on a word in its own script and case, and
punctuation that stands at a word's edge, speak for it; signs inside words and capitals behind small letters against.
"""

import codecs
import re
import unicodedata
from itertools import islice
from statistics import fmean

from corpus.source_text import NotText, decoded

UTF_8 = "utf-8"
# Python's names of what can be asked for, and what people call it.
ENCODINGS = {
    UTF_8: "UTF-8",
    "utf-16-le": "UTF-16, little end first",
    "utf-16-be": "UTF-16, big end first",
    "cp1252": "Windows-1252 (Western Europe)",
    "mac-roman": "Mac Roman",
    "cp1250": "Windows-1250 (Central Europe)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "iso-8859-1": "Latin-1 (ISO 8859-1)",
    "iso-8859-15": "Latin-9 (ISO 8859-15)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "shift_jis": "Shift JIS (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "euc-kr": "EUC-KR (Korean)",
}
GUESSED = ("cp1252", "mac-roman", "cp1250", "cp1251")
MARKS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Of a large file, as many bytes that ASCII does not have are looked at.
LOOKED_AT = 20_000
LEAST_LIKELY = 0.3


def encoding_of(data: bytes) -> str:
    """The encoding of these bytes: as their mark says, else a guess; UTF-8 where no guess makes text of them."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return encoding
    if b"\0" in data:
        return _utf_16(data)
    try:
        decoded(data)
    except NotText:
        return _code_page(data)
    return UTF_8


def text_in(data: bytes, encoding: str) -> str:
    """The bytes as text, without a mark; NotText, with the line, where they are none in that encoding."""
    if encoding == UTF_8:
        return decoded(data)
    for mark, one in MARKS:
        if one == encoding:
            data = data.removeprefix(mark)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, errors="ignore").count("\n") + 1
        raise NotText(line, data[error.start], ENCODINGS[encoding]) from None


def _utf_16(data: bytes) -> str:
    """By the side on which the zeros of ASCII characters stand; UTF-8 where that makes no text."""
    encoding = "utf-16-le" if data[1::2].count(0) >= data[0::2].count(0) else "utf-16-be"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return UTF_8
    odd = sum(unicodedata.category(one) in ("Cc", "Cn", "Co") and one not in "\r\n\t" for one in text[:LOOKED_AT])
    return encoding if not odd else UTF_8


def _code_page(data: bytes) -> str:
    """The likeliest code page; UTF-8, which the bytes are not, where none makes text of them."""
    best, most = UTF_8, LEAST_LIKELY
    for encoding in GUESSED:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        likely = _likelihood(text)
        if likely > most:
            best, most = encoding, likely
    return best


def _likelihood(text: str) -> float:
    """How much a text looks like one: the mean of what each character that ASCII does not have speaks for."""
    places = [found.start() for found in islice(re.finditer(r"[^\x00-\x7f]", text), LOOKED_AT)]
    return fmean(_fit(text[max(at - 1, 0) : at], text[at], text[at + 1 : at + 2]) for at in places)


def _fit(before: str, one: str, after: str) -> float:
    """What one character between its neighbors speaks for: its own kind, and whether it goes with them."""
    kind = unicodedata.category(one)
    if kind[0] != "L":
        # A sign inside a word is a letter of another code page; quotation marks and dashes stand at its edge.
        if (before.isalpha() and after.isalpha() and one != "’") or kind[0] == "C":
            return -2.0
        return 0.5 if kind[0] in "PZ" and one not in "‹›‡·" else 0.4 if before.isdigit() or after.isdigit() else -0.5
    fit = 1.0
    if kind == "Lu":
        fit = -2.0 if before.islower() else 0.9
    elif after.isupper():
        fit = -0.5
    if one in "ŽŠŸžšÿƒ":
        # What Mac Roman's é, ä, ü and ö look like.
        fit -= 0.5
    for beside in (before, after):
        if beside.isalpha():
            fit -= 3.0 if _script(beside) != _script(one) else 0.0
            fit -= 0.4 if not beside.isascii() and _script(one) == "LATIN" else 0.0
    return fit


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]
