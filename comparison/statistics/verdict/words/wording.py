"""How a verdict's numbers, names and measures are put into words."""

import re
from collections.abc import Iterable, Sequence

from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.strengths.cut_points import by_cut_points
from comparison.statistics.verdict.evidence import MAJORITY
from comparison.statistics.verdict.measure import DISTANCE, KAPPA

# More names than this are counted.
MOST_NAMES = 4
# Beside the name of a run whose labels are by cut points.
CUT = "†"
LETTERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(parts: Sequence[str]) -> str:
    """
    >>> listed(["A"]), listed(["A", "B", "C"])
    ('A', 'A, B and C')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def capital(text: str) -> str:
    """
    >>> capital("all 12 items")
    'All 12 items'
    """
    return f"{text[:1].upper()}{text[1:]}"


def in_letters(count: int) -> str:
    """
    >>> in_letters(3), in_letters(1200)
    ('three', '1,200')
    """
    return LETTERS[count] if count < len(LETTERS) else f"{count:,}"


def in_a_tile(name: str) -> str:
    """A run's name where room is short: one that gives labels itself is called by its model alone.

    >>> in_a_tile("Classifier · label"), in_a_tile("GPT · causal"), in_a_tile("GPT (labels by cut points)")
    ('Classifier', 'GPT · causal', 'GPT†')
    """
    bare = name.removesuffix(by_cut_points(""))
    return f"{bare.removesuffix(' · label')}{CUT if bare != name else ''}"


def named(names: Sequence[str]) -> str:
    """
    >>> named(["A · label", "B (labels by cut points)"])
    'A and B†'
    """
    return listed([in_a_tile(one) for one in names])


def tied(names: Sequence[str], *, is_even: bool = True) -> str:
    """Which runs may be nearest, where room is short.

    >>> tied(["A · label", "B · label"]), tied(["A", "B", "C"]), tied(["A", "B"], is_even=False)
    ('A and B tied', '3 tied', 'A or B')
    """
    if len(names) == 2:
        return f"{named(names)} tied" if is_even else " or ".join(map(in_a_tile, names))
    return f"{len(names):,} {'tied' if is_even else 'could be'}"


def length(text: str, names: Iterable[str] = ()) -> int:
    """How many words a sentence has: a name is one, and so is a number with its interval.

    >>> length("Big Model is nearest to people.", ["Big Model"]), length(".94 [.90, .96] on 285 items")
    (5, 4)
    """
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "N")
    words = re.sub(r"\[[^\]]*\]", "", text).split()
    return sum(any(character.isalnum() for character in word) for word in words)


def number(value: float) -> str:
    """
    >>> number(0.5), number(1.254)
    ('.50', '1.25')
    """
    return plain(value, decimals=2)


def spread(values: Sequence[float]) -> str:
    """The lowest and the highest, or the one that both print as.

    >>> spread([0.47, 0.53]), spread([0.501, 0.502])
    ('.47 to .53', '.50')
    """
    low, high = number(min(values)), number(max(values))
    return low if low == high else f"{low} to {high}"


def resampled(share: float) -> str:
    """In how many resampled sets of items a run is first.

    >>> resampled(0.412), resampled(0.999), resampled(0.001)
    ('41 of 100', 'over 99 of 100', 'under 1 of 100')
    """
    return f"{_of_100(share)} of 100"


def _of_100(share: float) -> str:
    return "over 99" if share > 0.99 else "under 1" if share < 0.01 else f"{100 * share:.0f}"


def in_words(is_shown: object) -> str:
    """
    >>> in_words(True), in_words(False)
    ('yes', 'not shown')
    """
    return "yes" if is_shown else "not shown"


def called(against: str) -> str:
    return "the majority label" if against == MAJORITY else "the reference"


def reached(measure: str, figures: str) -> str:
    """A figure with what it is one of; of accuracy that stands above all of them.

    >>> reached("accuracy", ".90"), reached("distance", ".62"), reached("quadratic_kappa", ".45")
    ('.90', '.62 steps', 'κ = .45')
    """
    if measure == DISTANCE:
        return f"{figures} steps"
    return f"κ = {figures}" if measure == KAPPA else figures


def opposite(found: Estimate) -> Estimate:
    """A difference the other way round.

    >>> opposite(Estimate(-0.1, -0.15, -0.05, n=90)).short
    '.10 [.05, .15]'
    """
    if found.value is None:
        return found
    low, high = (None if end is None else -end for end in (found.high, found.low))
    return Estimate(-found.value, low, high, n=found.n, no_interval=found.no_interval)
