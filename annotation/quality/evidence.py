"""What all rules of a policy find in an annotator's answers: the evidence, and the first rule that it breaks. Pure.

To add a rule: a function in `rules.py` that gives a Finding, its line in `held_against`, its limits in `policy.py`,
`studyfile/tables.py` and `models/study.py`, its name in `models/people.py`, its words in `sentences.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.quality.answers import Answer, Finding
from annotation.quality.policy import Policy
from annotation.quality.rules import attention, gold, pattern, quick, sitting, straight
from annotation.tasktypes.contract import Scale


@dataclass(frozen=True, slots=True)
class Evidence:
    findings: tuple[Finding, ...]

    @property
    def broken_rule(self) -> str | None:
        """The first rule that the answers break, if any."""
        return next((one.rule for one in self.findings if one.broken), None)

    @property
    def hangs_on_others(self) -> bool:
        """Whether labels that others have not given yet may change what it finds."""
        return any(one.hangs_on_others for one in self.findings)

    @property
    def chance(self) -> float:
        """That an attentive annotator breaks the rule; 0 of rules that hang on nobody else."""
        facts = self.as_json()
        return float(facts.get(f"{self.broken_rule}_chance", 0.0))

    def as_json(self) -> dict[str, Any]:
        """The facts of every rule, and why those cannot judge that cannot."""
        facts: dict[str, Any] = {}
        for one in self.findings:
            facts |= one.facts
        return facts | {"cannot_judge": {one.rule: one.cannot for one in self.findings if one.cannot}}


def held_against(policy: Policy, given: Sequence[Answer], scale: Scale) -> Evidence:
    """Rules that the policy does not have find nothing."""
    findings = [attention(policy, given, scale), gold(policy, given, scale)]
    given = [one for one in given if one.answer]
    if policy.item_floor_ms:
        findings.append(quick(policy, given))
    if policy.sitting_floor_ms:
        findings.append(sitting(policy, given))
    if policy.max_same_in_a_row:
        findings.append(straight(policy, given))
    if policy.max_in_pattern:
        findings.append(pattern(policy, given))
    return Evidence(tuple(findings))
