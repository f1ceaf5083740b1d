"""What would settle it: how many items until a difference shows, from how much it varies between items.

For paired hits this is Connor (1987, Biometrics 43: 207–211, equation 2; Miettinen 1968): the variance between items is
that of the discordant ones. The same form serves any measure, with the variance that drawing items anew gives.
"""

from decimal import Decimal
from math import ceil

from scipy.stats import norm

from comparison.statistics.verdict.odds import LEVEL

POWER = 0.8
# Beyond this a number would only pretend to be a plan.
MOST = 1_000_000


def items_needed(difference: float, variance: float, *, level: float = LEVEL, sides: int = 2) -> int | None:
    """Items in all for a difference to show with a power of .8; `variance` is that of one item's difference.

    None where there is no difference to show.

    Discordant on 30 % of the items, better on 20 % and worse on 10 % (Connor's form by hand: 234):

    >>> items_needed(0.1, 0.3 - 0.1**2)
    234
    """
    if not difference:
        return None
    tail, power = float(norm.isf(level / sides)), float(norm.ppf(POWER))
    spread: float = tail * (variance + difference**2) ** 0.5 + power * max(variance, 0.0) ** 0.5
    return ceil((spread / difference) ** 2)


def about(items: int) -> str:
    """Rounded up to two digits, as the estimate it is: `1,300`.

    >>> about(1234), about(87), about(2_000_001)
    ('1,300', '87', 'more than 1,000,000')
    """
    if items > MOST:
        return f"more than {MOST:,}"
    step = max(1, 10 ** (Decimal(items).adjusted() - 1))
    return f"{ceil(items / step) * step:,}"
