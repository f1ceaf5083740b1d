"""One number with its interval, or the words that say why there is none; the difference of two; and where text has one.

Two that rest on different items are taken off one another by square-and-add (Zou and Donner 2008, Statistics in
Medicine 27: 1693–1702; of two shares with Wilson's intervals it is Newcombe's hybrid score interval, 1998, Statistics
in Medicine 17: 873–890, method 10): each end of the difference is as far from it as the nearer ends of the two
intervals are from their figures, by Pythagoras. So it is as skewed as they are, and knows of clusters what they know.
Items of the two must be independent; where they go together, it is too wide.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal
from math import erfc, hypot, sqrt
from typing import Self

# Digits enough for any floating-point number.
HALF_UP = Context(prec=400, rounding=ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic over `n` items (or what `unit` names), with a 95 % interval where there is one.

    Either `value` is a finite number, or `undefined` says why it is not. `no_interval` says why a value
    has no interval; `note` says what else a reader must know, such as how many items were left out.

    >>> str(Estimate(0.7412, 0.7049, 0.7783, n=1611))
    '.74 [.70, .78], n = 1,611'
    >>> str(Estimate.none("only one label was used"))
    'undefined: only one label was used'
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    undefined: str = ""
    no_interval: str = ""
    note: str = ""
    unit: str = "items"

    def __post_init__(self) -> None:
        for number in (self.value, self.low, self.high):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"An estimate is a finite number or undefined with a reason; not {number}.")
        if (self.value is None) != bool(self.undefined):
            raise ValueError("An estimate has a value, or a reason why it is undefined; one of the two.")
        if (self.low is None) != (self.high is None):
            raise ValueError("An interval has two ends.")

    @classmethod
    def none(cls, reason: str, *, n: int = 0, unit: str = "items") -> Self:
        return cls(None, n=n, undefined=reason, unit=unit)

    def __str__(self) -> str:
        if self.value is None:
            return f"undefined: {self.undefined}"
        return f"{self.short}, n = {self.n:,}"

    @property
    def from_lowest(self) -> float:
        """To sort by, the lowest first: what is undefined comes last."""
        return math.inf if self.value is None else self.value

    @property
    def short(self) -> str:
        """The number and its interval, without n: `.74 [.70, .78]`."""
        return self.to(self.decimals)

    def to(self, decimals: int) -> str:
        """The number and its interval to that many digits, for tables that are compared with printed ones."""
        if self.value is None:
            return f"undefined: {self.undefined}"
        number = self._printed(self.value, decimals)
        interval = self._interval(decimals)
        return f"{number} {interval}" if interval else number

    @property
    def in_hundredths(self) -> str:
        """As in words, with two digits whatever the interval supports: where rows of one table are compared."""
        return str(self) if self.value is None else f"{self.to(2)}, n = {self.n:,}"

    @property
    def number(self) -> str:
        """The number alone: `.74`."""
        return "" if self.value is None else self._printed(self.value, self.decimals)

    @property
    def interval(self) -> str:
        """The interval alone: `[.70, .78]`; empty where there is none."""
        return self._interval(self.decimals)

    def within(self, least: float, most: float) -> Self:
        """With an interval that ends where the figure can."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=max(self.low, least), high=min(self.high, most))

    @property
    def aligned(self) -> tuple[str, str]:
        """Number and interval for a column of such: two digits at least, so that rows read alike.

        >>> Estimate(0.5, 0.1, 0.9, n=6).aligned, Estimate(0.5, 0.1, 0.9, n=6).short
        (('.50', '[.10, .90]'), '.5 [.1, .9]')
        """
        decimals = max(2, self.decimals) if self.decimals else 0
        return "" if self.value is None else self._printed(self.value, decimals), self._interval(decimals)

    def _interval(self, decimals: int) -> str:
        if self.low is None or self.high is None:
            return ""
        return f"[{self._printed(self.low, decimals)}, {self._printed(self.high, decimals)}]"

    @property
    def decimals(self) -> int:
        """Digits after the point that the interval supports.

        Two as a rule; one where the interval spans half the scale, three where it is narrower than .01, none
        where it spans ten whole numbers (ranks). Without an interval: as many as one item in n can move.
        """
        if self.low is None or self.high is None:
            return 1 if self.n < 10 else 2
        width = self.high - self.low
        return 0 if width >= 10 else 1 if width >= 0.5 else 3 if width < 0.01 else 2

    def _printed(self, number: float, decimals: int) -> str:
        """As papers print it: without the leading zero only where the figure and its interval lie between -1 and 1."""
        ends = [abs(end) for end in (self.value, self.low, self.high) if end is not None]
        if max(ends) <= 1:
            return plain(number, decimals=decimals)
        text = f"{rounded(number, decimals=decimals):,f}"
        # Too near to 0 for these digits: neither side of it.
        return (text if float(text.replace(",", "")) else text.removeprefix("-")).replace("-", "−")

    @property
    def remarks(self) -> str:
        """What stands beside the number in small print."""
        parts = [f"no interval: {self.no_interval}" if self.no_interval else "", self.note]
        return "; ".join(part for part in parts if part)


def rounded(number: float, *, decimals: int) -> Decimal:
    """Half up, as a reader rounds who has the counts: 23 of 40 is .575 and so .58, though its float lies below .575.

    >>> rounded(23 / 40, decimals=2), round(23 / 40, 2)
    (Decimal('0.58'), 0.57)
    """
    return Decimal(repr(float(number))).quantize(Decimal(1).scaleb(-decimals), context=HALF_UP)


def percent(share: float) -> str:
    """A share in whole percent: `58 %`."""
    return f"{100 * rounded(share, decimals=2):.0f} %"


def plain(number: float, *, decimals: int) -> str:
    """A number between -1 and 1 without its leading zero, as papers print it: `.74`, `-.05`, `1.00`."""
    text = f"{rounded(number, decimals=decimals):f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    # A minus sign, as wide as a digit, so that columns of numbers align.
    return text.replace("-", "−")


def signed(number: float, *, decimals: int) -> str:
    """A log-probability or a difference of two, always with its sign: `+1.23`, `−0.40`."""
    return f"{number:+.{decimals}f}".replace("-", "−")


NORMAL_95 = 1.959964


def difference(one: Estimate, other: Estimate) -> Estimate:
    """`one` less `other`; n is of both. Without an interval where one of the two has no interval.

    Newcombe's first example, 56 of 70 and 48 of 80:

    >>> from comparison.statistics.accuracy.hits import share
    >>> found = difference(share(56, 70, reason=""), share(48, 80, reason=""))
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4), found.n
    (0.2, 0.0524, 0.3339, 150)
    """
    if one.value is None or other.value is None:
        return Estimate.none("one of the two is undefined")
    value, n = one.value - other.value, one.n + other.n
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Estimate(value, n=n, no_interval="one of the two has no interval", unit=one.unit)
    low = value - hypot(one.value - one.low, other.high - other.value)
    high = value + hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, low, high, n=n, unit=one.unit)


def p_of(estimate: Estimate) -> float | None:
    """Two-sided p of a difference: how wide its interval would have to be for the nearer end to reach 0.

    That end is taken to go out from the figure in proportion to the normal quantile, 1.96 at 95 %, which is exact of
    symmetric intervals. None without an interval.

    >>> from comparison.statistics.accuracy.hits import share
    >>> found = difference(share(56, 70, reason=""), share(48, 80, reason=""))
    >>> round(p_of(found), 4), p_of(Estimate(0.0, -0.1, 0.1, n=9))
    (0.0079, 1.0)
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    reach = estimate.value - estimate.low if estimate.value > 0 else estimate.high - estimate.value
    if estimate.value == 0 or reach == 0:
        return 1.0 if estimate.value == 0 else 0.0
    return erfc(NORMAL_95 * abs(estimate.value) / reach / sqrt(2))


NUMBER = r"[−–-]?(?:\d[\d,]*)?\.?\d+(?: ?%)?"
# The number before may stand apart, in bold: the space after it is kept all the same.
ESTIMATE = re.compile(rf"(?:{NUMBER})? ?\[{NUMBER}, {NUMBER}\]")
FIGURE = re.compile(rf"{ESTIMATE.pattern}|\bn = \d[\d,]*")


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, with whether one is a figure.

    >>> list(pieces("κ = .64 [.59, .68], n = 9"))
    [('κ = ', False), ('.64 [.59, .68]', True), (', ', False), ('n = 9', True)]
    >>> [figure for figure, is_one in pieces("87 % [80 %, 92 %] and −.1 [−.3, .1]; *the [author, authors]*") if is_one]
    ['87 % [80 %, 92 %]', '−.1 [−.3, .1]']
    """
    end = 0
    for match in FIGURE.finditer(text):
        if match.start() > end:
            yield text[end : match.start()], False
        yield match[0], True
        end = match.end()
    if end < len(text):
        yield text[end:], False
