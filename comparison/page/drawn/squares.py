"""Labels of one item as small squares: each a letter or a number in the color of its label."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from comparison.page.drawn.stacks import Stack, inks, stack
from comparison.page.drawn.stacks import colors as colors_of
from comparison.statistics.counts import MISSING

# More labels of one item than this are a bar with counts: nobody reads so many squares.
MOST_SQUARES = 10


@dataclass(frozen=True, slots=True)
class Look:
    """Of one label: what stands in its square, its color as classes of figures.css, and its words."""

    sign: str
    color: str
    words: str

    @property
    def legend(self) -> str:
        """A point of a rating begins with its number."""
        return self.words if self.words.startswith(self.sign) and self.sign.isdecimal() else f"{self.sign} {self.words}"


@dataclass(frozen=True, slots=True)
class Square:
    """One answer; `said` is all of it in words. Without a `color` there is none, and `sign` is a dash."""

    sign: str
    color: str
    is_right: bool
    said: str


@dataclass(frozen=True, slots=True)
class Given:
    """People's labels of one item, from the lowest to the highest: a square each or, of many, a `bar`."""

    squares: tuple[Look, ...]
    bar: Stack | None
    said: str


def looks(words: Sequence[str], *, ordered: bool) -> tuple[Look, ...]:
    """A scale is numbered; of other labels, first letters, or A, B, C where two begin alike.

    >>> [one.sign for one in looks(["Impossible", "Likely"], ordered=True)]
    ['1', '2']
    >>> [[one.sign for one in looks(words, ordered=False)] for words in (["yes", "no"], ["first", "first or not"])]
    [['Y', 'N'], ['A', 'B']]
    """
    color, ink = colors_of(len(words)), inks()
    signs = _signs(words, ordered=ordered)
    return tuple(Look(sign, f"{one} {ink[one]}", word) for sign, one, word in zip(signs, color, words, strict=True))


def _signs(words: Sequence[str], *, ordered: bool) -> Sequence[str]:
    numbers = [str(place) for place in range(1, len(words) + 1)]
    if ordered:
        return numbers
    letters = [word[:1].upper() for word in words]
    if len(set(letters)) == len(words):
        return letters
    return ascii_uppercase if len(words) <= len(ascii_uppercase) else numbers


def given(counts: Sequence[int], labels: Sequence[Look]) -> Given:
    """
    >>> found = given([2, 0, 1], looks(["no", "so", "yes"], ordered=True))
    >>> [one.sign for one in found.squares], found.said
    (['1', '1', '3'], 'no: 2, yes: 1')
    """
    description = ", ".join(f"{one.words}: {count:,}" for one, count in zip(labels, counts, strict=True) if count)
    if sum(counts) > MOST_SQUARES:
        return Given((), stack("", "", counts, [one.words for one in labels], look="people"), description)
    return Given(tuple(one for one, count in zip(labels, counts, strict=True) for _ in range(count)), None, description)


def square(run: str, code: int, labels: Sequence[Look], *, true: int, instead: str) -> Square:
    """What a run says of an item; `instead` is why it names no label."""
    if code == MISSING:
        return Square("–", "", is_right=False, said=f"{run}: {instead}")
    one = labels[code]
    right = "" if true == MISSING else ", right" if code == true else ", wrong"
    return Square(one.sign, one.color, is_right=code == true, said=f"{run}: {one.words}{right}")


def counted_signs(counts: Sequence[int], labels: Sequence[Look]) -> str:
    """Below a bar: how many gave each label, by its sign.

    >>> counted_signs([3, 0, 12], looks(["no", "so", "yes"], ordered=False))
    'N 3 · Y 12'
    """
    pairs = Counter({one.sign: count for one, count in zip(labels, counts, strict=True) if count})
    return " · ".join(f"{sign} {count:,}" for sign, count in pairs.items())
