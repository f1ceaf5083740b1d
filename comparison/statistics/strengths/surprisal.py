"""Surprisal in bits: a log-probability seen from the other side (Hale 2001; Levy 2008, Cognition 106: 1126–1177)."""

import math


def bits(logprob: float) -> float:
    """−log₂ p of a probability that is given by its natural logarithm.

    >>> bits(math.log(1 / 8))
    3.0
    """
    # Adding zero turns the −0.0 of a certain event into 0.0.
    return -logprob / math.log(2) + 0.0
