"""Surprisal in bits: a log-probability seen from the other side (Hale 2001; Levy 2008, Cognition 106: 1126–1177)."""

import math
from collections.abc import Mapping
from typing import Any


def bits(logprob: float) -> float:
    """−log₂ p of a probability that is given by its natural logarithm."""
    # Adding zero turns the −0.0 of a certain event into 0.0.
    return -logprob / math.log(2) + 0.0


def of_options(detail: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The surprisal of each option of a score's detail, and of its tokens; empty where nothing has a probability."""
    found: dict[str, dict[str, Any]] = {}
    for name, option in detail.get("options", {}).items():
        if option.get("logprob") is not None:
            found[name] = {"bits": bits(option["logprob"])}
            if option.get("tokens"):
                found[name]["tokens"] = [[token, bits(logprob)] for token, logprob in option["tokens"]]
    return found
