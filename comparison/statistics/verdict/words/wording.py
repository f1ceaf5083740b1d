"""How a verdict's numbers, names and measures are put into words."""

from collections.abc import Sequence

from comparison.statistics.estimate import Estimate, counted, plain
from comparison.statistics.verdict.evidence import MAJORITY
from comparison.statistics.verdict.measure import ACCURACY, KAPPA

# More names than this are counted.
MOST_NAMES = 4


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


def in_a_tile(name: str) -> str:
    """A run's name where room is short: one that gives labels itself is called by its model alone.

    >>> in_a_tile("Classifier · label"), in_a_tile("GPT · causal")
    ('Classifier', 'GPT · causal')
    """
    return name.removesuffix(" · label")


def not_separated(names: Sequence[str]) -> str:
    """Which runs may be the best, the first by name, where room is short.

    >>> not_separated(["A · label", "B · label"]), not_separated(["A", "B", "C"])
    ('A and B, difference not shown', 'A and 2 others, difference not shown')
    """
    first, second = in_a_tile(names[0]), in_a_tile(names[1])
    others = second if len(names) == 2 else f"{len(names) - 1:,} others"
    return f"{first} and {others}, difference not shown"


def of_all(count: int, total: int, what: str) -> str:
    """
    >>> of_all(200, 200, "item"), of_all(40, 48, "item"), of_all(1, 1, "item")
    ('all 200 items', '40 of 48 items', 'the only item')
    """
    if count < total:
        return f"{count:,} of {counted(total, what)}"
    return f"the only {what}" if total == 1 else f"all {counted(total, what)}"


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


def listed_shares(shares: Sequence[float]) -> str:
    """
    >>> listed_shares([0.56, 0.44]), listed_shares([0.997, 0.003])
    ('56 and 44 of 100', 'over 99 and under 1 of 100')
    """
    return f"{listed([_of_100(share) for share in shares])} of 100"


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


def reach(measure: str, against: str, figures: str, items: int, *, several: bool = False) -> str:
    """What one run, or several, reach: a predicate.

    >>> reach("accuracy", "majority", ".90", 300)
    'reaches accuracy .90 against the majority label on 300 items'
    >>> reach("distance", "reference", ".62", 300, several=True)
    'are .62 degrees from the reference on average, over 300 items'
    """
    truth, on = called(against), counted(items, "item")
    if measure == ACCURACY:
        return f"reach{'' if several else 'es'} accuracy {figures} against {truth} on {on}"
    if measure == KAPPA:
        return f"reach{'' if several else 'es'} a quadratic κ of {figures} with {truth}, over {on}"
    return f"{'are' if several else 'is'} {figures} degrees from {truth} on average, over {on}"


def person_reaches(measure: str, against: str, one: str, found: Estimate) -> str:
    """What one person reaches: a clause.

    >>> person_reaches("accuracy", "majority", "person", Estimate(0.84, 0.8, 0.88, n=900))
    'One person gives the label that the others agree on .84 [.80, .88] of the time'
    """
    others = "the label that the others agree on" if against == MAJORITY else "the reference"
    if measure == ACCURACY:
        return f"One {one} gives {others} {found.short} of the time"
    if measure == KAPPA:
        return f"One {one} reaches a quadratic κ of {found.short} with {others}"
    return f"One {one} is {found.short} degrees from {others} on average"


def size(found: Estimate) -> str:
    """A difference without its sign, its interval with it: `.10 [.05, .15]`.

    >>> size(Estimate(-0.1, -0.15, -0.05, n=90))
    '.10 [.05, .15]'
    """
    if found.value is None or found.value >= 0:
        return found.short
    low, high = (None if end is None else -end for end in (found.high, found.low))
    return Estimate(-found.value, low, high, n=found.n, no_interval=found.no_interval).short
