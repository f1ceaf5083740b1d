"""Precision and recall of each rule in a made crowd: 60 annotators, of whom it is known what they do."""

from typing import Any

import pytest

from annotation.quality.policy import Policy
from annotation.quality.rules import held_against
from tests.annotation.quality.made_crowd import TASKS, made_crowd

# Each rule alone, with whom it is there to find: everyone of these profiles, and nobody else.
LENIENT: dict[str, Any] = {"max_attention_failures": 100, "gold_tolerance": 1.0}
FINDS = {
    "attention": (Policy(gold_tolerance=1.0), {"careless"}),
    "quick": (Policy(**LENIENT, item_floor_ms=1200), {"hasty", "careless"}),
    "sitting": (Policy(**LENIENT, sitting_floor_ms=1500), {"hasty", "careless"}),
    "straight": (Policy(**LENIENT, max_same_in_a_row=12), {"straight"}),
    "pattern": (Policy(**LENIENT, max_in_pattern=15), {"repeating"}),
}
# Of attention: those who answer without reading fail most of the checks, and the noisy one in fifty.
ALSO = {"attention": {"straight", "repeating", "noisy"}}


@pytest.fixture(scope="module", params=[(task, seed) for task in TASKS for seed in (1, 2)], ids=str)
def crowd(request):
    task, seed = request.param
    return TASKS[task].scale, made_crowd(task, seed=seed)


def profile(name):
    return name.partition("-")[0]


@pytest.mark.slow
@pytest.mark.parametrize("rule", FINDS)
def test_a_rule_finds_those_it_is_for_and_nobody_else(crowd, rule):
    scale, answers = crowd
    policy, wanted = FINDS[rule]
    met = {name for name, given in answers.items() if held_against(policy, given, scale).broken_rule == rule}
    right = {name for name in answers if profile(name) in wanted}
    wrong = {name for name in met - right if profile(name) not in ALSO.get(rule, set())}
    recall, precision = len(met & right) / len(right), 1 - len(wrong) / max(1, len(met))
    assert (recall, precision) == (1.0, 1.0), (sorted(right - met), sorted(wrong))


@pytest.mark.slow
def test_the_whole_policy_finds_all_who_do_not_read(crowd):
    scale, answers = crowd
    policy = Policy(
        gold_distance=1, gold_tolerance=0.5, gold_least=4, item_floor_ms=1200, max_same_in_a_row=12, max_in_pattern=15
    )
    met = {name for name, given in answers.items() if held_against(policy, given, scale).broken_rule}
    bad = {name for name in answers if profile(name) not in ("careful", "noisy")}
    assert not bad - met
    assert not {name for name in met - bad if profile(name) == "careful"}
    # Fewer than half of the noisy ones fail an attention check or half of their gold.
    assert len(met - bad) <= 4


def test_without_times_and_order_the_same_crowd_loses_nobody_to_those_rules(crowd):
    scale, answers = crowd
    policy = Policy(**LENIENT, item_floor_ms=1200, sitting_floor_ms=1500, max_same_in_a_row=1, max_in_pattern=4)
    for given in answers.values():
        blind = [type(one)(item=one.item, kind=one.kind, answer=one.answer, reference=one.reference) for one in given]
        assert held_against(policy, blind, scale).broken_rule is None
