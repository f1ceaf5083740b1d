"""Attention and gold items: ADEPT's two rules (Emami et al. 2021, section 4.1). Pure.

An annotator is out after failing more attention checks than allowed, or when too large a share of their gold answers
lies too many degrees from the reference.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from annotation.quality.answers import ATTENTION, GOLD, Given
from annotation.quality.finding import Finding
from annotation.quality.policy import Policy
from annotation.tasktypes.contract import Scale


@dataclass(frozen=True, slots=True)
class Check:
    """One answered check: what was right, what was answered, how far apart (degrees).

    What cannot be judged lies as far off as anything.
    """

    item: str
    expected: str
    answered: str
    distance: int


def attention(policy: Policy, given: Sequence[Given], scale: Scale) -> Finding:
    checks = _checks(given, scale, ATTENTION)
    failures = sum(check.distance > 0 for check in checks)
    facts = {
        "attention": [asdict(check) for check in checks],
        "attention_failures": failures,
        "max_attention_failures": policy.max_attention_failures,
    }
    return Finding(rule=ATTENTION, broken=failures > policy.max_attention_failures, facts=facts)


def gold(policy: Policy, given: Sequence[Given], scale: Scale) -> Finding:
    checks = _checks(given, scale, GOLD)
    far, answered = sum(check.distance >= policy.gold_distance for check in checks), len(checks)
    facts = {
        "gold": [asdict(check) for check in checks],
        "gold_far": far,
        "gold_tolerance": policy.gold_tolerance,
        "gold_distance": policy.gold_distance,
        "gold_least": policy.gold_least,
    }
    if answered < max(1, policy.gold_least):
        cannot = f"{answered} gold answers, and it decides on {policy.gold_least} or more" if answered else ""
        return Finding(rule=GOLD, facts=facts, cannot=cannot)
    return Finding(rule=GOLD, broken=far / answered > policy.gold_tolerance, facts=facts)


def _checks(given: Sequence[Given], scale: Scale, kind: str) -> list[Check]:
    found = []
    for one in given:
        if one.kind == kind:
            assert one.reference is not None  # the database holds checks to it
            off = scale.distance(one.reference, one.answer) if one.answer else scale.greatest_distance
            found.append(Check(one.item, one.reference, one.answer, off))
    return found
