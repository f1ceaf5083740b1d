"""Surprisal in bits: a log-probability seen from the other side (Hale 2001; Levy 2008, Cognition 106: 1126–1177)."""

import math
from typing import TypeVar

from comparison.statistics.counts import Floats

Number = TypeVar("Number", float, Floats)


def bits(logprob: Number) -> Number:
    """−log₂ p of a probability, or of many, given by the natural logarithm.

    >>> bits(math.log(1 / 8))
    3.0
    """
    # Adding zero turns the −0.0 of a certain event into 0.0.
    return -logprob / math.log(2) + 0.0
