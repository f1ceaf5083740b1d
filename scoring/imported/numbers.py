"""One cell of a score file as a number, a rank, or the most probable words: or why it is none. Free of Django."""

import json
import math
import re
from typing import Any

from corpus.decimals import says_nothing
from scoring.imported.reading import LOGPROB, PROB, RANK

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
# Digits before the exponent that are not all 0: what is written is not 0.
NOT_ZERO = re.compile(r"[^eE]*[1-9]")
# What a program writes of a number that it could not hold; such an item is unscored.
UNSOUND = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
# More words than any vocabulary has.
MOST_RANK = 10_000_000
# The difference of two such numbers is still a number.
GREATEST = 1e300
# What a sum of log-probabilities may be above 0 by rounding.
ROUNDING = 1e-6
# As many as a page shows, and as many as our own runs keep.
MOST_WORDS = 10


def is_no_number(text: str, kind: str) -> bool:
    """Whether a cell says that there is no number, or has one that is infinite: of probabilities also 0."""
    if says_nothing(text) or UNSOUND.fullmatch(text):
        return True
    return NUMBER.fullmatch(text) is not None and (math.isinf(float(text)) or (kind == PROB and _is_zero(text)))


def _is_zero(text: str) -> bool:
    return float(text) == 0 and not NOT_ZERO.match(text)


def number_fault(text: str, kind: str, ranks_from: int) -> str:
    """What is wrong with a cell, as the end of a sentence; empty if it is a number of that kind."""
    if not NUMBER.fullmatch(text):
        return "is not a number"
    number = float(text)
    if number == 0 and NOT_ZERO.match(text):
        return "is too small for a number here"
    if kind == RANK and not (text.isdecimal() and ranks_from <= number < ranks_from + MOST_RANK):
        return f"is not a rank: a whole number from {ranks_from} to {ranks_from + MOST_RANK - 1:,}"
    if kind == PROB and not 0 < number <= 1:
        return "is not a probability above 0 and at most 1"
    if kind == LOGPROB and number > ROUNDING:
        return "is not a log-probability: it is above 0"
    if abs(number) > GREATEST:
        return f"is too great to be compared; numbers go from -{GREATEST:g} to {GREATEST:g}"
    return ""


def number_of(text: str, kind: str, ranks_from: int) -> float:
    """Probabilities as their natural logarithm, ranks from 1: as everywhere in the house."""
    if kind == PROB:
        return math.log(float(text))
    return float(text) - ranks_from + 1 if kind == RANK else float(text)


def words_of(text: str, kind: str) -> tuple[tuple[str, float], ...] | None:
    """The first MOST_WORDS of a JSON list of `[word, number]`, with natural logarithms; None where it is no such list.

    `kind` says whether the numbers are prob or logprob.
    """
    pairs = pairs_of(text, kind)
    if pairs is None or any(number is None for _, number in pairs):
        return None
    return tuple((word, number) for word, number in pairs if number is not None)[:MOST_WORDS]


def pairs_of(text: str, kind: str) -> tuple[tuple[str, float | None], ...] | None:
    """All of such a list; a number is None where there is none, or an infinite one."""
    try:
        pairs = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, list) or not all(_is_pair(pair, kind) for pair in pairs):
        return None
    return tuple((word, _logarithm(number, kind)) for word, number in pairs)


def _logarithm(number: float | None, kind: str) -> float | None:
    if number is None or is_no_number(repr(number), kind):
        return None
    return math.log(number) if kind == PROB else number


def _is_pair(pair: Any, kind: str) -> bool:
    match pair:
        case [str(), None]:
            return True
        case [str(), float() | int() as number] if not isinstance(number, bool):
            return is_no_number(repr(number), kind) or not number_fault(repr(number), kind, 1)
    return False
