"""Scott's π of two raters who labeled the same items (Scott 1955), and the means over pairs, as tests ask for them."""

from comparison.statistics.agreement.coefficient import Weighting, beyond_chance, weight_matrix
from comparison.statistics.agreement.cohen import of_two
from comparison.statistics.agreement.pairwise import mean_cohen, mean_scott, meet
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample


def scott(
    one: Ints, other: Ints, *, values: int, weighting: Weighting = "identity", sample: Sample = ITEMS
) -> Estimate:
    """π of two columns of codes (Scott 1955, Public Opinion Quarterly 19: 321–325; weights as in Gwet 2014).

    Chance is that of two labels drawn from both raters' together: who of the two gave which does not matter. Its form
    for several raters is Fleiss' κ.

    """
    weights = weight_matrix(weighting, values=values)
    return of_two(one, other, lambda tables: pi_of_tables(tables, weights), values=values, sample=sample)


def pi_of_tables(tables: Floats, weights: Floats) -> Floats:
    """π of each table (…, values, values). NaN where undefined."""
    totals = tables.sum(axis=(-2, -1))
    observed = (tables * weights).sum(axis=(-2, -1)) / totals
    shares = (tables.sum(axis=-1) + tables.sum(axis=-2)) / (2 * totals[..., None])
    return beyond_chance(observed, ((shares @ weights) * shares).sum(axis=-1))


def pairwise_cohen(
    items: Ints, raters: Ints, labels: Ints, *, values: int, weighting: Weighting = "identity", sample: Sample = ITEMS
) -> Estimate:
    return mean_cohen(meet(items, raters, labels, sample=sample), values=values, weighting=weighting)


def pairwise_scott(
    items: Ints, raters: Ints, labels: Ints, *, values: int, weighting: Weighting = "identity", sample: Sample = ITEMS
) -> Estimate:
    return mean_scott(meet(items, raters, labels, sample=sample), values=values, weighting=weighting)
