"""Offensive words: the list that comes with better_profanity.

The package compares every word with every entry in every spelling, which took three minutes for seven thousand
sentences. Its list in one regular expression takes seconds; the package itself is asked where a word is disguised.
"""

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from better_profanity import Profanity

# sh1t, a$$: a digit or a sign among letters.
DISGUISED = re.compile(r"[A-Za-z][0-9$@!]+[A-Za-z$]")


def is_offensive(text: str) -> bool:
    return _listed().search(text) is not None or (
        DISGUISED.search(text) is not None and bool(_package().contains_profanity(text))
    )


@cache
def _listed() -> re.Pattern[str]:
    lines = files("better_profanity").joinpath("profanity_wordlist.txt").read_text(encoding="utf-8").splitlines()
    words = sorted({line.strip() for line in lines if line.strip()}, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)


@cache
def _package() -> "Profanity":
    from better_profanity import Profanity

    return Profanity()
