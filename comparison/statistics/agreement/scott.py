"""Scott's π of two raters who labeled the same items (Scott 1955)."""

from comparison.statistics.agreement.chance import beyond_chance
from comparison.statistics.agreement.cohen import of_two
from comparison.statistics.agreement.weights import Weighting, weight_matrix
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def scott(
    one: Ints, other: Ints, *, values: int, weighting: Weighting = "identity", sample: Sample = ITEMS
) -> Estimate:
    """π of two columns of codes (Scott 1955, Public Opinion Quarterly 19: 321–325; weights as in Gwet 2014).

    Chance is that of two labels drawn from both raters' together: who of the two gave which does not matter. Its form
    for several raters is Fleiss' κ.

    >>> import numpy as np
    >>> round(scott(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), values=2).value, 3)
    0.467
    """
    weights = weight_matrix(weighting, values=values)
    return of_two(one, other, lambda tables: pi_of_tables(tables, weights), values=values, sample=sample)


def pi_of_tables(tables: Floats, weights: Floats) -> Floats:
    """π of each table (…, values, values). NaN where undefined.

    >>> import numpy as np
    >>> pi_of_tables(np.array([[[20.0, 5.0], [10.0, 15.0]]]), np.eye(2)).round(3).tolist()
    [0.394]
    """
    totals = tables.sum(axis=(-2, -1))
    observed = (tables * weights).sum(axis=(-2, -1)) / totals
    shares = (tables.sum(axis=-1) + tables.sum(axis=-2)) / (2 * totals[..., None])
    return beyond_chance(observed, ((shares @ weights) * shares).sum(axis=-1))
