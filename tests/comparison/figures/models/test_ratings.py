"""Strengths beside human ratings: SciPy's three correlations, by condition, beside people's own split halves."""

import math
import re
from dataclasses import replace

import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from comparison.statistics.estimate import plain
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import file_rows, page, words
from tests.studies import open_small_study, plausibility_row

SCALE = ["impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true"]
STRENGTHS = [0.1, 2.0, 1.0, 3.5, 3.0, 0.5, 2.5, 4.5, 4.0, 1.5]
MEANS = [1, 2, 3, 4, 5, 1, 2, 4, 5, 3]


@pytest.fixture
def rated(db, tmp_path):
    """Ten items of two conditions, each labeled alike by four people, and a run with strengths."""
    rows = [plausibility_row(n, attributes={"condition": "odd" if n % 2 else "even"}) for n in range(1, 11)]
    made = open_small_study(tmp_path / "rated", rows, slug="rated")
    given = [(row.id, f"p{who}", SCALE[mean - 1]) for row, mean in zip(rows, MEANS, strict=True) for who in range(4)]
    give_labels(made, given)
    give_run(made, [(row.id, None, one, "") for row, one in zip(rows, STRENGTHS, strict=True)], key="owl")
    return made


@pytest.mark.slow
def test_they_are_scipys_over_all_and_by_condition(logged_in, rated):
    found = page(logged_in, rated, "with-ratings", condition="condition").context["page"].figures["with-ratings"]
    assert (found.rated, found.by, found.conditions) == ("labels", "condition", ("even", "odd"))
    for condition, at in (("", slice(None)), ("odd", slice(0, None, 2)), ("even", slice(1, None, 2))):
        (row,) = [one for one in found.rows if one.key and one.condition == condition]
        both = STRENGTHS[at], MEANS[at]
        assert row.spearman.value == pytest.approx(spearmanr(*both).statistic)
        assert row.pearson.value == pytest.approx(pearsonr(*both).statistic)
        assert row.kendall.value == pytest.approx(kendalltau(*both).statistic)


@pytest.mark.slow
def test_people_among_themselves_stand_beside_them(logged_in, rated):
    response = page(logged_in, rated, "with-ratings")
    people = [one for one in response.context["page"].figures["with-ratings"].rows if not one.key]
    assert people[0].pearson.value == 1.0
    assert "halves correlate 1.00, mean of 100 random splits of 40 labels" in people[0].pearson.note
    assert "People, split halves" in words(response)
    assert "Correlations by condition" in words(response)


@pytest.mark.slow
def test_the_file_has_every_condition(logged_in, rated):
    rows = file_rows(logged_in, "rated", "ratings")
    assert [row["condition"] for row in rows if row["rater"].startswith("owl") and row["statistic"] == "pearson"] == [
        "",
        "even",
        "odd",
    ]
    assert all(row["value"] or row["undefined"] for row in rows)


@pytest.mark.slow
def test_published_means_have_no_halves(logged_in, db, tmp_path):
    rows = [replace(plausibility_row(n), strength=float(mean)) for n, mean in enumerate(MEANS, 1)]
    made = open_small_study(tmp_path / "published", rows, slug="published")
    give_run(made, [(row.id, None, one, "") for row, one in zip(rows, STRENGTHS, strict=True)], key="owl")
    found = page(logged_in, made, "with-ratings").context["page"].figures["with-ratings"]
    assert found.rated == "published ratings"
    assert found.rows[0].spearman.value == pytest.approx(spearmanr(STRENGTHS, MEANS).statistic)
    assert not any(row for row in found.shown if not row.key)
    assert found.rows[-1].pearson.undefined == "the study has published means, not the labels behind them"


@pytest.mark.slow
def test_what_splits_items_without_being_asked_has_items_enough(logged_in, db, tmp_path):
    """The attribute with the fewest values has two items for each; the next has five and is taken."""
    rows = [
        plausibility_row(n, attributes={"verb": f"v{n // 2}", "voice": "active" if n % 2 else "passive"})
        for n in range(1, 11)
    ]
    made = _rated_study(tmp_path, rows, slug="split")
    found = page(logged_in, made, "with-ratings").context["page"].figures["with-ratings"]
    assert (found.by, found.conditions) == ("voice", ("active", "passive"))
    asked = page(logged_in, made, "with-ratings", condition="verb")
    found = asked.context["page"].figures["with-ratings"]
    assert found.by == "verb"
    assert {row.condition for row in found.shown} == {""}
    assert found.without_figure == len(found.rows) - 2 == 12
    assert "12 rows without a value are in the CSV only" in words(asked)
    assert "fewer than 4 items have both" not in words(asked)


@pytest.mark.slow
def test_items_are_together_where_no_attribute_has_enough(logged_in, db, tmp_path):
    rows = [plausibility_row(n, attributes={"verb": f"v{n // 3}"}) for n in range(1, 11)]
    made = _rated_study(tmp_path, rows, slug="apart")
    response = page(logged_in, made, "with-ratings")
    found = response.context["page"].figures["with-ratings"]
    assert (found.by, [row.condition for row in found.rows]) == ("", ["", ""])
    assert "all items together, automatic" in words(response)


@pytest.mark.slow
def test_reliability_and_what_a_run_can_reach_are_named_and_have_two_digits(logged_in, db, tmp_path):
    """Two of four people disagree on some: the bound is the root of the mean's reliability, not the reliability."""
    rows = [plausibility_row(n) for n in range(1, 11)]
    made = open_small_study(tmp_path / "noisy", rows, slug="noisy")
    labels = [
        (row.id, f"p{who}", SCALE[min(4, max(0, mean - 1 + shift))])
        for row, mean, turn in zip(rows, MEANS, range(10), strict=True)
        for who, shift in enumerate((0, turn % 3 - 1, 0, 2 * (turn % 2)))
    ]
    give_labels(made, labels)
    give_run(made, [(row.id, None, one, "") for row, one in zip(rows, STRENGTHS, strict=True)], key="owl")
    response = page(logged_in, made, "with-ratings")
    found = response.context["page"].figures["with-ratings"]
    reliability = found.rows[-1].pearson.value
    assert 0.2 < reliability < 0.98
    assert found.most_words == plain(math.sqrt(reliability), decimals=2)
    assert f"reliability r = {plain(reliability, decimals=2)} [" in words(response)
    assert f"not expected to exceed the square root, {found.most_words}." in words(response)
    assert f"maximum for a run: {found.rows[-1].spearman_most}" in words(response)
    assert words(response).count("maximum for a run: ") == 2
    # The interval of ten items spans half the scale; the row has two digits all the same.
    (owl,) = [row for row in found.rows if row.key]
    assert owl.kendall.in_hundredths in words(response)
    assert re.match(r"−?\.\d\d \[−?\.\d\d, ", owl.kendall.in_hundredths)


def _rated_study(folder, rows, *, slug):
    """Labeled alike by four people, with a run's strengths."""
    made = open_small_study(folder / slug, rows, slug=slug)
    give_labels(
        made, [(row.id, f"p{who}", SCALE[mean - 1]) for row, mean in zip(rows, MEANS, strict=True) for who in range(4)]
    )
    give_run(made, [(row.id, None, one, "") for row, one in zip(rows, STRENGTHS, strict=True)], key="owl")
    return made
