"""The ways to make one label out of several that are known, from votes to models of annotators."""

from collections.abc import Callable
from dataclasses import dataclass

from comparison.frame.coded import Coded
from comparison.statistics.aggregation import voting
from comparison.statistics.aggregation.aggregate import Aggregate

VOTED = {"majority": voting.adept, "ties_shared": voting.ties_shared, "weighted": voting.weighted}


@dataclass(frozen=True, slots=True)
class Way:
    """`meaning` says how labels are found, `reliable` what the figure beside each person is."""

    key: str
    name: str
    meaning: str
    reliable: str
    is_learned: bool = False


WAYS = (
    Way("majority", "Majority", "The most frequent label, where two agree and none ties.", "agrees with it"),
    Way("ties_shared", "Majority, ties shared", "The most frequent label; a tie is half right each way.", "agrees"),
    Way("weighted", "Weighted majority", "Votes weigh by how often a person is with the majority.", "weight"),
    Way("dawid_skene", "Dawid–Skene", "Each person has a table of errors.", "chance of the right label", True),
    Way("one_coin", "One-coin Dawid–Skene", "Each person has one chance of being right.", "chance to be right", True),
    Way("mace", "MACE", "Each person answers some items at random.", "share not answered at random", True),
    Way("glad", "GLAD", "People have ability, and items difficulty.", "ability α (0 is guessing)", True),
)


def aggregate(key: str, labels: Coded, *, size: int, values: int) -> Aggregate:
    """The labels of `size` items by the way of that key."""
    way = VOTED.get(key) or _learned(key)
    return way(labels.items, labels.raters, labels.labels, size=size, values=values, people=len(labels.names))


def _learned(key: str) -> Callable[..., Aggregate]:
    # Here and not above: crowd-kit takes 30 MB, which a web process that only shows what is known does without.
    from comparison.frame import crowd

    return {
        "dawid_skene": crowd.dawid_skene,
        "one_coin": crowd.one_coin,
        "mace": crowd.mace,
        "glad": crowd.glad,
    }[key]
