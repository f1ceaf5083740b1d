"""How far a piece of work is, in words: what is done, how fast it goes, how long it still takes."""

from dataclasses import dataclass

# A rate from the first moments would be mostly that of beginning.
SHORTEST_SECONDS = 2.0
MEGABYTE = 1_000_000
UNITS = {"doc": "documents"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """`per_second` is what a second brings, None where that says nothing. Bytes have the unit `B`.

    >>> half = Progress(done=1_200, of=3_000, per_second=20.0, unit="doc")
    >>> half.count, half.rate, half.left
    ('1,200 of 3,000 documents', '20 a second', 'about 2 min left')
    """

    done: int
    of: int
    per_second: float | None = None
    unit: str = ""

    @property
    def count(self) -> str:
        if self.unit == "B":
            return f"{self.done / MEGABYTE:,.1f} of {self.of / MEGABYTE:,.1f} MB"
        return f"{self.done:,} of {self.of:,} {UNITS.get(self.unit, self.unit)}".strip()

    @property
    def rate(self) -> str:
        """Slow ones by the minute; empty where nobody can say."""
        if self.per_second is None:
            return ""
        if self.unit == "B":
            return f"{self.per_second / MEGABYTE:.2f} MB a second"
        if self.per_second >= 1:
            return f"{self.per_second:,.{0 if self.per_second >= 10 else 1}f} a second"
        return f"{60 * self.per_second:.0f} a minute"

    @property
    def left(self) -> str:
        if not self.per_second:
            return ""
        seconds = (self.of - self.done) / self.per_second
        return f"about {max(1, round(seconds))} s left" if seconds < 90 else f"about {round(seconds / 60):,} min left"


def per_second(done: int, seconds: float) -> float | None:
    return done / seconds if done > 0 and seconds >= SHORTEST_SECONDS else None
