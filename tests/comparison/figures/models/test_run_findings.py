"""What the table of runs says in words of a run, decided beside its figures."""

from dataclasses import replace

import pytest
from django.core.cache import cache

from annotation.models import Study
from comparison.figures.findings import RunFinding
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.page import Page
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.cut_points import Cuts

NONE = Estimate.none("nothing")


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    cache.clear()


@pytest.fixture
def finding(study) -> RunFinding:
    """The run that only rates, with nothing in it."""
    run = next(one for one in Page(select(study, Selection())).findings.runs if one.metric == "pll")
    return replace(run, decided=0, undecided=0, unscored=0, waiting=6, only_ties=False, cuts=None)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "not scored yet"),
        ({"unscored": 6, "waiting": 0}, "no item could be scored"),
        ({"unscored": 2, "waiting": 4}, "no item could be scored"),
        ({"undecided": 1200, "only_ties": True}, "gives no label: all 1,200 scored items are ties"),
        ({"undecided": 5}, "gives scores and no labels"),
    ],
)
def test_why_a_run_has_no_labels(finding, changes, words):
    found = replace(finding, **changes)
    assert not found.has_labels
    assert found.why_no_labels == words


def test_why_its_strengths_were_not_cut_is_said_as_well(finding):
    cuts = Cuts(n=3, undefined="too few items")
    found = replace(finding, undecided=3, cuts=cuts)
    assert found.why_no_labels == "gives scores and no labels. No cut points: too few items"


def test_a_run_is_rated_if_its_strength_goes_with_anything(finding):
    bare = replace(finding, strength_people=NONE, strength_reference=NONE, strength_published=NONE)
    assert not bare.is_rated
    assert replace(bare, strength_published=Estimate(0.5)).is_rated


@pytest.mark.slow
def test_what_a_strength_is_set_against_names_who_labeled(study, synthetic_study):
    said = select(study, Selection()).strength_compared
    assert said.startswith("the mean of people’s labels and the reference, each from “impossible” to “")
    assert "the labels of synthetic annotators and" in select(synthetic_study, Selection()).strength_compared


@pytest.mark.slow
def test_the_headline_figures_follow_what_runs_are_held_against(study):
    for against in ("majority", "reference"):
        page = Page(select(study, Selection(against=against)))
        shown = {int(run.key): run.against(against).hits.accuracy for run in page.findings.runs}
        assert {one.is_baseline for one in page.verdict.runs.placed} == {True, False}
        assert all(one.value == shown[one.run] for one in page.verdict.runs.placed)


def test_without_runs_there_is_nothing_at_the_head(bare_study):
    page = Page(select(Study.objects.get(pk=bare_study.pk), Selection()))
    assert page.verdict.runs.placed == ()
    assert page.verdict.runs.strengths == ()
    assert not page.chosen.has_truth
