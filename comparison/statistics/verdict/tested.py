"""Each run's tests, adjusted for as many as there are runs, and for looks while labels come in (chance/looks.py)."""

from dataclasses import dataclass

from comparison.statistics.chance.looks import at_a_look
from comparison.statistics.counts import Ints
from comparison.statistics.resampling.holm import holm
from comparison.statistics.verdict.odds import (
    Constant,
    against_chance,
    below_chance,
    constant_is_nearer,
    dealt_out,
)
from comparison.statistics.verdict.rows import Rows


@dataclass(frozen=True, slots=True)
class Tested:
    """Each run's p of being better than chance, better also than its own labels dealt out, worse than chance, and
    further away than the constant; of the last none, where there is no constant.
    """

    over_chance: list[float]
    over_dealt: list[float]
    under_chance: list[float]
    under_constant: list[float]


def tested(rows: Rows, constant: Constant | None) -> Tested:
    """Both questions of a run that is told are one test, whose p is the larger: of runs that know nothing one is told
    in at most 5 of 100 studies.

    Of ten items nine are of one label, which a run always gives: better than chance, and dealt out no less right.

    >>> import numpy as np
    >>> from comparison.statistics.resampling.sample import ITEMS
    >>> from comparison.statistics.verdict.measure import measure_of
    >>> rows = Rows(by=measure_of("accuracy", ordered=False), values=2, counts=np.zeros((10, 2), dtype=int),
    ...     truth=np.arange(10) // 9, decided=[np.zeros(10, dtype=int)], fitted=[False], sample=ITEMS, share_in=1.0,
    ...     can_favor=True)
    >>> found = tested(rows, None)
    >>> [round(one, 3) for one in (*found.over_chance, *found.over_dealt)]
    [0.011, 1.0]
    """
    given = rows.truth, rows.values, rows.sample
    runs = list(zip(rows.decided, rows.fitted, strict=True))

    def dealt(decided: Ints, side: int = 1) -> float:
        return dealt_out(rows.by, decided, *given, side=side)

    above = [dealt(decided) if fitted else against_chance(rows.by, decided, *given) for decided, fitted in runs]
    both = [
        max(p, dealt(decided)) if rows.can_favor and not fitted else p
        for p, (decided, fitted) in zip(above, runs, strict=True)
    ]

    def adjusted(ps: list[float]) -> list[float]:
        return holm([at_a_look(p, rows.share_in) for p in ps])

    return Tested(
        over_chance=adjusted(above),
        over_dealt=adjusted(both),
        under_chance=adjusted(
            [dealt(decided, -1) if fitted else below_chance(rows.by, decided, *given) for decided, fitted in runs]
        ),
        under_constant=adjusted(
            [constant_is_nearer(rows.by, constant, decided, *given) for decided in rows.decided] if constant else []
        ),
    )
