"""Of a rare class: which models find it. To say the common label always is nearly always right, and finds nothing."""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.chance import at_a_look, dealt, holm
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.odds import LEVEL
from comparison.statistics.verdict.taking_part import Rows

# A class of fewer items than this share, and than half of what options share out alike.
RARE = 0.1


@dataclass(frozen=True, slots=True)
class Finder:
    """`recall`: of the items of the class, those that it names so; `precision`: of those named so, those that are.

    `p` that the two do not go together: Fisher's exact test (1935), one-sided, by deals that also keep groups together.
    """

    run: int
    name: str
    recall: Estimate
    precision: Estimate
    p: float

    @property
    def finds(self) -> bool:
        return self.p <= LEVEL


@dataclass(frozen=True, slots=True)
class Rare:
    """The rarest class, `items` of which are there, and each model, the one that finds most first."""

    code: int
    items: int
    finders: tuple[Finder, ...]


def rare(rows: Rows, models: dict[int, tuple[int, str]]) -> Rare | None:
    """`models`: by their place, each model's run and name. None where no class is rare.

    Of a hundred items four are of the second class; a run finds three of them, and names one more so:

    >>> from comparison.statistics.resampling.sample import ITEMS
    >>> from comparison.statistics.verdict.measure import measure_of
    >>> truth, said = (np.isin(np.arange(100), places).astype(int) for places in ([1, 2, 3, 4], [2, 3, 4, 5]))
    >>> rows = Rows(by=measure_of("accuracy", ordered=False), values=2, counts=np.zeros((100, 2), dtype=int),
    ...     truth=truth, decided=[said], fitted=[False], sample=ITEMS, share_in=1.0, can_favor=True)
    >>> [(one.recall.value, one.precision.value, one.finds) for one in rare(rows, {0: (1, "A")}).finders]
    [(0.75, 0.75, True)]
    """
    each = np.array([rows.sample.size(rows.truth == code) for code in range(rows.values)])
    there = np.where(each > 0, each, rows.items + 1)
    code = int(there.argmin())
    if there[code] >= min(RARE, 1 / (2 * rows.values)) * rows.items:
        return None
    gains, true = np.diag([0, 1]), (rows.truth == code).astype(np.int64)
    raw = [dealt(gains, (rows.decided[place] == code).astype(np.int64), true, rows.sample) for place in models]
    ps = holm([at_a_look(p, rows.share_in) for p in raw])
    found = [
        Finder(run, name, *_shares(rows, place, code), p)
        for (place, (run, name)), p in zip(models.items(), ps, strict=True)
    ]
    found.sort(key=lambda one: (-(one.recall.value or 0.0), one.run))
    return Rare(code, int(there[code]), tuple(found))


def _shares(rows: Rows, place: int, code: int) -> tuple[Estimate, Estimate]:
    named, true = rows.decided[place] == code, rows.truth == code
    return (
        share_of(named & true, true, reason="no item has this label", sample=rows.sample),
        share_of(named & true, named, reason="the run never gives this label", sample=rows.sample),
    )
