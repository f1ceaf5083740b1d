"""Straight-lining and repeated patterns. Pure.

Both rules look at the order in which answers came, and judge nobody whose order is not known. Neither holds a stretch
against anybody that attentive people give often enough: where all say the same of the items, so may one.
"""

from collections.abc import Sequence

from annotation.quality.answers import Given
from annotation.quality.finding import Finding
from annotation.quality.policy import Policy
from annotation.quality.stretches import Stretch, stretches

STRAIGHT, PATTERN = "straight", "pattern"
PERIODS = {STRAIGHT: (1,), PATTERN: (2, 3, 4, 5)}
RULES = tuple(PERIODS)
UNKNOWN = "it is not known what was answered after what"


def straight(policy: Policy, given: Sequence[Given]) -> Finding:
    """The same option, by its label or by its place on the page, more often in a row than allowed."""
    return _repeated(STRAIGHT, policy, given, limit=policy.max_same_in_a_row, limit_name="max_same_in_a_row")


def pattern(policy: Policy, given: Sequence[Given]) -> Finding:
    """Two to five answers again and again, over more answers than allowed."""
    return _repeated(PATTERN, policy, given, limit=policy.max_in_pattern, limit_name="max_in_pattern")


def _repeated(rule: str, policy: Policy, given: Sequence[Given], *, limit: int, limit_name: str) -> Finding:
    limits = {limit_name: limit, "stretch_chance": policy.stretch_chance}
    if not given or not all(one.shown for one in given):
        return Finding(rule=rule, facts={rule: [], **limits}, cannot=UNKNOWN if given else "no answers")
    long = [one for one in stretches(given, PERIODS[rule]) if len(one) > limit]
    worst = min(long, key=lambda one: one.chance, default=None)
    if worst is None or worst.chance >= policy.stretch_chance:
        return Finding(rule=rule, hangs_on_others=bool(long), facts={rule: [], **limits})
    return Finding(rule=rule, broken=True, hangs_on_others=True, facts={**_facts(rule, worst), **limits})


def _facts(rule: str, found: Stretch) -> dict[str, object]:
    return {
        rule: [{"item": one.item, "answered": one.answer, "place": one.place} for one in found.given],
        f"{rule}_by": found.by,
        f"{rule}_period": found.period,
        f"{rule}_chance": found.chance,
    }
