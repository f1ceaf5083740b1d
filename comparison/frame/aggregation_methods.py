"""The ways to make one label out of several that are known, from votes to models of annotators."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from comparison.frame.coded import Coded
from comparison.statistics.aggregation import Aggregate, adept, ties_shared, weighted

VOTED = {"majority": adept, "ties_shared": ties_shared, "weighted": weighted}


@dataclass(frozen=True, slots=True)
class Way:
    """`reliable` says what the figure beside each person is; the glossary has the key."""

    key: str
    name: str
    reliable: str
    is_learned: bool = False

    @property
    def is_majority(self) -> bool:
        """The label that figures rest on everywhere else: held against itself it is always right."""
        return self.key == "majority"


WAYS = (
    Way("majority", "Majority", "agreement with it"),
    Way("ties_shared", "Majority, ties shared", "agreement"),
    Way("weighted", "Weighted majority", "weight"),
    Way("dawid_skene", "Dawid–Skene", "probability of the right label", True),
    Way("one_coin", "One-coin Dawid–Skene", "probability of being right", True),
    Way("mace", "MACE", "share not answered at random", True),
    Way("glad", "GLAD", "ability α (0 is guessing)", True),
)


def aggregate(key: str, labels: Coded, *, size: int, values: int) -> Aggregate:
    """The labels of `size` items by the way of that key."""
    way = VOTED.get(key) or _learned(key)
    return way(labels.items, labels.raters, labels.labels, size=size, values=values, people=len(labels.names))


def _learned(key: str) -> Callable[..., Aggregate]:
    # Here and not above: crowd-kit takes 30 MB, which a web process that only shows what is known does without.
    from comparison.frame.crowd import learned

    return partial(learned, key)
