"""The Breakdown of ratings: means and ρ for each value in place of accuracy, on the page, in its file and in words."""

import re

import numpy as np
import pytest

from annotation.itemfile import ItemRow
from comparison.bundle.figures import figures
from comparison.figures.by_attribute.mean_ratings import MEAN_RATINGS, rated_apart
from comparison.figures.table import LINEARIZED
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.page import Page
from comparison.statistics.by_attribute.mean_ratings import Gap
from comparison.statistics.estimate import Estimate
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import file_rows, page, words
from tests.studies import open_small_study

TASK = {"type": "rating", "question": "How natural is it?", "points": 7, "low": "Not", "high": "Completely"}
ITEMS, PEOPLE = 48, 8


@pytest.fixture
def sentences(db, tmp_path):
    """Item sets of two conditions: grammatical ones are rated some two points higher; two of three runs follow."""
    rng = np.random.default_rng(8)
    rows = [
        ItemRow(
            id=f"i{n}",
            kind="target",
            content={"sentence": f"Baker {n} sleeps."},
            attributes={"condition": "starred" if n % 2 else "fine", "length": str(3 + n % 5)},
            group=f"s{n // 2}",
        )
        for n in range(ITEMS)
    ]
    made = open_small_study(tmp_path / "sentences", rows, slug="sentences", task=TASK, results={"numbers": ["length"]})
    worth = np.array([4.5 - 2 * (n % 2) for n in range(ITEMS)]) + rng.normal(0, 1, size=ITEMS)
    given = np.clip(np.rint(worth[:, None] + rng.normal(0, 0.8, size=(ITEMS, PEOPLE))), 1, 7).astype(int)
    give_labels(made, [(f"i{n}", f"p{who}", str(given[n, who])) for n in range(ITEMS) for who in range(PEOPLE)])
    for key, spread in (("owl", 0.3), ("elk", 1.0), ("auk", 50.0)):
        scores = worth + rng.normal(0, spread, size=ITEMS)
        give_run(made, [(f"i{n}", None, float(score), "") for n, score in enumerate(scores)], key=key)
    return made


@pytest.mark.slow
def test_the_page_opens_on_mean_ratings_and_says_nothing_of_accuracy(logged_in, sentences):
    response = page(logged_in, sentences, "breakdown", by="condition")
    said = words(response)
    assert "Mean rating by condition" in said
    assert "24 items · 192 ratings" in said
    assert "Yes: “fine” is " in said
    assert "No model’s ρ is shown to differ." in said
    assert "Scores vs. ratings by condition" in said
    assert "Accuracy" not in said
    assert "Logistic regression" not in said
    rated = response.context["page"].rated
    assert [one.row.name for one in rated.means] == ["fine", "starred"]
    assert next(row.name for row, _, _ in rated.rho.values[0].rows) == "Split halves"
    # All ratings: few items have one that most people gave.
    assert "All labels" in said


@pytest.mark.slow
def test_by_another_measure_the_page_has_what_is_right(logged_in, sentences):
    said = words(page(logged_in, sentences, "breakdown", by="condition", measure="accuracy"))
    assert "Accuracy by condition" in said
    assert "Mean rating by condition" not in said


@pytest.mark.slow
def test_the_file_has_means_halves_rho_and_both_kinds_of_tests(logged_in, sentences):
    lines = file_rows(logged_in, sentences.slug, "mean-ratings", by="condition")
    by_kind = {kind: [one for one in lines if one["statistic"] == kind] for kind in {one["statistic"] for one in lines}}
    assert {kind: len(found) for kind, found in by_kind.items()} == {
        "mean_rating": 2,
        "split_half": 2,
        "spearman": 6,
        "difference": 1,
        "same_order": 3,
        "chi_squared": 3,
    }
    fine, starred = by_kind["mean_rating"]
    assert (fine["value"], fine["items"], fine["ratings"], fine["n_counts"]) == ("fine", "24", "192", "ratings")
    owl = next(one for one in by_kind["same_order"] if one["rater"].startswith("owl"))
    assert (int(owl["n"]) > 20, owl["n_counts"]) == (True, "item sets")
    assert float(owl["estimate"]) > 0.8
    [gap] = by_kind["difference"]
    assert (gap["value"], gap["other"]) == ("fine", "starred")
    means = float(fine["estimate"]) - float(starred["estimate"])
    assert float(gap["estimate"]) == pytest.approx(means)
    assert float(gap["p_holm"]) < 0.01


@pytest.mark.slow
def test_ratings_and_scores_beside_a_number(logged_in, sentences):
    response = page(logged_in, sentences, "breakdown", by="length")
    found = response.context["page"].figures["numbers"]
    assert next((one.name, one.what) for one in found.rows) == ("mean rating", "mean_rating")
    assert {one.what for one in found.rows} == {"mean_rating", "strength"}
    assert "Ratings, scores and length" in words(response)


@pytest.mark.slow
def test_the_report_has_both_pictures_and_no_accuracy_by_attribute(sentences):
    chosen = select(sentences, Selection())
    drawn = [one.caption for one in figures(Page(chosen))]
    assert any(caption.startswith("Mean rating by condition") for caption in drawn)
    assert any(caption.startswith("ρ of ") and " by condition" in caption for caption in drawn)
    assert not any(caption.startswith("Accuracy of") and "by condition" in caption for caption in drawn)


# --- Published ratings, references, and words ---------------------------------------------------------


def rated_study(folder, scores, *, references=()):
    """Items with published ratings or references alone, two values of `d`, and a run that follows."""
    rows = [
        ItemRow(
            id=f"i{n}",
            content={"sentence": f"Baker {n} sleeps."},
            attributes={"d": "b" if n % 2 else "a", "length": str(3 + n % 5)},
            strength=None if references else score,
            reference=references[n] if references else None,
        )
        for n, score in enumerate(scores)
    ]
    made = open_small_study(folder, rows, slug="known", task=TASK, results={"numbers": ["length"]})
    give_run(made, [(f"i{n}", None, float(n % 7), "") for n in range(len(rows))], key="owl")
    return made


PUBLISHED = [1.0 + n % 7 + (n % 2) for n in range(24)]


@pytest.mark.slow
def test_published_ratings_of_which_a_filter_leaves_none_break_no_page(logged_in, tmp_path, db):
    made = rated_study(tmp_path / "known", PUBLISHED)
    assert "Mean rating by d" in words(page(logged_in, made, "breakdown", by="d"))
    assert "Mean rating by d" not in words(page(logged_in, made, "breakdown", by="d", q="nosuch"))
    assert {one["statistic"] for one in file_rows(logged_in, made.slug, "mean-ratings", by="d", q="nosuch")} == {
        "chi_squared"
    }


@pytest.mark.slow
def test_published_ratings_that_are_all_the_same_have_an_axis(logged_in, tmp_path, db):
    made = rated_study(tmp_path / "known", [4.0] * 24)
    rated = page(logged_in, made, "breakdown", by="d").context["page"].rated
    assert rated.axis.low < 4 < rated.axis.high


@pytest.mark.slow
def test_published_ratings_are_called_so_and_have_no_halves(logged_in, tmp_path, db):
    made = rated_study(tmp_path / "known", PUBLISHED)
    lines = file_rows(logged_in, made.slug, "mean-ratings", by="d")
    mean = next(one for one in lines if one["statistic"] == "mean_rating")
    assert mean["rater"] == "the published ratings"
    response = page(logged_in, made, "breakdown", by="length")
    [own] = [one for one in response.context["page"].figures["numbers"].rows if not one.run]
    assert (own.name, own.what, own.spearman.n) == ("published rating", "published_rating", 24)
    methods = {one.name: one.method for one in MEAN_RATINGS.tables(select(made, Selection(by="d")))}
    assert methods["rating-differences"] == f"Brackets are 95 % intervals {LINEARIZED}"


@pytest.mark.slow
def test_references_are_no_ratings_of_people(logged_in, tmp_path, db):
    points = [str(1 + (n + n % 2) % 7) for n in range(24)]
    made = rated_study(tmp_path / "known", points, references=points)
    query = {"by": "d", "against": "reference"}
    assert "Mean reference by d" in words(page(logged_in, made, "breakdown", **query))
    lines = file_rows(logged_in, made.slug, "mean-ratings", **query)
    mean = next(one for one in lines if one["statistic"] == "mean_reference")
    assert mean["rater"] == "the reference"
    assert {one["undefined"] for one in lines if one["statistic"] == "split_half"} == {"only of people’s ratings"}
    rows = page(logged_in, made, "breakdown", **query | {"by": "length"}).context["page"].figures["numbers"].rows
    assert [one.name for one in rows if not one.run] == ["reference"]


def test_no_difference_is_said_as_what_is_not_shown():
    gap = Gap("a", "b", Estimate(-0.5, -1.8, 0.8, n=20), 0.4, 0.4)
    said = rated_apart([gap], mean="mean rating")
    assert said == "No difference is shown: “b” is 0.5 [−0.8, 1.8] points above “a”."


@pytest.mark.slow
def test_item_sets_are_counted_in_words(logged_in, sentences):
    said = words(page(logged_in, sentences, "breakdown", by="condition"))
    assert re.search(r"orders “fine” and “starred” as ratings do in \d\d of \d\d item sets \(\.\d\d \[", said)


@pytest.mark.slow
def test_one_annotator_has_intervals_over_items_alone_and_a_p(logged_in, tmp_path, db):
    made = rated_study(tmp_path / "known", [4.0] * 24)
    give_labels(made, [(f"i{n}", "p", str((6 if n % 2 else 2) + n % 3 // 2)) for n in range(24)])
    said = words(page(logged_in, made, "breakdown", by="d"))
    assert "12 items · 12 ratings · over items alone" in said
    assert "Yes: “b” is " in said
    assert "over items and annotators, linearized" not in said
    [gap] = [one for one in file_rows(logged_in, made.slug, "mean-ratings", by="d") if one["statistic"] == "difference"]
    assert float(gap["p_holm"]) < 0.001
