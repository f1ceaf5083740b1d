"""Each rule of quality at its limits, on answers made by hand: what it finds and rests on, when it cannot judge."""

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from annotation.models.people import ExclusionRule
from annotation.quality.policy import LIMITS, QUALITY, Policy
from annotation.quality.rules import Answer, held_against
from annotation.quality.sentences import WORDS, because
from annotation.tasktypes import task_type

SCALE = task_type("plausibility").configured({}).scale
E, L, M = "equally_likely", "less_likely", "more_likely"
ORDER = SCALE.values


def given(labels, *, took=None, shown=None, others=(), kind="target", sitting=1):
    return [
        Answer(
            item=f"{kind}-{place}",
            kind=kind,
            answer=label,
            reference=L if kind == "gold" else None,
            sitting=sitting,
            shown=ORDER if shown is None else shown[place],
            took_ms=None if took is None else took[place],
            others=others[place] if others else {},
        )
        for place, label in enumerate(labels)
    ]


def found(rule, policy, answers):
    return next(one for one in held_against(policy, answers, SCALE).findings if one.rule == rule)


def test_every_limit_has_its_default():
    assert Policy() == Policy(**{name: setting.default for name, setting in QUALITY.items()})


def test_every_rule_has_a_name_and_words():
    policy = Policy(item_floor_ms=1, sitting_floor_ms=1, max_same_in_a_row=1, max_in_pattern=1)
    rules = [one.rule for one in held_against(policy, [], SCALE).findings]
    assert [*rules, "researcher"] == ExclusionRule.values == list(WORDS)


def test_a_policy_without_a_rule_has_no_finding_of_it():
    assert [one.rule for one in held_against(Policy(), [], SCALE).findings] == ["attention", "gold"]


def test_the_hash_is_of_every_limit():
    assert Policy().digest == Policy().digest
    changes: list[dict[str, Any]] = [{name: 7} for name in LIMITS]
    others = [replace(Policy(), **one) for one in changes]
    digests = {one.digest for one in (Policy(), Policy(after_exclusion="drop"), *others)}
    assert len(digests) == len(QUALITY) + 1


@pytest.mark.parametrize(("answered", "far", "broken"), [(9, 9, False), (10, 1, False), (10, 2, True)])
def test_gold_decides_on_its_least_number_of_answers(answered, far, broken):
    labels = [M] * far + [L] * (answered - far)
    one = found("gold", Policy(gold_least=10, gold_distance=2), given(labels, kind="gold"))
    assert one.broken is broken
    assert one.cannot == ("9 gold answers; the rule needs at least 10" if answered < 10 else "")


@pytest.mark.parametrize(("below", "broken"), [(1, False), (2, True)])
def test_more_than_a_tenth_below_the_floor_is_too_quick(below, broken):
    took = [499] * below + [500] * (10 - below)
    one = found("quick", Policy(item_floor_ms=500), given([E] * 10, took=took))
    assert one.broken is broken
    assert one.facts["quick"] == [{"item": f"target-{place}", "ms": 499, "claimed_ms": None} for place in range(below)]


def test_without_times_nobody_is_quick():
    policy = Policy(item_floor_ms=10_000, sitting_floor_ms=10_000)
    untimed = held_against(policy, given([E] * 40), SCALE)
    few = held_against(policy, given([E] * 40, took=[1] * 9 + [None] * 31), SCALE)
    assert untimed.broken_rule is None and few.broken_rule is None
    assert untimed.as_json()["cannot_judge"]["quick"] == "0 of 40 answers were timed; the rule needs at least 10"
    assert few.as_json()["cannot_judge"]["sitting"] == "9 of 40 answers were timed; the rule needs at least 10"


def test_one_sitting_whose_median_is_below_the_floor_is_enough():
    slow, fast = given([E] * 10, took=[9000] * 10), given([E] * 10, took=[900] * 6 + [9000] * 4, sitting=2)
    one = found("sitting", Policy(sitting_floor_ms=1000), slow + fast)
    assert one.broken
    assert (one.facts["sitting_median_ms"], len(one.facts["sitting"])) == (900, 10)
    half = given([E] * 10, took=[900] * 5 + [9000] * 5)
    assert not found("sitting", Policy(sitting_floor_ms=1000), half).broken


@pytest.mark.parametrize(("times", "broken"), [(8, False), (9, True)])
def test_more_in_a_row_than_allowed(times, broken):
    answers = given([L, M] + [E] * times + [L], others=[{L: 2, M: 1}] * (times + 3))
    one = found("straight", Policy(max_same_in_a_row=8), answers)
    assert one.broken is broken
    assert [answer["item"] for answer in one.facts["straight"]] == ([f"target-{n}" for n in range(2, 11)] * broken)


def test_a_row_does_not_go_on_in_the_next_sitting():
    answers = given([E] * 6) + given([E] * 6, sitting=2)
    assert not found("straight", Policy(max_same_in_a_row=8), answers).broken


def test_who_says_what_all_say_is_not_straight_lining():
    agreed = given([E] * 12, others=[{E: 4}] * 12)
    alone = given([E] * 12, others=[{L: 2, M: 2}] * 12)
    assert not found("straight", Policy(max_same_in_a_row=8), agreed).broken
    assert found("straight", Policy(max_same_in_a_row=8), alone).broken


def test_the_same_place_in_a_row_where_the_order_differs():
    shown = [ORDER[turn % 5 :] + ORDER[: turn % 5] for turn in range(12)]
    one = found("straight", Policy(max_same_in_a_row=8), given([order[0] for order in shown], shown=shown))
    assert one.broken
    assert one.facts["straight_by"] == "place"
    # The first of twelve is free, and only one beginning is possible.
    assert one.facts["straight_chance"] == pytest.approx(5.0**-11)


@pytest.mark.parametrize("labels", [[E, L] * 10, [E, L, M] * 7, [E, E, L, M] * 5, [*ORDER] * 3])
def test_two_to_five_in_turn_are_a_pattern(labels):
    one = found("pattern", Policy(max_in_pattern=12), given(labels))
    assert one.broken
    assert one.facts["pattern_period"] == len(set(map(str, labels))) + (labels[0] == labels[1])
    assert len(one.facts["pattern"]) == len(labels)


def test_one_label_again_and_again_is_no_pattern():
    assert not found("pattern", Policy(max_in_pattern=8), given([E] * 30)).broken


def test_six_in_turn_are_no_pattern():
    assert not found("pattern", Policy(max_in_pattern=8), given([*ORDER, E] * 5)).broken


def test_where_the_order_is_unknown_neither_judges():
    policy = Policy(max_same_in_a_row=2, max_in_pattern=2)
    elsewhere = given([E] * 30, shown=[()] * 30)
    evidence = held_against(policy, elsewhere, SCALE)
    assert evidence.broken_rule is None
    assert set(evidence.as_json()["cannot_judge"]) == {"straight", "pattern"}


def test_a_row_beside_one_straight_liner_is_held_against_nobody():
    """All of somebody's items were answered by one other person too, who says the same of each."""
    labels = [E, M, E, L, E, E, M, E, L, E, M, E, E, L, *[E] * 12]
    policy = Policy(max_same_in_a_row=10)
    beside_one = given(labels, others=[{L: 1}] * len(labels))
    beside_three = given(labels, others=[{L: 2, M: 1}] * len(labels))
    assert not found("straight", policy, beside_one).broken
    assert found("straight", policy, beside_three).broken


def test_where_nobody_else_has_answered_a_row_is_held_against_nobody():
    """They may all be of one kind; of what two others say, one label an item counts against the row."""
    policy, labels = Policy(max_same_in_a_row=8), [E] * 26
    assert not found("straight", policy, given(labels)).broken
    assert not found("straight", policy, given(labels, others=[{L: 1}] * 26)).broken
    assert found("straight", policy, given(labels, others=[{E: 2}, {L: 2}] * 13)).broken


def test_checks_in_a_row_say_what_an_attentive_annotator_does():
    row = given([E] * 10, others=[{E: 1}] * 10)
    checks = given([E] * 2, kind="gold")
    assert not found("straight", Policy(max_same_in_a_row=8), row).broken
    assert found("straight", Policy(max_same_in_a_row=8), row[:5] + checks + row[5:]).broken


@pytest.mark.slow
@pytest.mark.parametrize("others", ["nobody", "a straight-liner", "ten"])
@pytest.mark.parametrize("shares", [{E: 6, L: 3, M: 1}, {E: 9, L: 1}], ids=str)
def test_attentive_annotators_are_met_as_seldom_as_the_policy_says(shares, others):
    """Who answer as the shares of the study are, whoever has answered the same items."""
    rng, runs, policy = random.Random(3), 500, Policy(max_same_in_a_row=8)
    people = [{"nobody": {}, "a straight-liner": {L: 1}, "ten": shares}[others]] * 26
    drawn = (rng.choices(list(shares), weights=list(shares.values()), k=26) for _ in range(runs))
    met = sum(found("straight", policy, given(labels, others=people)).broken for labels in drawn)
    assert met / runs <= policy.stretch_chance


@pytest.mark.slow
@pytest.mark.parametrize("shares", [{E: 6, L: 3, M: 1}, {E: 9, L: 1}, dict.fromkeys(ORDER, 1)], ids=str)
def test_attentive_annotators_show_patterns_as_seldom_as_the_policy_says(shares):
    """Every period is looked for; what two others say of an item is drawn as the answers are."""
    rng, runs, policy = random.Random(5), 500, Policy(max_in_pattern=6)
    met = 0
    for _ in range(runs):
        labels, *others = (rng.choices(list(shares), weights=list(shares.values()), k=26) for _ in range(3))
        people = [Counter(said) for said in zip(*others, strict=True)]
        met += found("pattern", policy, given(labels, others=people)).broken
    assert met / runs <= policy.stretch_chance


def test_words_of_every_rule_name_what_it_rests_on():
    policy = Policy(item_floor_ms=500, sitting_floor_ms=900, max_same_in_a_row=8, max_in_pattern=8)
    facts = json.loads(json.dumps(held_against(policy, given([E] * 12 + [L, M] * 6, took=[400] * 24), SCALE).as_json()))
    assert because("quick", facts) == "24 of 24 timed answers (100 %) took less than 0.5 s; the limit is 10 %"
    assert because("sitting", facts) == "median of 24 timed answers in a batch: 0.4 s; the minimum is 0.9 s"
    assert because("straight", facts).startswith("the same label 12 times in a row; the limit is 8. At most 1 in")
    assert because("pattern", facts).startswith("2 labels in turn over 12 answers; the limit is 8.")
