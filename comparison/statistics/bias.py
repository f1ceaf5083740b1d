"""What a run's answers follow besides what is true of the items: the label, the length of the text, the place.

To add one: its statistic here, a line in comparison/figures/models/biases.py, a section in docs/statistics.md, a world
with it planted in bench/biases.py.

Whether a run gives a label more often, or less often, than it is true of the same items.

Each label by itself: the items that a run alone gives it to against those that it alone leaves it off, by McNemar's
exact test (1947), which for one label against all others tests that the two margins of the table are the same
(marginal homogeneity: Stuart 1955; Maxwell 1970). A run may be wrong as often as it likes: as long as its mistakes go
both ways, it favors no label.

Whether what a run says follows the length of the texts, among items of which the same label is true.

Within each true label, answers and lengths are ranked and their covariances added up (Mantel 1963, the test of a
correlation over strata; with ranks, Landis, Heyman and Koch 1978). A run that is right, or wrong, or at chance whatever
the length has a correlation of 0 here, even where longer items happen to have another label more often.

How much the place of an option decides when a model is asked in words (Pezeshkpour and Hruschka 2024).

Every item is asked in several orders, such that first and last place hold the same options equally often. Without
bias the two get the same probability; with full bias the answer follows the place and not the option.
"""

from dataclasses import dataclass

import numpy as np
import scipy as sp

from comparison.statistics import tails
from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import difference, paired
from comparison.statistics.resampling.bootstrap import estimate, mean
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums


def p_of_sums(values: Floats, *, sample: Sample = ITEMS) -> float:
    """Whether a mean over items is 0: Student's t test (1908), over the sums of groups where items hang together.

    Two-sided, for `values` of shape (items,); 1 where one item or group is all there is, or all are 0.

    >>> round(p_of_sums(np.array([1.0, 2.0, 0.5, 1.5])), 3)
    0.03
    """
    sums = values if sample.clusters is None else cluster_sums(values[:, None], sample.clusters)[:, 0]
    if len(sums) < 2 or not sums.any():
        return 1.0
    error = float(np.sqrt(len(sums)) * sums.std(ddof=1))
    return float(2 * tails.of_t(abs(float(sums.sum())) / error, len(sums) - 1)) if error else 0.0


SAME_ITEMS = "the run gives this label to exactly the items that have it"


@dataclass(frozen=True, slots=True)
class LabelBias:
    """`given` and `true`: shares of items that have both. `p` is two-sided, or `undefined` says why there is none."""

    code: int
    given: float
    true: float
    difference: Estimate
    p: float | None
    undefined: str = ""


def label_biases(decided: Ints, truth: Ints, *, values: int, sample: Sample = ITEMS) -> tuple[LabelBias, ...]:
    """One for each label that is given or true, from codes of shape (items,).

    Of a scale of two labels one is told: what one gains the other loses.

    Five of ten items are truly the first label, and the run gives it to all of them:

    >>> truth = np.array([0, 1] * 5)
    >>> [(one.code, one.given, one.true, one.p) for one in label_biases(np.zeros(10, dtype=int), truth, values=2)]
    [(0, 1.0, 0.5, 0.0625)]
    """
    both = (decided != MISSING) & (truth != MISSING)
    n = sample.size(both)
    if not n:
        return ()
    given, true = ([sample.size(both & (codes == one)) for one in range(values)] for codes in (decided, truth))
    used = [code for code in range(values) if given[code] or true[code]]
    reported = used if values > 2 else [int(given[1] > true[1])]
    return tuple(
        _one(code, given[code] / n, true[code] / n, decided[both], truth[both], sample.where(both)) for code in reported
    )


def _one(code: int, given: float, true: float, decided: Ints, truth: Ints, sample: Sample) -> LabelBias:
    """Giving the label and its being true are two runs that are right where they say yes."""
    run, label, yes = (decided == code).astype(np.int64), (truth == code).astype(np.int64), np.ones_like(truth)
    test = paired(run, label, yes, sample=sample)
    undefined = SAME_ITEMS if test.p is None else ""
    return LabelBias(code, given, true, difference(run, label, yes, sample=sample), test.p, undefined)


# Fewer items than this beyond one for each label, and the ranks of a stratum say next to nothing.
FEWEST = 10
SAME_LENGTH = "all texts of a label are equally long"
SAME_ANSWER = "the run’s answers are the same for all items of a label"


@dataclass(frozen=True, slots=True)
class LengthBias:
    """`rho`, from -1 to 1, is positive where longer texts get more. `p` is two-sided; None where ρ is undefined."""

    rho: Estimate
    p: float | None


def length_bias(answers: Floats, lengths: Floats, truth: Ints, *, sample: Sample = ITEMS) -> LengthBias:
    """All of shape (items,); `answers` is NaN where the run says nothing. Groups: the larger p, of items and of groups.

    Whatever is true, the run says what the length says:

    >>> lengths = np.tile(np.arange(8.0), 2)
    >>> found = length_bias(lengths, lengths, np.repeat([0, 1], 8))
    >>> found.rho.value, found.p < 1e-6
    (1.0, True)
    """
    is_complete = np.isfinite(answers) & np.isfinite(lengths) & (truth != MISSING)
    own, n = sample.where(is_complete), int(is_complete.sum())
    labels = np.unique(truth[is_complete])
    freedom = n - len(labels) - 1
    if freedom < FEWEST:
        return LengthBias(Estimate.none("too few items with an answer, a length and a label", n=n), None)
    one, other = _ranks(answers[is_complete], truth[is_complete]), _ranks(lengths[is_complete], truth[is_complete])
    for column, reason in ((other, SAME_LENGTH), (one, SAME_ANSWER)):
        if not column.any():
            return LengthBias(Estimate.none(reason, n=n), None)
    parts = np.column_stack([one * other, one**2, other**2])
    rho = float(np.clip(_of_sums(parts.sum(axis=0)[None])[0], -1.0, 1.0))
    p = float(2 * tails.of_t(abs(rho) * (freedom / max(1 - rho**2, 1e-15)) ** 0.5, freedom))
    if own.clusters is not None:
        p = max(p, p_of_sums(parts[:, 0], sample=own))
    return LengthBias(estimate(rho, parts, _of_sums, n=n, sample=own), p)


def _ranks(column: Floats, truth: Ints) -> Floats:
    """Ranks within each label as shares of its items, less their mean: each item counts alike, whatever its label."""
    ranks = np.zeros(len(column))
    for label in np.unique(truth):
        those = truth == label
        ranks[those] = (sp.stats.rankdata(column[those]) - (those.sum() + 1) / 2) / those.sum()
    return ranks


def _of_sums(sums: Floats) -> Floats:
    spread = np.sqrt(sums[:, 1] * sums[:, 2])
    rho: Floats = np.divide(sums[:, 0], spread, out=np.full(len(sums), np.nan), where=spread > 0)
    return rho


NOTHING_ASKED = "no item has an answer yet"
NO_PEER = "no other position has the same options"


@dataclass(frozen=True, slots=True)
class PositionBias:
    """`places` is the mean probability of each place, over orders and items, and `above` how much that is above the
    mean of the places that held the same options in the other orders, which without bias get the same.

    `lead` is the first place's minus the last's: 0 without bias, of which `p` is the two-sided test (None where nothing
    was asked). `steady` is the share of items with the same
    answer in every order; `on_letters` how much of all the model's probability is on the letters at all.
    """

    places: tuple[Estimate, ...]
    above: tuple[Estimate, ...]
    lead: Estimate
    p: float | None
    steady: Estimate
    on_letters: Estimate

    @property
    def rows(self) -> tuple[tuple[int, Estimate, Estimate], ...]:
        """Number, mean probability and what is above an even share, place by place."""
        return tuple(
            (number, mean, above) for number, (mean, above) in enumerate(zip(self.places, self.above, strict=True), 1)
        )


def position_bias(codes: Ints, logprobs: Floats, *, sample: Sample = ITEMS) -> PositionBias:
    """For `codes`, the code of the option in each place, and each place's log-probability: (items, orders, places).

    Two options in both orders; whatever stands first gets three quarters:

    >>> shown, first = np.array([[[0, 1], [1, 0]]]), np.log([0.75, 0.25])
    >>> found = position_bias(shown, np.array([[first, first]]))
    >>> [round(mean.value, 2) for mean in found.places], round(found.lead.value, 2), found.steady.value
    ([0.75, 0.25], 0.5, 0.0)
    """
    if not len(codes):
        none = Estimate.none(NOTHING_ASKED)
        return PositionBias((), (), none, None, none, none)
    among = np.exp(logprobs - logprobs.max(axis=2, keepdims=True))
    among = (among / among.sum(axis=2, keepdims=True)).mean(axis=1)
    chosen = np.take_along_axis(codes, logprobs.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
    same = (chosen == chosen[:, :1]).all(axis=1)
    lead = among[:, 0] - among[:, -1]
    return PositionBias(
        places=tuple(mean(among[:, place], sample=sample) for place in range(among.shape[1])),
        above=tuple(_above(among, place, peers, sample) for place, peers in enumerate(_peers(codes[0]))),
        lead=mean(lead, sample=sample),
        p=p_of_sums(lead, sample=sample),
        steady=share_of(same, np.ones_like(same), reason=NOTHING_ASKED, sample=sample),
        on_letters=mean(np.exp(logprobs).sum(axis=2).mean(axis=1), sample=sample),
    )


def _peers(orders: Ints) -> list[list[int]]:
    """For each place the places that hold the same options over all orders, itself included.

    Of shuffled options these are all places; of a scale that is also turned round, a place and its mirror image.
    """
    held = [sorted(column) for column in orders.T.tolist()]
    return [[other for other, options in enumerate(held) if options == own] for own in held]


def _above(among: Floats, place: int, peers: list[int], sample: Sample) -> Estimate:
    if len(peers) == 1:
        return Estimate.none(NO_PEER, n=len(among))
    return mean(among[:, place] - among[:, peers].mean(axis=1), sample=sample)
