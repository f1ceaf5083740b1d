"""Items of groups that are right and wrong together: how often a verdict says of noise that it is something.

Each world is seeded. What is said at 5 of 100 may be seen in four standard deviations more of so many worlds, and no
more: a t test over the groups' sums, or draws of groups without more ado, said it in up to 65 of 100.
"""

import numpy as np
import pytest
from scipy.stats import norm

from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.strengths.correlation import people_score, spearman
from comparison.statistics.verdict.parts import Runs
from comparison.statistics.verdict.rule import verdict
from tests.comparison.statistics.verdict.made import entrant, evidence, labels_like, like, models, runs_of

WORLDS = 100
MOST = 0.05 + 4 * (0.05 * 0.95 / WORLDS) ** 0.5

pytestmark = pytest.mark.usefixtures("few_deals")


def noise(seed: int, *, groups: int, each: int, options: int, runs: int) -> Runs:
    """All items of a group have one label, and each run gives them one, by chance."""
    rng, clusters = np.random.default_rng([seed, groups]), np.repeat(np.arange(groups), each)
    truth, *decided = (rng.integers(options, size=groups)[clusters] for _ in range(1 + runs))
    named = models({f"M{place}": codes for place, codes in enumerate(decided)})
    counts = np.eye(options, dtype=np.int64)[truth] * 3
    return runs_of(evidence(counts, named, sample=Sample(clusters=clusters)))


def tie(seed: int, *, groups: int, options: int, share: float, each: int = 5) -> Runs:
    """Three runs that are right equally often, in each group by what they share there as much as by themselves."""
    rng, clusters = np.random.default_rng([seed, groups]), np.repeat(np.arange(groups), each)
    truth, decided = rng.integers(options, size=len(clusters)), {}
    for place in range(3):
        seen = np.sqrt(0.5) * (rng.normal(size=groups)[clusters] + rng.normal(size=len(clusters)))
        other = (truth + rng.integers(1, options, size=len(truth))) % options
        decided[f"M{place}"] = np.where(seen < norm.ppf(share), truth, other)
    counts = np.eye(options, dtype=np.int64)[truth] * 3
    return runs_of(evidence(counts, models(decided), sample=Sample(clusters=clusters)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "options", "runs"), [(2, 2, 1), (3, 2, 1), (4, 2, 1), (6, 2, 3), (6, 5, 3), (12, 5, 3)]
)
def test_noise_with_one_answer_a_group_is_neither_better_nor_worse_than_chance(groups, options, runs):
    found = [noise(seed, groups=groups, each=10, options=options, runs=runs).models for seed in range(WORLDS)]
    assert np.mean([any(one.beats_chance for one in study) for study in found]) <= MOST
    assert np.mean([any(one.is_below_chance for one in study) for study in found]) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("groups", [12, 40])
def test_runs_at_chance_that_are_right_on_few_whole_groups_are_not_below_it(groups):
    """Five options: most groups lie below chance and some far above it, so that sums are skewed."""
    found = [tie(seed, groups=groups, options=5, share=0.2, each=10).models for seed in range(WORLDS)]
    assert np.mean([any(one.is_below_chance for one in study) for study in found]) <= MOST
    assert np.mean([any(one.beats_chance for one in study) for study in found]) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("groups", [6, 10, 30])
def test_three_equal_runs_all_stay_among_the_nearest(groups):
    found = [tie(seed, groups=groups, options=3, share=0.75).models for seed in range(WORLDS)]
    assert np.mean([not all(one.nearest for one in study) for study in found]) <= MOST


def test_of_five_groups_no_run_is_told_from_another_and_of_twenty_it_is():
    for groups, nearest in ((5, ["Ash", "Birch"]), (20, ["Ash"])):
        rng, clusters = np.random.default_rng(1), np.repeat(np.arange(groups), 20)
        truth = clusters % 5
        named = models({"Ash": truth, "Birch": like(truth, values=5, share=0.3, rng=rng)})
        counts = np.eye(5, dtype=np.int64)[truth] * 3
        given = evidence(counts, named, sample=Sample(clusters=clusters), ordered=True, measure="quadratic_kappa")
        found = verdict(given)
        assert [one.name for one in found.runs.nearest] == nearest
        assert [one.state.word for one in found.of("nearest")] == ["Too few" if groups == 5 else "Nearest"]


@pytest.mark.slow
def test_ten_strengths_of_noise_over_groups_are_announced_as_rarely_as_one():
    """By n and not by what the items are worth it is 20 of 100."""
    announced, clusters = 0, np.repeat(np.arange(40), 5)
    sample = Sample(clusters=clusters)
    for seed in range(WORLDS):
        rng = np.random.default_rng([seed, 40])
        truth = rng.integers(5, size=40)[clusters]
        counts = labels_like(truth, values=5, share=0.9, each=3, rng=rng)
        score, runs = people_score(counts, ordered=True), []
        for run in range(10):
            given = rng.normal(size=40)[clusters] + 0.3 * rng.normal(size=200)
            rho = spearman(given, score, sample=sample)
            runs.append(entrant(run + 1, f"M{run}", np.full(200, MISSING), strength=rho))
        found = runs_of(evidence(counts, tuple(runs), ordered=True, sample=sample))
        announced += any(one.is_told for one in found.strengths)
    assert announced / WORLDS <= MOST
