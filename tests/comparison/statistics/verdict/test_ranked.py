"""Ratings by ρ: what was tested is what is drawn, noise is not told, and equal runs stay together."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

from annotation.models.population import PEOPLE
from comparison.figures.findings import Findings
from comparison.figures.models.verdict import nearness_caption, nearness_chart, verdict_lines
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import grouped
from comparison.statistics.verdict.evidence import Entrant, Evidence
from comparison.statistics.verdict.ranked import influence, ranked
from comparison.statistics.verdict.rule import verdict
from comparison.statistics.verdict.words.wording import number


def rated(ratings, runs, *, counts=None, **more):
    size = len(ratings)
    nothing = np.full(size, MISSING)
    entrants = [
        Entrant(run=place, name=name, is_baseline=False, decided=nothing, scores=scores)
        for place, (name, scores) in enumerate(runs.items(), 1)
    ]
    given = np.zeros((size, 7), dtype=int) if counts is None else counts
    return Evidence(
        counts=given, truth=nothing, words=tuple("1234567"), ordered=True, entrants=tuple(entrants),
        against="majority", measure="spearman", ratings=ratings, rated="people’s mean ratings", **more,
    )  # fmt: skip


def interval(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None and estimate.high is not None
    return estimate.low, estimate.high


def following(ratings, r, rng):
    return r * ratings + (1 - r**2) ** 0.5 * rng.normal(size=len(ratings))


def test_what_an_item_adds_is_what_leaving_it_out_takes_away():
    rng = np.random.default_rng(1)
    one = rng.integers(5, size=60).astype(float)
    other = np.round(one + 2 * rng.normal(size=60))
    rho = spearmanr(one, other).statistic
    without = [spearmanr(np.delete(one, i), np.delete(other, i)).statistic for i in range(60)]
    assert np.corrcoef(59 * (rho - np.array(without)), influence(one, other))[0, 1] > 0.999


def test_the_models_that_follow_people_s_ratings_are_said_with_their_rho():
    rng = np.random.default_rng(2)
    ratings = rng.normal(size=120)
    runs = {"Ash": following(ratings, 0.9, rng), "Birch": following(ratings, 0.4, rng), "Elm": rng.normal(size=120)}
    found = verdict(rated(ratings, runs))
    ash = found.runs.placed[0]
    assert found.headline == f"Ash’s scores follow people’s mean ratings best (ρ {ash.value.number})."
    [rise], [nearest] = found.of("chance"), found.of("nearest")
    assert (rise.state.word, nearest.state.word) == ("2 of 3", "Nearest")
    assert f"ρ = {ash.joint.short} on 120 items" in nearest.evidence
    assert (found.who, found.figure) == ("Ash", f"ρ = {ash.value.short}")
    assert found.runs.constant is None
    assert "majority" not in " ".join(found.sentences)


@pytest.mark.slow
def test_noise_is_not_told_from_chance_and_equal_runs_stay_together():
    rng = np.random.default_rng(3)
    told, alone = 0, 0
    for _ in range(100):
        ratings = rng.normal(size=60)
        told += any(one.beats_chance for one in ranked(rated(ratings, {n: rng.normal(size=60) for n in "abc"})).placed)
        equal = ranked(rated(ratings, {n: following(ratings, 0.6, rng) for n in "abc"}))
        alone += not all(one.nearest for one in equal.placed)
    assert told <= 10
    assert alone <= 12


def test_a_run_that_gives_every_item_one_score_stands_outside_with_the_reason():
    ratings = np.arange(30.0)
    found = verdict(rated(ratings, {"Ash": ratings**2, "Same": np.zeros(30)}))
    assert [one.name for one in found.runs.placed] == ["Ash"]
    assert found.runs.outside[0].reason == "every item has the same score"


def test_people_s_split_halves_are_the_ceiling():
    rng = np.random.default_rng(4)
    middle = rng.integers(7, size=80)
    counts = np.zeros((80, 7), dtype=int)
    for _ in range(10):
        counts[np.arange(80), np.clip(middle + rng.integers(-1, 2, size=80), 0, 6)] += 1
    ratings = counts @ np.arange(1, 8) / 10
    found = verdict(rated(ratings, {"Ash": following((ratings - 4) / 2, 0.5, rng)}, counts=counts))
    assert interval(found.runs.person)[0] > 0.8
    [below] = found.of("person")
    assert below.state.word == "Below" and "less with the mean ratings than two halves of the" in below.statement
    assert f"against {found.runs.person.short}" in below.evidence and "split halves" in below.evidence
    near = verdict(rated(ratings, {"Ash": following((ratings - 4) / 2, 0.05, rng)}, counts=counts))
    [note] = near.of("person")
    assert note.state.word == "Note" and f"ρ = {near.runs.person.short}" in note.statement


def test_groups_count_for_what_they_are_worth():
    rng = np.random.default_rng(5)
    shared = np.repeat(rng.normal(size=12), 10)
    given = rated(shared + 0.1 * rng.normal(size=120), {"Ash": np.repeat(rng.normal(size=12), 10)})
    in_groups = replace(given, sample=grouped([f"g{n // 10}" for n in range(120)]))
    alone, together = (ranked(one).placed[0] for one in (given, in_groups))
    assert together.over_chance > alone.over_chance or (alone.value.value or 0.0) <= 0
    (low, high), (low_alone, high_alone) = interval(together.value), interval(alone.value)
    assert high - low > 1.5 * (high_alone - low_alone)


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 8, 20, 60])
def test_one_run_is_told_where_its_interval_leaves_0_out_and_nowhere_else(size):
    rng = np.random.default_rng(size)
    for r in np.linspace(-0.95, 0.95, 60):
        ratings = rng.normal(size=size)
        for pairs in (None, grouped([f"g{n // 2}" for n in range(size)])):
            more = {} if pairs is None else {"sample": pairs}
            [one] = ranked(rated(ratings, {"Ash": following(ratings, r, rng)}, **more)).placed
            if one.value.low is None:
                continue
            low, high = interval(one.value)
            assert one.beats_chance == (low > 0)
            assert one.is_below_chance == (high < 0)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["accuracy", "distance", "quadratic_kappa", "spearman"])
def test_the_null_that_was_tested_is_the_line_that_is_drawn(measure):
    """For degrees by cut points a tick in their own row, for all others the dotted line."""
    rng = np.random.default_rng(7)
    truth = rng.choice(5, size=90, p=[0.1, 0.1, 0.6, 0.1, 0.1])
    said = {"Ash": np.where(rng.random(90) < 0.7, truth, 2), "Cut": rng.permutation(truth)}
    entrants = tuple(
        Entrant(run=n, name=name, is_baseline=False, decided=codes, scores=codes + 0.0, how="by cuts" * (name == "Cut"))
        for n, (name, codes) in enumerate(said.items(), 1)
    )
    given = Evidence(
        counts=3 * np.eye(5, dtype=int)[truth], truth=truth, words=tuple("abcde"), ordered=True, entrants=entrants,
        against="majority", measure=measure, ratings=np.asarray(truth + 1.0, dtype=np.float64),
    )  # fmt: skip
    found = verdict(given)
    nobody = Findings.__new__(Findings)
    drawn = str(nearness_chart(nobody, found, against="majority", people=PEOPLE))
    for one in found.runs.placed:
        assert f"{f'chance for {one.name}' if one.how else 'chance'}: {number(one.chance)}" in drawn
        low, high = interval(one.value)
        tested = low > one.chance if measure != "distance" else high < one.chance
        assert one.beats_chance == tested, "interval beyond the line, and told; or neither"


def test_intervals_of_many_runs_are_told_to_be_of_one_run_each():
    rng = np.random.default_rng(11)
    ratings = rng.normal(size=60)
    found = verdict(rated(ratings, {f"m{n}": following(ratings, 0.27, rng) for n in range(25)}))
    alone = sum(interval(one.value)[0] > 0 for one in found.runs.placed)
    assert alone > sum(one.beats_chance for one in found.runs.placed)
    each = "Intervals are for single runs; which runs beat chance is tested after Holm’s correction over all 25."
    caption = nearness_caption(found, "Spearman’s ρ", against="people’s mean ratings", people=PEOPLE)
    assert caption.endswith(each)
    alone_in_it = verdict(rated(ratings, {"m": ratings}))
    assert alone_in_it.runs.of_each_run == ""


@pytest.mark.parametrize(
    ("target", "named"), [("majority", "mean rating"), ("published", "published rating"), ("reference", "reference")]
)
def test_files_say_what_scores_are_compared_with(target, named):
    ratings = np.random.default_rng(1).normal(size=40)
    found = verdict(rated(ratings, {"m": ratings}, target=target))
    assert {line[3] for line in verdict_lines(found, is_judged=True)} == {named}


def test_runs_whose_difference_is_not_shown_are_tied_and_never_said_to_be_as_good():
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=60)
    many = verdict(rated(ratings, {f"m{n}": following(ratings, 0.5, rng) for n in range(12)}))
    first, count = many.runs.placed[0], len(many.runs.nearest)
    assert count > 4
    [tie] = many.of("nearest")
    assert tie.state.word == "Not shown" and tie.statement.startswith(f"{count} of 12 models could be nearest")
    assert f"to {number(first.value.value or 0.0)} on 60 items" in tie.evidence
    assert many.who == f"{count} could be"
    few = verdict(rated(ratings, {"Ash": following(ratings, 0.6, rng), "Birch": following(ratings, 0.6, rng)}))
    next_ = few.runs.placed[1]
    assert few.headline == "Two models are tied nearest to people’s mean ratings."
    assert next_.name in few.on("nearest") and next_.value.short in few.on("nearest")
    ahead = few.runs.placed[0].ahead
    assert ahead is not None and interval(ahead)[0] <= 0, "what cannot be separated may be 0 apart"
    assert f"difference {ahead.short}" in few.on("nearest")
    assert "equally" not in " ".join((*many.sentences, *few.sentences))


def test_of_too_few_groups_no_two_are_told_apart_and_that_is_said():
    rng = np.random.default_rng(7)
    truth = rng.normal(size=60)
    runs = {"Ash": truth + 0.2 * rng.normal(size=60), "Birch": truth + 0.9 * rng.normal(size=60)}
    given = replace(rated(truth, runs), sample=grouped([f"g{n // 12}" for n in range(60)]))
    found = verdict(given)
    assert found.runs.groups == 5
    assert found.headline == "Too few groups to separate any two models."


def test_equal_rankings_of_a_few_items_tell_nothing():
    """Four items are in the order of the ratings in one of 24 orders, and one item apart from 11 in one of 12."""
    apart = np.where(np.arange(12) == 5, 2.0, 1.0)
    for ratings in (np.arange(4.0), apart):
        found = verdict(rated(ratings, {"Ash": 3 * ratings}))
        [chance] = found.of("chance")
        assert (chance.state.word, found.runs.placed[0].value.value) == ("Not shown", 1.0)
        assert chance.evidence.endswith("the items differ in so few ways that equal rankings may be luck")
    assert verdict(rated(np.arange(6.0), {"Ash": np.arange(6.0)})).of("chance")[0].state.word == "Yes"
