"""The rules of a policy, each of which gives a Finding: checks, times, and answers that repeat; and the first one
broken.

Checks are ADEPT's two rules (Emami et al. 2021, section 4.1): an annotator is out after failing more attention checks
than allowed, or when too large a share of their gold answers lies too many degrees from the reference.

How long an answer took is what the browser says, and never more than passed on the server between showing the item and
its answer; without JavaScript, that. Of labels given elsewhere nothing is known, and neither rule of times judges.

Straight-lining and repeated patterns look at the order in which answers came, and judge nobody whose order is unknown.
Neither holds a stretch against anybody that attentive people give often enough: where all say the same of the items, so
may one.

Pure. To add a rule: a function that gives a Finding, its line in `held_against`, its limits in `policy.py` and
`models/study.py`, its name in `models/people.py`, its words in `sentences.py`.

A stretch of period 1 is the same answer again and again; of period 2, two in turn. How probable: the first `period`
answers are free, and each further one is as probable as `Attentive` says; a place on the page, as one of the places
there are. All beginnings and all periods that are looked for are counted, so that it is a bound from above (Boole's
inequality).

What is known of an answer are the annotator's own other answers and what several others said. One person's word is not
as many words as there are items: who shares all items of a sitting with somebody careless disagrees with them on each.
So where one other person labeled an item, nothing is known of it; where several did, one label against the answer is
left out.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median_high
from typing import Any

from annotation.quality.policy import Policy
from annotation.tasktypes.contract import Scale

GOLD, ATTENTION = "gold", "attention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer. `shown` are the values of its options in the order on the page; empty where nobody knows it.

    `took_ms` is at most what passed on the server, and None of labels given elsewhere alone; `claimed_ms` is what the
    annotator's browser said, None where it said nothing that a browser could.
    `others` are the labels that count of all others on the item, by value. `answer` is empty of an attention check that
    they said cannot be judged.
    """

    item: str
    kind: str
    answer: str
    reference: str | None = None
    sitting: int = 0
    shown: tuple[str, ...] = ()
    took_ms: int | None = None
    claimed_ms: int | None = None
    others: Mapping[str, int] = field(default_factory=dict)

    @property
    def place(self) -> int:
        """Of the chosen option, from 1."""
        return self.shown.index(self.answer) + 1

    @property
    def is_check(self) -> bool:
        return self.kind in (GOLD, ATTENTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`facts` are JSON: the answers that it rests on, their count and the limit. `cannot` says why it cannot judge.

    `hangs_on_others`: with other labels by others it might be broken, or not.
    """

    rule: str
    broken: bool = False
    hangs_on_others: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    cannot: str = ""


# An attentive annotator gives a check its reference: as if so many had said so.
SURE = 10

STRAIGHT, PATTERN = "straight", "pattern"
PERIODS = {STRAIGHT: (1,), PATTERN: (2, 3, 4, 5)}
REPETITION = tuple(PERIODS)
UNKNOWN = "the order of answers is unknown"
QUICK, SITTING = "quick", "sitting"
# The next item may be looked at while the answer before it is under way, and is served only then.
BEYOND_MS = 2_000


class Attentive:
    """How probable an answer is of an attentive annotator, from all of one annotator's answers that are known."""

    def __init__(self, given: Sequence[Answer]) -> None:
        self._values = len({value for one in given for value in one.shown})
        self._targets = [one for one in given if not one.is_check]
        self._own = Counter(one.answer for one in self._targets)
        self._heard: dict[str, tuple[int, int]] = {}

    def chance(self, row: Sequence[Answer], period: int) -> float:
        """That the answers of `row` repeat its first `period`, which are free.

        Each is predicted from what is known of the item, and from the answers outside of the row and before it in the
        row: a rule of succession with the weight of one label for all that is not known, so that a row of what
        somebody says often, or always, is nothing strange by itself.
        """
        known = self._own - Counter(one.answer for one in row if not one.is_check)
        chance = 1.0
        for place, one in enumerate(row):
            if place >= period:
                chance *= self._says(one, known)
            if not one.is_check:
                known[one.answer] += 1
        return chance

    def _says(self, one: Answer, known: Counter[str]) -> float:
        """How often the item is given this answer; where few have said anything, it leans towards all answers."""
        agreed, heard = self._heard_of(one.answer)
        share = (known[one.answer] + agreed + 1 / self._values) / (known.total() + heard + 1)
        agree, others = (SURE * (one.answer == one.reference), SURE) if one.is_check else _heard(one, one.answer)
        return (agree + share) / (others + 1)

    def _heard_of(self, answer: str) -> tuple[int, int]:
        """What others say of all the items, as `_heard` of each."""
        if answer not in self._heard:
            each = [_heard(one, answer) for one in self._targets]
            self._heard[answer] = (sum(agree for agree, _ in each), sum(others for _, others in each))
        return self._heard[answer]


def _heard(one: Answer, answer: str) -> tuple[int, int]:
    """How many others agree with this answer to the item, of how many that are heard."""
    agree, others = one.others.get(answer, 0), sum(one.others.values())
    return (agree, max(agree, others - 1)) if others > 1 else (0, 0)


@dataclass(frozen=True, slots=True)
class Stretch:
    """`by`: whether the same label or the same place on the page was chosen. `chance` is at most that."""

    given: tuple[Answer, ...]
    by: str
    period: int
    chance: float

    def __len__(self) -> int:
        return len(self.given)


def stretches(given: Sequence[Answer], periods: Sequence[int]) -> Iterator[Stretch]:
    """Every stretch that can be made no longer, in one sitting; `given` has the order in which it was shown."""
    attentive = Attentive(given)
    by_place = len({one.shown for one in given}) > 1
    for part in _by_sitting(given):
        for period in periods:
            yield from _of_series([one.answer for one in part], part, period, attentive, looked_for=len(periods))
            if by_place:
                yield from _of_series([one.place for one in part], part, period, None, looked_for=len(periods))


def _of_series(
    said: Sequence[str | int], part: Sequence[Answer], period: int, attentive: Attentive | None, *, looked_for: int
) -> Iterator[Stretch]:
    begins = 0
    for end in range(period, len(said) + 1):
        if end < len(said) and said[end] == said[end - period]:
            continue
        # A longer period is of several answers: one again and again is a stretch of period 1.
        if end - begins > period and (period == 1 or len(set(said[begins:end])) > 1):
            found = tuple(part[begins:end])
            chance = attentive.chance(found, period) if attentive else _by_place(found, period)
            chance *= looked_for * (len(part) - len(found) + 1)
            yield Stretch(found, "label" if attentive else "place", period, min(1.0, chance))
        begins = end - period + 1


def _by_place(found: Sequence[Answer], period: int) -> float:
    return math.prod(1 / len(one.shown) for one in found[period:])


def _by_sitting(given: Sequence[Answer]) -> list[list[Answer]]:
    parts: dict[int, list[Answer]] = {}
    for one in given:
        parts.setdefault(one.sitting, []).append(one)
    return list(parts.values())


def straight(policy: Policy, given: Sequence[Answer]) -> Finding:
    """The same option, by its label or by its place on the page, more often in a row than allowed."""
    return _repeated(STRAIGHT, policy, given, limit=policy.max_same_in_a_row, limit_name="max_same_in_a_row")


def pattern(policy: Policy, given: Sequence[Answer]) -> Finding:
    """Two to five answers again and again, over more answers than allowed."""
    return _repeated(PATTERN, policy, given, limit=policy.max_in_pattern, limit_name="max_in_pattern")


def _repeated(rule: str, policy: Policy, given: Sequence[Answer], *, limit: int, limit_name: str) -> Finding:
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


@dataclass(frozen=True, slots=True)
class Check:
    """One answered check: right and given answer, and how far apart; what cannot be judged is as far as anything."""

    item: str
    expected: str
    answered: str
    distance: int


def attention(policy: Policy, given: Sequence[Answer], scale: Scale) -> Finding:
    checks = _checks(given, scale, ATTENTION)
    failures = sum(check.distance > 0 for check in checks)
    facts = {
        "attention": [asdict(check) for check in checks],
        "attention_failures": failures,
        "max_attention_failures": policy.max_attention_failures,
    }
    return Finding(rule=ATTENTION, broken=failures > policy.max_attention_failures, facts=facts)


def gold(policy: Policy, given: Sequence[Answer], scale: Scale) -> Finding:
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
        cannot = f"{answered} gold answers; the rule needs at least {policy.gold_least}" if answered else ""
        return Finding(rule=GOLD, facts=facts, cannot=cannot)
    return Finding(rule=GOLD, broken=far / answered > policy.gold_tolerance, facts=facts)


def _checks(given: Sequence[Answer], scale: Scale, kind: str) -> list[Check]:
    found = []
    for one in given:
        if one.kind == kind:
            assert one.reference is not None  # the database holds checks to it
            off = scale.distance(one.reference, one.answer) if one.answer else scale.greatest_distance
            found.append(Check(one.item, one.reference, one.answer, off))
    return found


def quick(policy: Policy, given: Sequence[Answer]) -> Finding:
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


def sitting(policy: Policy, given: Sequence[Answer]) -> Finding:
    """In one sitting more than half of the timed answers are quicker than the floor: their (upper) median is."""
    by_sitting: dict[int, list[Answer]] = defaultdict(list)
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


def _of_sitting(policy: Policy, timed: list[Answer]) -> dict[str, object]:
    return {
        "sitting": _named(timed),
        "impossible": _impossible(timed),
        "sitting_median_ms": _median(timed) if timed else None,
        "sitting_floor_ms": policy.sitting_floor_ms,
        "timed_least": policy.timed_least,
    }


def _median(timed: list[Answer]) -> int:
    return median_high(one.took_ms or 0 for one in timed)


def _timed(given: Sequence[Answer]) -> list[Answer]:
    return [one for one in given if one.took_ms is not None]


def _named(timed: list[Answer]) -> list[dict[str, object]]:
    return [{"item": one.item, "ms": one.took_ms, "claimed_ms": one.claimed_ms} for one in timed]


def _impossible(timed: list[Answer]) -> int:
    """Of how many the browser claimed a time that had not passed, and that waiting for a line does not explain."""
    return sum((one.claimed_ms or 0) > (one.took_ms or 0) + BEYOND_MS for one in timed)


def _too_few(timed: int, answers: int, policy: Policy) -> str:
    return f"{timed} of {answers} answers were timed; the rule needs at least {max(1, policy.timed_least)}"


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
