"""Answers too quick to have read the item, and sittings that are quick as a whole. Pure.

How long an answer took is what the browser says, and never more than passed on the server between showing the item and
its answer; without JavaScript, that. Of labels given elsewhere nothing is known, and neither rule judges.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median_high

from annotation.quality.answers import Given
from annotation.quality.finding import Finding
from annotation.quality.policy import Policy

QUICK, SITTING = "quick", "sitting"
# The next item may be looked at while the answer before it is under way, and is served only then.
BEYOND_MS = 2_000


def quick(policy: Policy, given: Sequence[Given]) -> Finding:
    """A larger share of the timed answers than allowed is quicker than the floor."""
    timed = _timed(given)
    below = [one for one in timed if (one.took_ms or 0) < policy.item_floor_ms]
    facts = {
        "quick": _named(below),
        "timed": len(timed),
        "impossible": _impossible(timed),
        "item_floor_ms": policy.item_floor_ms,
        "quick_tolerance": policy.quick_tolerance,
        "timed_least": policy.timed_least,
    }
    if len(timed) < max(1, policy.timed_least):
        return Finding(rule=QUICK, facts=facts, cannot=_too_few(len(timed), len(given), policy))
    return Finding(rule=QUICK, broken=len(below) / len(timed) > policy.quick_tolerance, facts=facts)


def sitting(policy: Policy, given: Sequence[Given]) -> Finding:
    """In one sitting more than half of the timed answers are quicker than the floor: their (upper) median is."""
    by_sitting: dict[int, list[Given]] = defaultdict(list)
    for one in given:
        by_sitting[one.sitting].append(one)
    parts = [_timed(part) for part in by_sitting.values()]
    enough = [part for part in parts if len(part) >= max(1, policy.timed_least)]
    if not enough:
        most = max(map(len, parts), default=0)
        return Finding(rule=SITTING, facts=_of_sitting(policy, []), cannot=_too_few(most, len(given), policy))
    quickest = min(enough, key=_median)
    return Finding(
        rule=SITTING, broken=_median(quickest) < policy.sitting_floor_ms, facts=_of_sitting(policy, quickest)
    )


def _of_sitting(policy: Policy, timed: list[Given]) -> dict[str, object]:
    return {
        "sitting": _named(timed),
        "impossible": _impossible(timed),
        "sitting_median_ms": _median(timed) if timed else None,
        "sitting_floor_ms": policy.sitting_floor_ms,
        "timed_least": policy.timed_least,
    }


def _median(timed: list[Given]) -> int:
    return median_high(one.took_ms or 0 for one in timed)


def _timed(given: Sequence[Given]) -> list[Given]:
    return [one for one in given if one.took_ms is not None]


def _named(timed: list[Given]) -> list[dict[str, object]]:
    return [{"item": one.item, "ms": one.took_ms, "claimed_ms": one.claimed_ms} for one in timed]


def _impossible(timed: list[Given]) -> int:
    """Of how many the browser claimed a time that had not passed, and that waiting for a line does not explain."""
    return sum((one.claimed_ms or 0) > (one.took_ms or 0) + BEYOND_MS for one in timed)


def _too_few(timed: int, answers: int, policy: Policy) -> str:
    return f"{timed} of {answers} answers were timed, and it decides on {max(1, policy.timed_least)} or more"
