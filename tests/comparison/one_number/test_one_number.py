"""A figure is the same on every page that shows it, is called what it is, and names nobody without evidence."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.db.models import F
from django.urls import reverse
from scipy.stats import spearmanr

from annotation.access.matrix import Right
from annotation.itemfile import ItemRow
from annotation.models import Study
from comparison.exports.registry import export
from comparison.figures.by_attribute.breakdown import BREAKDOWN
from comparison.figures.findings import FINDINGS
from comparison.figures.models.answers import directions
from comparison.figures.models.ratings import RATINGS
from comparison.figures.models.strengths import STRENGTH
from comparison.figures.people.aggregations import Movement
from comparison.figures.people.agreement import AGREEMENT, on_top
from comparison.figures.people.between_annotators import between
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.models import _closest
from comparison.page.people import _sentence
from comparison.statistics.agreement.between_annotators import rhos_with_others
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS
from comparison.statistics.verdict.parts import CHANCE, STRENGTHS
from researcher.studies.waiting import Waiting
from tests.comparison.cast import give_labels, give_run
from tests.comparison.known import known
from tests.comparison.one_number.five import minimal_pairs, ratings, winner
from tests.comparison.page.visiting import page, words
from tests.studies import declare, open_small_study
from tests.worlds import world


@pytest.fixture
def averaged(study: Study) -> Study:
    declare(study, measure="spearman")
    study.refresh_from_db()
    return study


@pytest.fixture
def choices(db, tmp_path) -> Study:
    """Eight sentences for each of which three people choose one of two words, and a run with scores."""
    task = {"type": "forced_choice", "question": "Which?", "options": ["intensifier", "negation"]}
    options = {"intensifier": "very", "negation": "not"}
    rows = [ItemRow(f"t{n}", {"sentence": f"Soup {n} is ____ cold.", "options": options}) for n in range(8)]
    made = open_small_study(tmp_path / "choice", rows, slug="choice", task=task, quality={"gold_distance": 1})
    labels = ["intensifier", "negation"]
    given = [(row.id, f"p{who}", labels[(n + who) % 4 == 0]) for n, row in enumerate(rows) for who in range(3)]
    give_labels(made, given)
    give_run(made, [(row.id, None, float(n * n % 7), "") for n, row in enumerate(rows)], key="smol", family="causal")
    return made


@pytest.mark.slow
def test_one_annotator_has_one_interval(logged_in, study):
    """Of a study whose runs have labeled all that people have."""
    verdict = page(logged_in, study).context["page"].chosen.verdict
    found = page(logged_in, study, "people").context["page"].findings.ceiling
    assert verdict.runs.person.value is not None
    assert (found.short, found.n) == (verdict.runs.person.short, verdict.runs.person.n)


@pytest.mark.slow
@pytest.mark.parametrize("made", [winner, minimal_pairs])
def test_one_annotator_of_a_value_has_the_interval_of_these_items(db, tmp_path, made):
    """The Breakdown of all items and the People page of the items with one value."""
    study = world(made.__name__, lambda: made(tmp_path / "made"))
    by_value = {one.value: one.person for one in BREAKDOWN.read(select(study, Selection(by="half")))}
    for value, person in by_value.items():
        found = FINDINGS.read(select(study, Selection(where=(("half", value),)))).ceiling
        assert found.low is not None
        assert person == found


@pytest.mark.slow
def test_of_averaged_ratings_no_exact_match_is_the_bar(logged_in, averaged):
    people = page(logged_in, averaged, "people")
    text = words(people)
    assert "People, split halves" in text and "One annotator vs. the others" not in text
    assert people.context["page"].people.tiles.bar.reached == people.context["page"].chosen.verdict.runs.person
    assert "With the others’ mean rating, ρ" in text and "others’ majority" not in text
    items = words(page(logged_in, averaged, "items"))
    assert "Models right" not in items and "All models wrong" not in items


def test_of_averaged_ratings_no_item_waits_for_a_judge(study):
    rights = frozenset({Right.EDIT})
    study.items.update(target=F("counted"))
    study.adjudications.all().delete()
    assert Waiting(study, rights).ties == 1
    study.measure = "spearman"
    assert Waiting(study, rights).ties == 0


@pytest.mark.slow
def test_choices_are_not_called_ratings(logged_in, choices):
    models = words(page(logged_in, choices, "models"))
    assert "the share of people who chose “" in models
    assert "rating" not in models.lower()


def named(*names):
    return {name: SimpleNamespace(is_baseline=False, short=name) for name in names}


def test_no_two_models_agree_most_where_agreement_is_not_shown():
    none, weak = Estimate.none("only one label was used"), Estimate(0.0, 0.0, 0.0, n=28)
    kappas = {("a", "b"): none, ("a", "c"): weak, ("b", "c"): weak}
    said = _closest(kappas, "abc", named(*"abc"))
    assert (
        said == "No two models are shown to agree beyond chance. κ is undefined for 1 pair (only one label was used)."
    )
    assert "agree most: κ = .60" in _closest(kappas | {("a", "c"): Estimate(0.6, 0.4, 0.8, n=99)}, "abc", named(*"abc"))


def test_a_model_is_the_highest_only_where_it_is_shown_to_be():
    best = [Movement("A", False, (Estimate(0.70, n=38), Estimate(0.74, n=38)))]
    assert (
        _sentence(best, {"A": "A pll"}, "A pll")
        == "A pll scores highest by every method; its accuracy moves by .04 at most."
    )
    assert _sentence(best, {"A": "A pll"}, "") == "The highest accuracy moves by .04 at most with the method."
    assert _sentence(best, {"A": "A pll"}, None) == "", "where accuracy is not the measure"


def test_whose_ratings_are_noise_does_not_go_with_the_others():
    rng = np.random.default_rng(2)
    items, raters = np.repeat(np.arange(60), 3), np.tile(np.arange(3), 60)
    truth = np.repeat(rng.integers(7, size=60), 3)
    labels = np.where(raters == 2, rng.integers(7, size=180), truth)
    one, _, noise = rhos_with_others(items, raters, labels, people=3, sample=ITEMS)
    assert known(one.low) > 0 > known(noise.low)


@pytest.fixture
def rated(db, tmp_path) -> Study:
    return world("ratings", lambda: ratings(tmp_path / "made"))


@pytest.mark.slow
def test_two_who_rate_are_compared_by_rho_and_not_by_exact_match(logged_in, rated):
    """On the People page, in the files of pairs and of single annotators, and in the report."""
    chosen = select(rated, Selection())
    labels = chosen.panel.people.assign(label=lambda all_of: all_of["label"].astype(int))
    table = labels.pivot(index="item", columns="rater", values="label")
    one, other = sorted(table.columns)[:2]
    by_hand = pytest.approx(table[one].corr(table[other], method="spearman"))
    found = between(chosen.panel, [one, other], by_rho=True).pair(0, 1)
    assert found.value == by_hand
    assert found.low is not None
    told = words(page(logged_in, rated, "people"))
    assert "Pairs, on shared items, ρ" in told
    assert "Power, top two runs" not in told and "not shown to differ yet" not in told, "which would be by accuracy"
    assert "same label" not in told.partition("Response times")[0].partition("Agreement between annotators")[2]
    lines = [line for line in rows_of("between-annotators", rated) if {line["rater"], line["against"]} == {one, other}]
    assert [line["statistic"] for line in lines] == ["spearman", "percent_agreement"]
    assert float(lines[0]["value"]) == by_hand
    asked = {"assessors": (one, other)}
    pair = [line for line in rows_of("assessors", rated, **asked) if line["section"] == "two annotators"]
    assert pair[0]["statistic"] == "spearman"
    assert float(pair[0]["value"]) == by_hand
    report = [line for line in rows_of("report", rated) if line["section"] == "annotators"]
    assert {line["statistic"] for line in report} == {"accuracy", "spearman"}


@pytest.mark.slow
def test_one_who_rates_is_as_near_the_others_on_every_page(logged_in, rated):
    people = dict(page(logged_in, rated, "people").context["page"].people.agreement_with_others)
    collect = logged_in.get(reverse("annotators", args=[rated.slug]))
    rows = {row.name: row.with_others for row in collect.context["page"].rows}
    assert rows == people and len(rows) == 8
    told = words(collect)
    assert "follow the others’ mean (ρ)" in told and "majority of the others" not in told


def rows_of(name: str, study: Study, **asked: Any) -> list[dict[str, Any]]:
    head, *lines = export(name)(study, Selection(**asked))
    return [dict(zip(map(str, head), line, strict=True)) for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["spearman", "accuracy"])
def test_a_run_rises_with_labels_on_every_page_or_on_none(logged_in, rated, measure):
    """Of twenty runs one lies above 0 by its own interval, and by Holm's correction does not."""
    declare(rated, measure=measure)
    means = {name: float(mean) for name, mean in means_of(rated).items()}
    for place in range(20):
        scores = noise_with(list(means.values()), lucky=place == 0, seed=place)
        give_run(rated, [(name, None, score, "") for name, score in zip(means, scores, strict=True)], key=f"n{place}")
    chosen = select(Study.objects.get(pk=rated.pk), Selection())
    lucky = next(one for one in FINDINGS.read(chosen).runs if one.model == "n0")
    assert known(lucky.strength_people.low) > 0
    shown = {run.key for run in FINDINGS.read(chosen).runs if directions(chosen.verdict)[run.key] > 0}
    assert shown and lucky.key not in shown
    check, conditions = STRENGTH.state(chosen), RATINGS.state(chosen)
    assert check is not None and conditions is not None
    assert check.word == conditions.word == f"{len(shown)} of 23"
    assert f"shown to rise in {len(shown)} of 23 runs (Holm)" in words(page(logged_in, rated, "strength"))
    told = " ".join(one.text for one in chosen.verdict.findings if one.part in (CHANCE, STRENGTHS))
    assert lucky.short not in told


def means_of(study: Study) -> Any:
    people = select(study, Selection()).panel.people
    return people.assign(label=people["label"].astype(int)).groupby("item")["label"].mean()


def noise_with(means: list[float], *, lucky: bool, seed: int) -> list[float]:
    """Scores that have nothing to do with the means, of which a `lucky` run's seem to."""
    rng = np.random.default_rng(100 + seed)
    while True:
        scores = rng.normal(size=len(means))
        found = spearmanr(scores, means)
        if (0.01 < found.pvalue < 0.04 and found.statistic > 0) if lucky else found.pvalue > 0.1:
            return [float(score) for score in scores]


@pytest.mark.slow
def test_the_coefficient_of_the_verdict_is_in_the_figure_of_coefficients(db, tmp_path):
    """Where one side is right in every pair, α does not apply: agreement is told by Brennan and Prediger's κ."""
    chosen = select(world("minimal_pairs", lambda: minimal_pairs(tmp_path / "made")), Selection())
    alike = chosen.verdict.people.alike
    assert alike is not None
    assert ("Brennan–Prediger κ", alike) in [(one.name, one.estimate) for one in on_top(chosen)]
    assert "Brennan–Prediger κ" in str(AGREEMENT.charts(chosen)["coefficients"].spec)
