"""Where a word of a text begins and ends (docs/metrics.md, P7 and L4). The standard library only."""

import re
import unicodedata
from dataclasses import replace

from annotation.tasktypes.contract import Region, Unscored
from annotation.tasktypes.regions import JOINERS

LETTER, CURRENCY = r"[^\W\d_]", "$¢£¤¥฿\u20a0-\u20cf"
# A word as readers see it: figures with their marks and units, abbreviations with their periods, and inside any word
# its hyphens and apostrophes. Punctuation after it does not belong to it.
WORD = re.compile(
    rf"""
    (?<!\w)(?:{LETTER}{{1,2}}\.){{2,}}(?!\w)                    # U.S., p.m., Ph.D.
    |
    (?:(?<!\w)[-−+](?=[\d{CURRENCY}]))?                         # −5
    (?:[A-Z]{{0,3}}[{CURRENCY}](?=\.?\d)|(?<!\w)[#@№§](?=\w))?  # $3.50, US$5, #1
    (?:(?<![\w.])\.(?=\d))?\w+
    (?:
        (?:
            [-‐‑'’＇·‧׳״\xad]                                   # don't, roof-tiles, col·lecció
            | (?<=\d)[.,:/٫٬](?=\d)                             # 3,000, 10:30, 1/2
            | (?<=[^\W\d_a-z])[.&](?=[^\W\d_a-z])               # U.S, AT&T
            | \.(?=[a-z])                                       # example.com
        )\w+
    )*
    (?:[%‰°′″]{LETTER}?(?!\w)|[{CURRENCY}](?!\w)|\+{{1,2}}(?!\w)|\#(?!\w))?  # 50%, 20°C, 5€, C++
    """,
    re.VERBOSE,
)
# Scripts that set no spaces between words: of South-East Asia and Tibet, Yi, Han, kana and bopomofo.
SPACELESS = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\u3005-\u3007\u3021-\u3035\u303b"
    "\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua980-\ua9ff\uaa60-\uaadf"
    "\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)


def last_word(text: str) -> Region | Unscored:
    """The last word of a text, without the punctuation after it, or why it has none that can be told."""
    words = list(WORD.finditer(_without_marks(text)))
    if not words:
        return Unscored("the text has no word")
    start, end = words[-1].span()
    if spaceless(text[start:end]):
        return Unscored(f"{text[start:end]!r} is in a script without spaces, so its last word cannot be identified")
    return Region("last_word", start, end)


def count_of_words(text: str) -> int | Unscored:
    """How many words a text has by its spaces, or why they cannot be counted."""
    words = text.split()
    if not words:
        return Unscored("the text has no word")
    if (one := spaceless(text)) is not None:
        return Unscored(f"{one!r} is in a script without spaces, so words cannot be counted")
    return len(words)


def spaceless(text: str) -> str | None:
    """The first letter of a script that sets no spaces between words."""
    return next((one[0] for one in SPACELESS.finditer(text) if one[0].isalpha()), None)


def whole(text: str, region: Region) -> Region:
    """The region with its ends moved outwards where they part a mark from the letter that it stands on."""
    start, end = region.start, region.end
    while 0 < start < len(text) and _belongs_to_what_precedes(text[start]):
        start -= 1
    while end < len(text) and _belongs_to_what_precedes(text[end]):
        end += 1
    return replace(region, start=start, end=end)


def _without_marks(text: str) -> str:
    """The text with the letter again in place of each mark on it, so that a pattern of letters runs over marks."""
    letters = ""
    for character in text:
        letters += letters[-1] if letters and _belongs_to_what_precedes(character) else character
    return letters


def _belongs_to_what_precedes(character: str) -> bool:
    """A combining mark or a joiner, which no word begins with (Unicode Standard Annex 29, rule WB4)."""
    return character in JOINERS or unicodedata.category(character).startswith("M")
