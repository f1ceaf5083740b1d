"""How much the place of an option decides when a model is asked in words (Pezeshkpour and Hruschka 2024).

Every item is asked in several orders, such that first and last place hold the same options equally often. Without
bias the two get the same probability; with full bias the answer follows the place and not the option.
"""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.bias.sums import p_of_sums
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import mean
from comparison.statistics.resampling.sample import ITEMS, Sample

NOTHING_ASKED = "no item has been asked yet"
NO_PEER = "no other place holds the same options"


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


def position_bias(shown: Ints, logprobs: Floats, *, sample: Sample = ITEMS) -> PositionBias:
    """For `shown`, the code of the option in each place, and each place's log-probability: (items, orders, places).

    Two options in both orders; whatever stands first gets three quarters:

    >>> shown, first = np.array([[[0, 1], [1, 0]]]), np.log([0.75, 0.25])
    >>> found = position_bias(shown, np.array([[first, first]]))
    >>> [round(mean.value, 2) for mean in found.places], round(found.lead.value, 2), found.steady.value
    ([0.75, 0.25], 0.5, 0.0)
    """
    if not len(shown):
        none = Estimate.none(NOTHING_ASKED)
        return PositionBias((), (), none, None, none, none)
    among = np.exp(logprobs - logprobs.max(axis=2, keepdims=True))
    among = (among / among.sum(axis=2, keepdims=True)).mean(axis=1)
    chosen = np.take_along_axis(shown, logprobs.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
    same = (chosen == chosen[:, :1]).all(axis=1)
    lead = among[:, 0] - among[:, -1]
    return PositionBias(
        places=tuple(mean(among[:, place], sample=sample) for place in range(among.shape[1])),
        above=tuple(_above(among, place, peers, sample) for place, peers in enumerate(_peers(shown[0]))),
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
