"""What the page says of agreement among people: in this order, the skew named, the other coefficients folded."""

from dataclasses import replace

import numpy as np
import pytest
from django.urls import reverse

from comparison.figures.people.coefficients import among_people, others
from comparison.frame.coded import coded
from comparison.frame.reading import read_panel
from comparison.glossary.entries import GLOSSARY
from comparison.statistics.agreement.alpha import krippendorff_alpha
from comparison.statistics.resampling.sample import Sample
from tests.comparison.cast import give_labels
from tests.comparison.page.visiting import page, words
from tests.comparison.statistics.agreement.made import width
from tests.studies import open_small_study, plausibility_row

SHOWN = ["percent_agreement", "ac1", "ac2_ordinal", "fleiss_kappa", "alpha_nominal", "alpha_ordinal", "reliability"]


def test_the_coefficients_fit_the_scale(study):
    panel = read_panel(study, coarse=False)
    assert [named.key for named in among_people(panel)] == SHOWN
    assert {named.key for named in among_people(panel)} <= set(GLOSSARY)
    nominal = replace(panel, ordered=False)
    assert [named.key for named in among_people(nominal)] == [
        "percent_agreement",
        "ac1",
        "fleiss_kappa",
        "alpha_nominal",
        "reliability",
    ]


def test_labels_that_are_numbers_have_alpha_for_numbers(study):
    panel = read_panel(study, coarse=False)
    points = replace(panel, values=("1", "2", "3", "4", "5"))
    assert list(points.numbers) == [1, 2, 3, 4, 5]
    assert [named.key for named in among_people(points)] == [*SHOWN, "alpha_interval"]
    assert not panel.numbers


def test_numbered_scales_have_alpha_for_ratios_among_the_others(study):
    panel = read_panel(study, coarse=False)
    labels = coded(panel.people, items=list(panel.items), values=panel.values)
    assert "alpha_ratio" not in {named.key for named in others(panel, labels)}
    assert "alpha_ratio" in GLOSSARY
    points = replace(panel, values=("0", "1", "2", "3", "4"))
    ratio = next(named.estimate for named in others(points, labels) if named.key == "alpha_ratio")
    assert ratio == krippendorff_alpha(points.counts, level="ratio", numbers=range(5), sample=points.sample)
    assert ratio.value is not None


def test_items_that_share_a_group_are_drawn_together(study):
    panel = read_panel(study, coarse=False)
    many = replace(panel, counts=np.repeat(panel.counts, 10, axis=0), groups=np.repeat(np.array(list("abcdef")), 10))
    assert isinstance(many.sample, Sample)
    alone = replace(many, groups=np.full(60, ""))
    for one, other in zip(among_people(many), among_people(alone), strict=True):
        assert width(one.estimate) > width(other.estimate)


@pytest.mark.slow
def test_the_page_draws_them_from_the_most_lenient_and_folds_the_others(logged_in, study):
    response = page(logged_in, study, "people")
    rows = response.context["page"].people.coefficients.rows
    assert {row.name for row in rows} == {
        "Raw agreement",
        "Gwet’s AC1",
        "Gwet’s AC2, ordinal",
        "Fleiss’ κ",
        "Krippendorff’s α, nominal",
        "Krippendorff’s α, ordinal",
    }
    numbers = [float(row.number) for row in rows]
    assert numbers == sorted(numbers, reverse=True)
    folded = response.content.decode().partition('id="other-coefficients"')[2]
    assert all(name in folded for name in ("Cohen’s κ, mean over pairs", "Conger’s κ", "Brennan–Prediger"))


@pytest.mark.slow
def test_a_skew_is_named(logged_in, db, tmp_path):
    study = open_small_study(tmp_path / "skewed", [plausibility_row(number) for number in range(1, 7)], slug="skewed")
    given = [(f"target-{number}", f"p{person}", "impossible") for number in range(1, 7) for person in range(1, 4)]
    given[0] = ("target-1", "p1", "more_likely")
    give_labels(study, given)
    assert "skewed: read AC1 with α" in words(page(logged_in, study, "people"))


@pytest.mark.slow
def test_it_says_what_the_intervals_of_coefficients_are_over(logged_in, study):
    response = logged_in.get(reverse("results", args=[study.slug, "people"]))
    said = response.content.decode()
    assert "over items and for these annotators" in said
    assert said.count('id="other-coefficients"') == 1
