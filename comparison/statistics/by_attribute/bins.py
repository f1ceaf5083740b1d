"""A number of items as a few bins: by quantiles, or by edges that a reader gives and may name."""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from comparison.statistics.counts import Floats

FEWEST, MOST = 2, 20
# A minus sign, as wide as a digit.
MINUS = "−"
DEFAULT = "4"
NUMBER = re.compile(r"-?(\d{1,9}(\.\d{0,9})?|\.\d{1,9})", re.ASCII)
MUST_BE = (
    f"a number of bins from {FEWEST} to {MOST}, such as 4, or edges in rising order, such as 0, 1.5 "
    "or weak < 1.5, strong"
)


@dataclass(frozen=True, slots=True)
class Bins:
    """`edges` stand between bins, ascending; a number at an edge is of the bin above. One name more than edges."""

    edges: tuple[float, ...]
    names: tuple[str, ...]

    def of(self, numbers: Floats) -> list[str]:
        """The name of each number's bin; empty where there is no number (NaN).

        >>> Bins((0.0, 1.5), ("low", "middle", "high")).of(np.array([-3.0, 0.0, 1.5, np.nan]))
        ['low', 'middle', 'high', '']
        """
        places = np.searchsorted(self.edges, numbers, side="right")
        return [
            "" if missing else self.names[place]
            for place, missing in zip(places.tolist(), np.isnan(numbers).tolist(), strict=True)
        ]


def read_bins(text: str, numbers: Floats) -> Bins:
    """From what a reader asks for, of these numbers; ValueError, with what it must be, for anything else.

    >>> read_bins("2", np.array([1.0, 2.0, 3.0, 4.0])).names
    ('below 2.5', '2.5 and above')
    >>> read_bins("weak < 1.5, strong", np.array([1.0])).names
    ('weak', 'strong')
    >>> read_bins("0,1", np.array([1.0])).names
    ('below 0', '0 to 1', '1 and above')
    """
    asked = text.strip() or DEFAULT
    if asked.isascii() and asked.isdigit():
        # One number alone is how many; an edge alone is written 1.0.
        if len(asked) > len(str(MOST)) or not FEWEST <= int(asked) <= MOST:
            raise ValueError(MUST_BE)
        return _named(_quantiles(numbers, int(asked)))
    parts = [part.strip() for part in asked.split(",")]
    if "<" in asked:
        *bounded, last = parts
        pairs = [part.rpartition("<") for part in bounded]
        names = (*(name.strip() for name, _, _ in pairs), last)
        edges = _edges([edge.strip() for _, _, edge in pairs])
        if not all(names) or "<" in last or len(set(names)) < len(names):
            raise ValueError(MUST_BE)
        return Bins(edges, names)
    return _named(_edges(parts))


def _edges(texts: list[str]) -> tuple[float, ...]:
    if not all(NUMBER.fullmatch(text) for text in texts) or not 1 <= len(texts) < MOST:
        raise ValueError(MUST_BE)
    found = tuple(float(text) for text in texts)
    if list(found) != sorted(set(found)):
        raise ValueError(MUST_BE)
    return found


def _quantiles(numbers: Floats, count: int) -> tuple[float, ...]:
    """Edges between `count` bins of about as many items; fewer where many items have the same number.

    An edge is put in the middle between two numbers that occur, so that equal ones are never apart.
    """
    there = np.sort(numbers[np.isfinite(numbers)])
    if not len(there):
        return ()
    places = np.unique(np.searchsorted(there, np.quantile(there, np.arange(1, count) / count), side="right"))
    inner = [int(place) for place in places if 0 < place < len(there)]
    return tuple(dict.fromkeys(float((there[place - 1] + there[place]) / 2) for place in inner))


def _named(edges: tuple[float, ...]) -> Bins:
    if not edges:
        return Bins((), ("all",))
    texts = _texts(edges)
    inner = [f"{low} to {high}" for low, high in pairwise(texts)]
    return Bins(edges, (f"below {texts[0]}", *inner, f"{texts[-1]} and above"))


def _texts(edges: tuple[float, ...]) -> list[str]:
    """With as few digits as tell them apart, three at least where there are as many.

    >>> _texts((-16.57520825, -13.84678732))
    ['−16.6', '−13.8']
    """
    for digits in range(3, 17):
        texts = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(texts)) == len(texts):
            break
    return [text.replace("-", MINUS) for text in texts]
