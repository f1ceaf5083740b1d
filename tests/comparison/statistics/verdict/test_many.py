"""Many runs, rare classes, labels that still come in: what the verdict says of each."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.best import at_once, confidence_set, ranks
from comparison.statistics.verdict.evidence import Entrant, Evidence
from comparison.statistics.verdict.measure import measure_of
from comparison.statistics.verdict.odds import against_chance, below_chance
from comparison.statistics.verdict.rule import verdict
from tests.comparison.known import known
from tests.comparison.statistics.verdict.made import evidence, like, models

HITS = measure_of("accuracy", ordered=False)


def runs_at(shares: list[float], *, items: int, seed: int = 1, options: int = 2) -> Evidence:
    rng = np.random.default_rng(seed)
    truth = rng.integers(options, size=items)
    decided = {f"M{place}": like(truth, values=options, share=share, rng=rng) for place, share in enumerate(shares)}
    return evidence(np.eye(options, dtype=np.int64)[truth] * 3, models(decided))


def rightly(hits: dict[str, int], *, items: int) -> Evidence:
    """Runs that are right on so many items, each on others."""
    rng = np.random.default_rng(5)
    truth = np.arange(items) % 2
    decided = {name: np.where(rng.permutation(items) < right, truth, 1 - truth) for name, right in hits.items()}
    return evidence(np.eye(2, dtype=np.int64)[truth] * 3, models(decided))


def detector(*, finds: float, keeps: float) -> Evidence:
    """Of 300 items 18 are “yes”."""
    truth, rng = (np.arange(300) < 18).astype(np.int64), np.random.default_rng(3)
    said = np.where(truth == 1, rng.random(300) < finds, rng.random(300) > keeps).astype(np.int64)
    return evidence(np.eye(2, dtype=np.int64)[truth] * 3, models({"Ash": said}), words=("no", "yes"))


def test_a_detector_of_a_rare_class_is_told_though_the_common_label_is_right_as_often():
    found = verdict(detector(finds=0.7, keeps=0.95))
    assert found.runs.models[0].is_told
    told, level, rare = found.of("chance")
    assert told.state.word == "Yes" and "not by favoring common labels" in told.statement
    assert level.statement == "Ash is not shown to beat always answering “no”." and ".94" in level.evidence
    assert "Of 18 items that are “yes”, Ash finds " in rare.statement
    assert "scores" not in level.statement, "that the constant is right more often is not shown"
    assert found.headline == level.statement


def test_a_detector_that_beats_the_common_label_is_not_said_to_be_level_with_it():
    found = verdict(detector(finds=1.0, keeps=0.99))
    assert found.runs.models[0].is_told
    assert "always answering" not in " ".join(found.sentences).lower()


def test_who_says_the_rare_label_by_chance_is_not_said_to_find_it():
    found = verdict(detector(finds=0.1, keeps=0.9))
    assert found.runs.models[0].beats_chance and not found.runs.models[0].is_told
    assert "Of 18 items that are “yes”, Ash is not shown to find more than chance." in found.on("chance")
    assert "Always answering “no” scores .94, more than Ash." in found.on("chance")


@pytest.mark.slow
def test_one_of_sixty_five_hundred_is_told_where_options_are_even():
    """.65 of 100: against a constant that is right on .5 it was told in two of five studies."""
    told = [verdict(runs_at([0.65], items=100, seed=seed)).runs.models[0].is_told for seed in range(20)]
    assert sum(told) >= 15


def test_those_that_are_not_shown_to_beat_chance_are_counted_apart_from_a_tie():
    found = verdict(rightly({"Ash": 40, "Birch": 39, "Elm": 29}, items=60))
    assert [one.name for one in found.runs.unshown] == ["Elm"]
    [tie] = found.of("nearest")
    assert tie.state.word == "Tie" and tie.statement.startswith("Ash and Birch are nearest")
    assert "one more is not separated from them, nor shown to beat chance" in tie.evidence
    assert found.who == "Ash and Birch tied"
    assert found.headline.startswith("Two models are tied nearest")


def test_the_only_one_that_beats_chance_is_not_called_nearest():
    found = verdict(rightly({"Ash": 40, "Birch": 34, "Elm": 33}, items=60))
    assert found.headline.startswith("Ash beats chance; no model is shown to be nearest.")
    [open_] = found.of("nearest")
    assert open_.statement == "No model is shown to be nearest to people."
    assert open_.evidence == "Birch and Elm cannot be separated from Ash"
    [plain] = verdict(rightly({"ash": 40, "birch": 34, "elm": 33}, items=60)).of("nearest")
    assert plain.evidence == "birch and elm cannot be separated from ash", "a name stays as it is"
    assert (found.who, found.figure) == ("none shown to be nearest", "")


def test_the_first_of_many_has_an_interval_that_holds_for_all_of_them():
    alone, many = (verdict(runs_at([0.7] * count, items=200)).runs.nearest[0] for count in (1, 26))
    assert alone.joint == alone.value
    assert many.joint.value == many.value.value
    assert known(many.joint.low) < known(many.value.low) and known(many.joint.high) > known(many.value.high)
    drawn = np.random.default_rng(1).normal(size=(4000, 1))
    assert round(at_once(np.zeros(1), drawn), 2) == 1.96


@pytest.mark.slow
def test_coins_are_given_no_advice_and_a_lead_beyond_luck_is():
    assert [verdict(runs_at([0.5] * 40, items=200, seed=seed)).on("settling") for seed in range(5)].count("") >= 4
    found = verdict(rightly({"Ash": 110, **{f"M{place}": 98 for place in range(5)}}, items=150))
    [open_] = found.of("settling")
    assert "could separate the nearest models" in open_.statement and "the lead stays .08 (power .80)" in open_.evidence


def test_the_more_models_are_tied_the_more_items_it_takes():
    needed = [
        known(verdict(rightly({"Ash": 110, **{f"M{n}": 98 for n in range(others)}}, items=150)).runs.settling.items)
        for others in (1, 5, 11)
    ]
    assert sorted(needed) == needed and needed[0] < needed[2]


def test_while_labels_come_in_less_is_said_and_that_they_do():
    """.64 of 100 is beyond chance where all labels are in, and not where as many are still to come."""
    given = rightly({"Ash": 64}, items=100)
    final, early = verdict(given), verdict(replace(given, share_in=0.5))
    assert final.runs.models[0].is_told and not early.runs.models[0].beats_chance
    assert early.headline == "Labels are still coming in: Ash is not shown to beat chance."
    assert early.who == "none shown to beat chance, so far"
    assert "50 % of the labels wanted are in" in early.on("labels")
    assert "at every look" in early.method and "at every look" not in final.method
    assert early.on("settling") == ""
    assert "coming" not in " ".join(final.sentences)


def test_two_runs_are_told_apart_by_more_while_labels_come_in():
    given = rightly({"Ash": 84, "Birch": 68}, items=100)
    assert [one.name for one in verdict(given).runs.nearest] == ["Ash"]
    assert len(verdict(replace(given, share_in=0.5)).runs.nearest) == 2


@pytest.mark.slow
def test_two_hundred_runs_take_memory_for_runs_and_not_for_pairs():
    hits = (np.random.default_rng(1).random((200, 200)) < 0.6).astype(np.float64)
    weights = np.random.default_rng(2).multinomial(200, np.full(200, 1 / 200), size=1000)
    values, drawn = hits.mean(axis=0), weights @ hits / 200
    tracemalloc.start()
    confidence_set(values, drawn)
    ranks(values, drawn)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 30e6, "pairs × draws are 320 MB"


@pytest.mark.parametrize(("groups", "told"), [(7, False), (8, True)])
def test_from_eight_groups_on_their_sums_may_have_either_sign(groups, told):
    """Three of four items of every group right: bets on seven groups are not sure enough, signs of eight are."""
    clusters = np.repeat(np.arange(groups), 4)
    truth = np.zeros(len(clusters), dtype=np.int64)
    decided = (np.arange(len(clusters)) % 4 == 0).astype(np.int64)
    sample = Sample(clusters=clusters)
    assert against_chance(HITS, decided, truth, 2, ITEMS) < 0.05
    assert (against_chance(HITS, decided, truth, 2, sample) <= 0.05) == told
    assert below_chance(HITS, decided, truth, 2, sample) > 0.5


def test_skewed_sums_of_groups_are_never_held_by_their_signs():
    """Five options: by chance most groups that are right as one lie below it, which signs would take for worse."""
    clusters = np.repeat(np.arange(10), 10)
    truth, wrong = np.zeros(100, dtype=np.int64), np.ones(100, dtype=np.int64)
    assert 0.05 < 0.8**10 < below_chance(HITS, wrong, truth, 5, Sample(clusters=clusters))


@pytest.mark.slow
def test_a_model_is_not_nearest_alone_for_leaving_out_what_it_has_wrong():
    rng, alone = np.random.default_rng(9), 0
    for _ in range(60):
        truth = rng.integers(2, size=150)
        silent, other = (np.where(rng.random(150) < 0.8, truth, 1 - truth) for _ in range(2))
        silent = np.where((silent != truth) & (rng.random(150) < 0.25), -1, silent)
        found = verdict(
            Evidence(
                counts=np.zeros((150, 2), dtype=int),
                truth=truth,
                words=("a", "b"),
                ordered=False,
                entrants=tuple(
                    Entrant(run=run, name=name, is_baseline=False, decided=codes)
                    for run, (name, codes) in enumerate((("silent", silent), ("other", other)))
                ),
            )
        )
        alone += [one.name for one in found.runs.nearest] == ["silent"]
        assert "nearest only if it still is with these counted as wrong" in found.on("left_out")
    assert alone <= 3


def test_a_sentence_on_chance_says_why_the_interval_that_is_drawn_may_say_otherwise():
    [chance] = verdict(rightly({"Ash": 59}, items=100)).of("chance")
    assert chance.statement == "Ash beats chance; it is not shown to do more than favor common labels."
    assert "one-sided p = .044; intervals are two-sided" in chance.evidence
    [chance] = verdict(rightly(dict.fromkeys("ABCDEFGH", 61), items=100)).of("chance")
    assert chance.statement == "No model is shown to beat chance."
    assert "Holm-corrected p ≥ .141; intervals are uncorrected" in chance.evidence
    assert "interval" not in verdict(rightly({"Ash": 70}, items=100)).of("chance")[0].evidence
