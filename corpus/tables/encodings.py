"""Which encoding a text is in, where its bytes do not say: UTF-8, UTF-16, UTF-32, or code pages of spreadsheets.

A code page is guessed by what it makes of the bytes: letters that go on a word in its own script and case, are common
in one of its languages, and punctuation at a word's edge speak for it; signs inside words, capitals behind small
letters and letters that no such language has speak against it.
"""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from statistics import fmean

from corpus.errors import Remark
from corpus.source_text import NotText, decoded

UTF_8 = "utf-8"
# Python's names of what can be asked for, and what people call it.
ENCODINGS = {
    UTF_8: "UTF-8",
    "utf-16-le": "UTF-16, little end first",
    "utf-16-be": "UTF-16, big end first",
    "utf-32-le": "UTF-32, little end first",
    "utf-32-be": "UTF-32, big end first",
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
    "cp850": "DOS 850 (Western Europe; Excel’s “CSV (MS-DOS)”)",
    "iso-8859-2": "Latin-2 (ISO 8859-2, Central Europe)",
    "koi8-r": "KOI8-R (Cyrillic)",
    "shift_jis": "Shift JIS (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "euc-kr": "EUC-KR (Korean)",
}
# Letters that ASCII does not have, of the languages that are written in a code page; the most common are first.
WESTERN = (
    "éèàêçîôûâùïëœ",
    "äüößé",
    "éóíáñúü",
    "ãçáéíóêõâúà",
    "åäöé",
    "øåæé",
    "àèòùéì",
    "íáðéóæþúýö",
    "éëïöü",
)
CENTRAL = ("łąęóżśćńź", "íáéěřšžýčůúťňďó", "áéóöőíüúű", "čšžćđ", "ăîţşâșț")
CYRILLIC = ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфё", "оаиенітврслкудмпзяьбгчйхцїжшюєщфґ", "аиоенртсјукдмпвлзбгчшцжћњхљфђџ")
GREEK = ("αοιετσνηρπκυμλςωγίδάόέήθχφβύώξζψ",)
GUESSED = {
    "cp1252": WESTERN,
    "mac-roman": WESTERN,
    "cp1250": CENTRAL,
    "cp1251": CYRILLIC,
    "iso-8859-2": CENTRAL,
    "cp850": WESTERN,
    "koi8-r": CYRILLIC,
    "cp1253": GREEK,
    "cp1254": ("ıüşçğöâî",),
    "cp1255": ("יוהלאתמרבנשדכקעםחטפגזצסןךץף",),
    "cp1256": ("الينمتروبةعدسفهكقأحجشطصخىذغزضثءآظئإؤ",),
}
# One of these is in every Greek word of two syllables.
ACCENTED = frozenset("άέήίόύώ")
# Letters of words' ends, in Greek and Hebrew.
FINAL = "ςםןךץף"
MARKS = (
    (codecs.BOM_UTF8, UTF_8),
    # These begin with what marks UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Of a large file, as many bytes that ASCII does not have are looked at.
LOOKED_AT = 20_000
LEAST_LIKELY = 1.0
# A code page this much less likely than another may still be the right one.
IN_DOUBT = 1.0
MOST_NAMED = 4


def encoding_of(data: bytes) -> str:
    """The encoding of these bytes: as their mark says, else a guess; UTF-8 where no guess makes text of them."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return encoding
    if b"\0" in data:
        return _wide(data)
    try:
        decoded(data)
    except NotText:
        return next(iter(code_pages(data)), UTF_8)
    return UTF_8


def remark_on(encoding: str, data: bytes) -> Remark:
    """That an encoding was not asked for, and of a guess which it may be as well."""
    if encoding not in GUESSED:
        return Remark("", f"read as {ENCODINGS[encoding]}, detected from its bytes")
    others = [ENCODINGS[other] for other in code_pages(data) if other != encoding]
    such = f", such as {', '.join(others[:MOST_NAMED])}" if others else ""
    another = f"choose another if letters look wrong{such}"
    return Remark("", f"read as {ENCODINGS[encoding]}. The encoding was guessed; {another}")


def code_pages(data: bytes) -> list[str]:
    """The code pages that make a text of these bytes, the likeliest first; of two with one text, one."""
    likely, texts = dict[str, float](), dict[str, str]()
    for encoding, languages in GUESSED.items():
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        first = texts.setdefault(text, encoding)
        likely[first] = max(likely.get(first, -9.0), _likelihood(text, languages))
    most = max(likely.values(), default=0.0)
    if most < LEAST_LIKELY:
        return []
    return sorted((one for one in likely if likely[one] > most - IN_DOUBT), key=lambda one: -likely[one])


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


def _wide(data: bytes) -> str:
    """UTF-32 where that makes a text; UTF-16 by the side on which the zeros of ASCII characters stand; else UTF-8."""
    by_zeros = "utf-16-le" if data[1::2].count(0) >= data[0::2].count(0) else "utf-16-be"
    for encoding in ("utf-32-le", "utf-32-be", by_zeros):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(unicodedata.category(one) in ("Cc", "Cn", "Co") and one not in "\r\n\t" for one in text[:LOOKED_AT]):
            return encoding
    return UTF_8


def _likelihood(text: str, languages: Sequence[str]) -> float:
    """How much a text looks like one: the mean of what each character that ASCII does not have speaks for."""
    places = [match.start() for match in islice(re.finditer(r"[^\x00-\x7f]", text), LOOKED_AT)]
    fit = fmean(_fit(text[max(at - 1, 0) : at], text[at], text[at + 1 : at + 2]) for at in places)
    letters = Counter(text[at].lower() for at in places if text[at].isalpha())
    commonness = max(sum(many * _is_common(one, order) for one, many in letters.items()) for order in languages)
    if languages is GREEK and ACCENTED.isdisjoint(letters):
        fit -= 0.3
    return fit + commonness / len(places)


def _is_common(letter: str, order: str) -> float:
    """How common a letter is in a language: from 1 for the first of its order to 0.3; less than none if it has none."""
    place = order.find(letter)
    return 1.0 - 0.7 * place / len(order) if place >= 0 else -0.5


def _fit(before: str, one: str, after: str) -> float:
    """What one character between its neighbors speaks for: its own kind, and whether it goes with them."""
    kind = unicodedata.category(one)
    if kind[0] != "L":
        return _fit_of_sign(before, one, after)
    fit = 1.0
    if kind == "Lu":
        fit = -2.0 if before.islower() else 0.9
    elif after.isupper():
        fit = -0.5
    if one in FINAL and after.isalpha():
        fit -= 1.5
    if one in "ŽŠŸžšÿƒ":
        # What Mac Roman's é, ä, ü and ö look like.
        fit -= 0.5
    for neighbor in (before, after):
        if neighbor.isalpha():
            fit -= 3.0 if _script(neighbor) != _script(one) else 0.0
            fit -= 0.4 if not neighbor.isascii() and _script(one) == "LATIN" else 0.0
    return fit


def _fit_of_sign(before: str, one: str, after: str) -> float:
    """What a sign speaks for: inside a word it is a letter of another code page; quotation marks stand at its edge."""
    if one == "’" and before.isalpha() and after.isalpha():
        return 2.0 if after in "dlmrstv" else 1.0
    if (before.isalpha() and after.isalpha()) or unicodedata.category(one)[0] == "C":
        return -2.0
    if one in "“„‘‚«”’»–—":
        closes = not after.isalpha() and one not in "„‚"
        return 2.0 if closes or not before.isalpha() else -0.5
    if unicodedata.category(one)[0] in "PZ" and one not in "‹›‡·":
        return 1.0
    return 1.0 if before.isdigit() or after.isdigit() or one in "°€£±×" else -0.5


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]
