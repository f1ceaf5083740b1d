"""Where a number stands along a picture, in per cent of its width."""

from dataclasses import dataclass

from comparison.statistics.estimate import Estimate, plain

# An axis has at most so many numbers below it; its step is the first of these that leaves room.
MOST_TICKS = 6
STEPS = (0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Tick:
    """A number below the axis, and a line through all rows. `anchor` keeps the words at both ends inside."""

    at: str
    words: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One estimate: its middle, and both ends of its interval, which are empty where it has none."""

    at: str
    low: str
    high: str
    said: str


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, the same in every row of a picture; `most` bounds how many numbers stand below it."""

    low: float = 0.0
    high: float = 1.0
    most: int = MOST_TICKS

    def share(self, value: float) -> float:
        """Of the width; what lies beyond an end stands at it."""
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        """
        >>> Axis().at(0.7265), Axis(-1, 1).at(0), Axis().at(1.2)
        ('72.65%', '50%', '100%')
        """
        return spelled(self.share(value))

    def mark(self, estimate: Estimate, *, called: str) -> Mark | None:
        """None for what is undefined: it has no place, and its row says why."""
        if estimate.value is None:
            return None
        has_interval = estimate.low is not None and estimate.high is not None
        low, high = (self.at(estimate.low), self.at(estimate.high)) if has_interval else ("", "")  # type: ignore[arg-type]
        return Mark(self.at(estimate.value), low, high, f"{called}: {estimate}")

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """
        >>> [tick.words for tick in Axis().ticks], [tick.words for tick in Axis(-0.2, 1).ticks]
        (['0', '.25', '.50', '.75', '1'], ['0', '.25', '.50', '.75', '1'])
        """
        step = next((one for one in STEPS if (self.high - self.low) / one < self.most), STEPS[-1])
        first, last = -int(-self.low // step), int(self.high // step)
        values = [place * step for place in range(first, last + 1)]
        return tuple(Tick(self.at(one), _printed(one), _anchor(self.share(one))) for one in values)


def spelled(share: float) -> str:
    """A share of the width as an attribute has it.

    >>> spelled(0.5), spelled(1 / 3)
    ('50%', '33.33%')
    """
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + "%"


def _anchor(share: float) -> str:
    return "start" if share == 0 else "end" if share == 1 else "middle"


def _printed(value: float) -> str:
    return f"{value:.0f}".replace("-", "−") if value == int(value) else plain(value, decimals=2)
