"""The parts of a verdict, one by one."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import cohen_kappa_score

from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.bootstrap import drawn_sums
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.comparing import compared
from comparison.statistics.verdict.evidence import as_patterns
from comparison.statistics.verdict.measure import measure_of
from comparison.statistics.verdict.people import fewest_hits, labels
from comparison.statistics.verdict.person import besides
from comparison.statistics.verdict.rule import verdict
from comparison.statistics.verdict.settling import items_needed
from comparison.statistics.verdict.taking_part import field
from tests.comparison.known import known
from tests.comparison.statistics.agreement.made import value
from tests.comparison.statistics.verdict.made import (
    baseline,
    entrant,
    evidence,
    labels_like,
    like,
    like_the_majority,
    models,
    nothing,
    rho,
    runs_of,
)
from tests.comparison.statistics.verdict.ten import TEN


@pytest.fixture
def degrees():
    rng = np.random.default_rng(11)
    counts = labels_like(rng.integers(0, 5, 80), values=5, share=0.7, each=5, rng=rng)
    shares = {"Ash": 0.7, "Birch": 0.5, "Cedar": 0.3}
    return evidence(
        counts, models({n: like_the_majority(counts, share=s, rng=rng) for n, s in shares.items()}), ordered=True
    )


def test_measures_are_those_of_libraries():
    rng = np.random.default_rng(0)
    decided, truth = rng.integers(0, 5, 60), rng.integers(0, 5, 60)
    by = {key: measure_of(key, ordered=True) for key in ("accuracy", "quadratic_kappa", "distance")}
    reached = {key: float(one.of_sums(one.columns(decided, truth, 5).sum(axis=0)[None])[0]) for key, one in by.items()}
    assert reached["accuracy"] == pytest.approx(np.mean(decided == truth))
    assert reached["quadratic_kappa"] == pytest.approx(cohen_kappa_score(decided, truth, weights="quadratic"))
    assert reached["distance"] == pytest.approx(np.mean(np.abs(decided - truth)))
    missing = np.where(np.arange(60) < 10, MISSING, decided)
    for one in by.values():
        assert (
            one.columns(missing, truth, 5).sum(axis=0) == one.columns(decided[10:], truth[10:], 5).sum(axis=0)
        ).all()


@pytest.mark.slow
def test_the_same_is_said_of_patterns_and_of_items_one_by_one(degrees):
    once, twice = (known(one.sample.weights) for one in (as_patterns(degrees), as_patterns(as_patterns(degrees))))
    assert twice.tolist() == once.tolist()
    assert verdict(as_patterns(degrees)) == verdict(degrees)
    order = np.random.default_rng(1).permutation(len(degrees.counts))
    mixed = replace(
        degrees,
        counts=degrees.counts[order],
        truth=degrees.truth[order],
        entrants=tuple(replace(one, decided=one.decided[order]) for one in degrees.entrants),
    )
    assert verdict(mixed).sentences == verdict(degrees).sentences


def few_items(*, hits, measure="accuracy", items=50):
    """Runs that are right on so many of a few items, and else wrong by any degree; each label is as often the truth."""
    truth = np.arange(items) % 5
    counts = np.zeros((items, 5), dtype=np.int64)
    counts[np.arange(items), truth] = 3
    rng = np.random.default_rng(1)
    runs = {}
    for name, right in hits.items():
        wrong = (truth + rng.integers(1, 5, size=items)) % 5
        at = rng.permutation(items)[:right]
        wrong[at] = truth[at]
        runs[name] = wrong
    return verdict(evidence(counts, models(runs), ordered=True, measure=measure)).runs


@pytest.mark.slow
@pytest.mark.parametrize("right", [9, 10])
def test_no_model_at_chance_or_below_it_is_called_nearest(right):
    """Of fifty items it cannot be told from the best, with chance at ten: that does not bring it near people."""
    found = few_items(hits={"Ash": 20, "Birch": 19, "Cedar": 17, "Dogwood": 15, "Elm": right})
    elm = next(one for one in found.models if one.name == "Elm")
    assert elm.nearest and (elm.rank or (0, 0))[0] == 1, "it cannot be told from the best"
    assert [one.name for one in found.unshown] == ["Dogwood", "Elm"], "nor is what is above it by its value alone"
    assert [one.name for one in found.nearest] == ["Ash", "Birch", "Cedar"]


@pytest.mark.slow
def test_the_only_one_that_beats_chance_is_not_nearest_where_others_may_be():
    found = few_items(hits={"Ash": 19, "Birch": 14, "Cedar": 13})
    assert found.only_shown is not None and found.only_shown.name == "Ash"
    assert [one.name for one in found.unshown] == ["Birch", "Cedar"]
    assert not found.nearest


@pytest.mark.slow
def test_by_distance_more_than_chance_s_is_below_it():
    found = few_items(hits={"Ash": 22, "Birch": 20, "Cedar": 17, "Elm": 3}, measure="distance")
    by_name = {one.name: one for one in found.models}
    assert by_name["Ash"].beats_chance and (by_name["Ash"].value.value or 9) < found.chance
    assert not by_name["Elm"].beats_chance and (by_name["Elm"].value.value or 0) > found.chance


def test_a_run_that_labeled_few_items_does_not_shrink_what_all_are_compared_on():
    truth = np.zeros(40, dtype=np.int64)
    few = np.where(np.arange(40) < 3, 0, MISSING)
    most = np.where(np.arange(40) < 37, 0, MISSING)
    fewer = np.where(np.arange(40) < 35, 0, MISSING)
    runs = (
        entrant(1, "few", few),
        entrant(2, "all", truth),
        entrant(3, "most", most),
        entrant(4, "fewer", fewer),
        entrant(5, "live", truth, is_live=True),
        entrant(6, "rates", nothing(40), strength=rho(0.3, n=40)),
        entrant(7, "silent", nothing(40)),
    )
    found = field(runs, truth, ITEMS)
    assert [one.name for one in found.inside] == ["all", "most"]
    assert found.rows.sum() == 37
    assert {one.name: one.reason for one in found.outside} == {
        "few": "answered 3 of 40 items",
        "fewer": "answered 35 of 40 items",
        "live": "running",
        "rates": "scores only",
        "silent": "no labels",
    }


@pytest.mark.slow
def test_a_metric_that_fits_few_items_does_not_shrink_what_others_are_compared_on():
    """28 items, of which one metric of each of two models fits 19."""
    truth = np.arange(28) % 2
    counts = np.eye(2, dtype=np.int64)[truth] * 3
    some = np.where(np.arange(28) < 19, truth, MISSING)
    wide = models({f"m{place}": truth for place in range(14)})
    narrow = [entrant(20 + place, f"cloze {place}", some) for place in range(2)]
    found = verdict(evidence(counts, (*wide, *narrow)))
    assert found.runs.items == 28
    assert found.on("left_out") == ("Two runs are not compared. cloze 0 and cloze 1 (answered 19 of 28 items)")
    assert found.runs.placed == verdict(evidence(counts, wide)).runs.placed
    alone = verdict(evidence(counts, (*narrow, baseline(30, "Majority", 1 - truth)))).runs
    assert alone.items == 19 and len(alone.placed) == 3, "a baseline answers all items, whatever a model can"


def test_every_sentence_speaks_of_the_items_that_runs_are_compared_on():
    """No hits of 26 are asked of runs that are compared on 25, and none that a run without them beats chance by."""
    truth = np.arange(28) % 2
    counts = np.eye(2, dtype=np.int64)[truth] * 3
    runs = {f"m{place}": np.where(np.arange(28) == place, MISSING, truth) for place in range(3)}
    runs["worst"] = np.where(np.arange(28) % 7 < 2, 1 - truth, truth)
    found = verdict(evidence(counts, models(runs)))
    worst = next(one for one in found.runs.placed if one.name == "worst")
    assert found.runs.items == 25 and "on 25 items" in found.subtitle
    assert "Only 25 items can be compared" in found.on("labels")
    needed, hits = known(found.labels.needed), round(value(worst.value) * 25)
    assert (hits >= needed) == worst.beats_chance
    assert "3 items are left out" in found.on("left_out")


def test_one_person_and_a_run_are_held_against_the_same():
    """Written out label by label."""
    rng = np.random.default_rng(2)
    counts = labels_like(rng.integers(0, 3, 50), values=3, share=0.6, each=4, rng=rng)
    decided = rng.integers(0, 3, 50)
    by = measure_of("accuracy", ordered=False)
    found = besides(by, counts, decided, [decided], against="majority", here=np.ones(50, dtype=bool))
    hits, own, tries = 0, 0, 0
    for item, row in enumerate(counts):
        for label in np.repeat(np.arange(3), row):
            others = row - np.eye(3, dtype=int)[label]
            if np.sum(others == others.max()) == 1 and others.max() >= 2:
                tries += 1
                hits += label == others.argmax()
                own += decided[item] == others.argmax()
    assert found.person.value == pytest.approx(hits / tries)
    assert found.runs[0].value == pytest.approx((own - hits) / tries)
    assert found.person.n == tries


def test_the_fewest_hits_that_chance_does_not_explain():
    for items, chance, level in ((12, 0.5, 0.025), (200, 0.2, 0.01), (40, 1 / 3, 0.05)):
        hits = known(fewest_hits(items, chance, level=level))
        assert binom.sf(hits - 1, items, chance) <= level < binom.sf(hits - 2, items, chance)
    assert fewest_hits(0, 0.5, level=0.05) is None


def test_so_many_items_have_the_power_that_is_claimed():
    """Better on 20 % and worse on 10 % of the items: McNemar's test on 234 of them, in 2,000 made studies."""
    rng = np.random.default_rng(3)
    ahead, behind, _ = rng.multinomial(known(items_needed(0.1, 0.29)), [0.2, 0.1, 0.7], size=2000).T
    found = np.abs(ahead - behind) / np.sqrt(ahead + behind) > 1.96
    assert found.mean() == pytest.approx(0.8, abs=0.03)
    assert items_needed(0.0, 0.3) is None


def test_sums_of_very_many_kinds_are_drawn_as_normal_and_say_the_same():
    rng = np.random.default_rng(4)
    rows = rng.integers(0, 2, (600, 3)).astype(np.float64)
    weights = Sample(weights=rng.integers(1, 5, 600))
    (total, drawn), (same, normal) = (drawn_sums(rows, weights, kinds=kinds) for kinds in (2000, 1))
    assert total.tolist() == same.tolist()
    assert np.allclose(np.percentile(drawn, [2.5, 97.5], axis=0), np.percentile(normal, [2.5, 97.5], axis=0), rtol=0.01)
    assert np.allclose(np.corrcoef(drawn.T), np.corrcoef(normal.T), atol=0.12)


def test_clusters_widen_what_cannot_be_told():
    """Of twenty groups of ten alike, Ash alone is right on six and Birch alone on two."""
    groups = np.arange(20)
    truth = np.repeat(groups % 2, 10)
    counts = np.eye(2, dtype=np.int64)[truth] * 3
    ahead = np.where(np.repeat(groups < 16, 10), truth, 1 - truth)
    behind = np.where(np.repeat((groups < 10) | (groups > 17), 10), truth, 1 - truth)
    given = evidence(counts, models({"Ash": ahead, "Birch": behind}))
    apart = verdict(given).runs
    together = verdict(replace(given, sample=Sample(clusters=np.repeat(groups, 10)))).runs
    assert [one.name for one in apart.nearest] == ["Ash"]
    assert len([one for one in together.models if one.nearest]) == 2
    assert together.models[0].over_chance > apart.models[0].over_chance


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["quadratic_kappa", "distance"])
def test_other_measures_speak_their_own_words(degrees, measure):
    found = verdict(replace(degrees, measure=measure))
    subtitle, words = {
        "quadratic_kappa": ("Quadratic κ with the majority label", "κ = "),
        "distance": ("Steps from the majority label", " steps"),
    }[measure]
    assert found.measure == measure
    assert found.subtitle.startswith(subtitle)
    assert words in found.on("nearest")
    values = [value(one.value) for one in found.runs.models]
    assert values == sorted(values, reverse=measure != "distance")
    assert found.runs.models[0].name == "Ash"
    assert (found.runs.constant is None) == (measure == "quadratic_kappa")


@pytest.mark.slow
def test_a_scale_without_order_has_accuracy_only(degrees):
    assert verdict(replace(degrees, ordered=False, measure="distance")).measure == "accuracy"


def test_before_anybody_has_labeled_the_reference_stands_in_and_that_is_said():
    truth = np.arange(60) % 2
    given = evidence(np.zeros((60, 2), dtype=np.int64), models({"Ash": truth}), truth=truth)
    found = verdict(given)
    assert [one.state.word for one in found.findings] == ["Reference", "Yes", "Only"]
    assert "compared with the reference" in found.on("labels") and "All 60 items" in found.on("labels")
    assert found.subtitle.startswith("Accuracy against the reference on 60 items")
    assert "1.00 [.94, 1.00]" in found.on("nearest")


def test_a_baseline_is_never_the_nearest_model():
    """As in a study where no model has finished yet."""
    truth = np.arange(60) % 2
    counts = np.eye(2, dtype=np.int64)[truth] * 3
    random = baseline(1, "Random", truth)
    live = entrant(2, "Ash", nothing(60), is_live=True)
    for runs in ((random,), (random, live)):
        found = verdict(evidence(counts, runs))
        assert found.runs.nearest == ()
        assert found.short == ""
        assert "Random" not in " ".join(found.sentences)
    assert found.headline == "Nothing to compare yet."
    assert found.on("chance", "left_out") == "No model can be compared yet. Not compared: Ash (running)."


def test_a_baseline_that_is_nearer_than_every_model_is_said_to_be():
    rng = np.random.default_rng(6)
    counts = labels_like(rng.integers(0, 2, 300), values=2, share=0.9, each=3, rng=rng)
    runs = (
        entrant(1, "Ash", like_the_majority(counts, share=0.7, rng=rng)),
        baseline(2, "Bigrams", like_the_majority(counts, share=0.95, rng=rng)),
    )
    found = verdict(evidence(counts, runs))
    assert [(one.name, one.rank_words) for one in found.runs.placed] == [("Bigrams", ""), ("Ash", "1")]
    assert found.runs.are_behind
    assert [one.state.word for one in found.of("nearest")] == ["Only", "Caution"]
    assert "Bigrams beats Ash." in found.on("nearest")


def test_a_correlation_whose_interval_holds_0_is_not_announced():
    counts = np.eye(5, dtype=np.int64)[np.arange(50) % 5] * 3
    weak, strong = entrant(1, "Ash", nothing(50), strength=rho(0.2, n=50)), rho(0.6, n=50)
    [alone] = verdict(evidence(counts, (weak,), ordered=True)).of("strengths")
    assert alone.state.word == "Not shown" and "Ash" in alone.statement
    both = (weak, entrant(2, "Birch", nothing(50), strength=strong))
    [told] = verdict(evidence(counts, both, ordered=True)).of("strengths")
    assert told.state.word == "Yes" and "Birch (ρ = .60 [.36, .76])" in told.statement and "Ash" not in told.text


def test_nothing_to_go_by_is_said():
    empty = evidence(np.zeros((5, 2), dtype=np.int64), ())
    assert [(one.part, one.state.word) for one in verdict(empty).findings] == [("labels", "Missing")]
    assert verdict(empty).headline == "Nothing to compare yet."
    none = evidence(np.zeros((0, 2), dtype=np.int64), models({"Ash": np.zeros(0, dtype=np.int64)}))
    assert verdict(none).runs.placed == ()


@pytest.mark.parametrize("name", TEN)
def test_no_number_is_printed_as_nan(name):
    assert "nan" not in " ".join(verdict(TEN[name]()).sentences).lower()


@pytest.mark.slow
@pytest.mark.parametrize(("items", "options"), [(30, 2), (200, 2), (100, 5)])
@pytest.mark.usefixtures("few_deals")
def test_where_all_is_chance_a_model_is_announced_in_at_most_5_of_100_studies(items, options):
    """Familywise, over six models: no more often than 5 % explains.

    Without a correction it would be 26 % of studies, which a hundred of them show 999 times in 1,000.
    """
    rng = np.random.default_rng(items + options)
    announced = 0
    for _ in range(100):
        truth = rng.integers(0, options, items)
        counts = np.eye(options, dtype=np.int64)[truth] * 3
        runs = models({f"m{n}": rng.integers(0, options, items) for n in range(6)})
        announced += bool(runs_of(evidence(counts, runs)).nearest)
    assert binom.sf(announced - 1, 100, 0.05) > 0.01


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_three_equal_models_are_all_named_in_95_of_100_studies():
    rng = np.random.default_rng(7)
    together = 0
    for _ in range(300):
        truth = rng.integers(0, 3, 120)
        counts = np.eye(3, dtype=np.int64)[truth] * 3
        runs = models({name: like(truth, values=3, share=0.7, rng=rng) for name in ("Ash", "Birch", "Cedar")})
        together += len(runs_of(evidence(counts, runs)).nearest) == 3
    assert together / 300 >= 0.95


@pytest.mark.parametrize(("against", "split"), [("majority", 2), ("reference", 0)])
def test_items_on_which_people_differ_are_counted_as_left_out(against, split):
    counts = np.array([[2, 0], [1, 1], [0, 2], [1, 1], [1, 0], [0, 0]])
    truth = np.where(counts.max(axis=1) > counts.sum(axis=1) / 2, counts.argmax(axis=1), MISSING)
    given = evidence(counts, ())
    assert labels(given, against, truth, runs=compared(given, truth, against=against)).split == split


def test_items_that_are_left_out_are_split_or_short_of_labels():
    split, short, known = [[2, 2]] * 3, [[1, 0]] * 4, [[4, 0], [0, 4]] * 50
    told = {
        "The remaining 3 are split": known + split,
        "The remaining 4 are still short of labels": known + short,
        "The remaining 7 are split, or still short of labels": known + split + short,
    }
    for text, counts in told.items():
        [found] = verdict(evidence(np.array(counts), ())).of("labels")
        assert (found.state.word, found.evidence) == ("Enough", text)


def test_runs_are_counted_as_runs_where_a_model_has_several():
    truth = np.arange(60) % 2
    counts = np.eye(2, dtype=np.int64)[truth] * 3
    given = evidence(counts, models({f"m{place}": truth for place in range(6)}))
    alone = verdict(given)
    assert alone.headline.startswith("6 of 6 models are tied") and "runs of" not in alone.subtitle
    shared = tuple(replace(one, model=f"m{place // 3}") for place, one in enumerate(given.entrants))
    found = verdict(replace(given, entrants=shared))
    assert found.headline.startswith("6 of 6 runs are tied")
    assert "on 60 items, 6 runs of 2 models, with" in found.subtitle
    assert "models" not in " ".join(one.statement for one in found.findings)
    assert found.on("chance").startswith("Six runs beat chance")
