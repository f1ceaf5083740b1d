"""How far people agree: a coefficient on its scale, and the items by how their labels stand to one another."""

from dataclasses import dataclass

from comparison.page.drawn.axis import Axis, Mark, spelled
from comparison.statistics.aggregation import AgreementCounts
from comparison.statistics.estimate import Estimate, percent, plain

# Krippendorff's conventions (2004, page 429): tentative from the first, reliable from the second;
# with the digits that they are known by.
CONVENTIONS = ((0.667, 3), (0.80, 2))


@dataclass(frozen=True, slots=True)
class Rule:
    at: str
    words: str


@dataclass(frozen=True, slots=True)
class Share:
    """A part of all labeled items. `look` is a class of figures.css, `key` that of its key."""

    look: str
    key: str
    name: str
    at: str
    width: str
    count: int
    percent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """`figures` are what else is said of agreement, with their names."""

    name: str
    value: Estimate
    axis: Axis
    mark: Mark | None
    rules: tuple[Rule, ...]
    shares: tuple[Share, ...]
    shares_said: str
    figures: tuple[tuple[str, Estimate], ...]

    @property
    def ends(self) -> tuple[str, str]:
        return _printed(self.axis.low), _printed(self.axis.high)


def gauge(
    name: str, value: Estimate, counts: AgreementCounts, figures: tuple[tuple[str, Estimate], ...]
) -> Gauge | None:
    """None where nothing is labeled."""
    if not counts.labeled:
        return None
    ends = [end for end in (value.low, value.value) if end is not None]
    # Below 0 people contradict one another: the scale goes on as far as that.
    axis = Axis(-1.0 if min(ends, default=0.0) < 0 else 0.0, 1.0)
    shares = tuple(_shares(counts))
    return Gauge(
        name=name,
        value=value,
        axis=axis,
        mark=axis.mark(value, called=name),
        rules=tuple(Rule(axis.at(one), plain(one, decimals=digits)) for one, digits in CONVENTIONS),
        shares=shares,
        shares_said=", ".join(f"{one.name} on {one.count:,}" for one in shares),
        figures=tuple(one for one in figures if one[1].value is not None),
    )


def _shares(counts: AgreementCounts) -> list[Share]:
    """The kinds that there are, one after the other."""
    kinds = (
        ("bar-people", "people", "unanimous", counts.unanimous),
        ("bar-mid", "mid-p", "majority", counts.majority),
        ("bar-none", "faint", "no majority", counts.none - counts.lone),
        ("bar-line", "lacking", "one label", counts.lone),
    )
    shares, begins = [], 0.0
    for look, key, name, count in kinds:
        share = count / counts.labeled
        if count:
            shares.append(Share(look, key, name, spelled(begins), spelled(share), count, percent(share)))
        begins += share
    return shares


def _printed(end: float) -> str:
    return f"{end:.0f}".replace("-", "−")
