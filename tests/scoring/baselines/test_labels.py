"""Baselines (docs/metrics.md, B1 to B3)."""

import pytest

from annotation.tasktypes.contract import Cloze, Labeled, LabelNumbers, Unscored
from annotation.tasktypes.plausibility import DEGREES
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec


def answers(key, settings, *requests):
    return open_scorer(ModelSpec(key, key), metric="label", settings=settings).score(requests)


def about(modifier, number=1):
    return Labeled(f"Key {number} opens.", DEGREES.values, paired=f"A {modifier} key {number} opens.", focus=modifier)


def test_b1_majority_gives_the_runs_label_to_everything():
    assert (
        answers("majority", {"label": "less_likely"}, about("old"), about("new")) == [LabelNumbers("less_likely")] * 2
    )


def test_b1_majority_without_a_label_says_why():
    settings = {"label": None, "reason": "the study has no references"}
    assert answers("majority", settings, about("old")) == [Unscored("the study has no references")]


@pytest.mark.parametrize(
    ("modifier", "label"),
    [("false", "less_likely"), ("False", "less_likely"), ("anti", "less_likely"), ("heavy", "equally_likely")],
)
def test_b2_a_nonsubsective_modifier_makes_it_less_likely_and_any_other_equally_likely(modifier, label):
    settings = {"nonsubsective": ["false", "anti-"]}
    assert answers("normative", settings, about(modifier)) == [LabelNumbers(label)]


def test_b2_without_a_modifier_the_normative_rule_says_nothing():
    [result] = answers("normative", {"nonsubsective": ["false"]}, Labeled("Is it open?", ("yes", "no")))
    assert isinstance(result, Unscored)


def test_b3_random_depends_on_seed_and_text_and_not_on_the_order_of_work():
    requests = [about("old", number) for number in range(200)]
    first = answers("random", {"seed": 1}, *requests)
    assert answers("random", {"seed": 1}, *reversed(requests)) == first[::-1]
    assert answers("random", {"seed": 2}, *requests) != first
    # 200 draws from five labels: each label comes, and none takes over.
    counts = [sum(result.label == value for result in first) for value in DEGREES.values]
    assert min(counts) >= 20
    assert max(counts) <= 65


@pytest.mark.parametrize("key", ["majority", "normative", "random"])
def test_a_baseline_has_no_probabilities(key):
    settings = {"label": "a", "nonsubsective": [], "seed": 1}
    [result] = answers(key, settings, Cloze("A ____ key.", ("false",)))
    assert isinstance(result, Unscored)
