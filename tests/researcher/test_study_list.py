"""The list of studies: one line each, and the same number of queries for any number of them."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Study
from comparison.figures.findings import FINDINGS
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from researcher.studies.list import read_lines
from tests.comparison.cast import give_labels, give_run
from tests.researcher.conftest import labeled_rows, people_label
from tests.studies import open_small_study


def only_line(study):
    (line,) = read_lines(Study.objects.filter(pk=study.pk))
    return line


@pytest.mark.slow
def test_both_addresses_show_the_list(client, study):
    for address in ("/", "/studies/"):
        assert study.title in client.get(address).content.decode()


@pytest.mark.slow
def test_studies_of_one_title_are_told_apart_by_their_slugs(client, study, draft):
    assert "<code>" not in client.get(reverse("studies")).content.decode()
    Study.objects.update(title="Twins")
    page = client.get(reverse("studies")).content.decode()
    assert [f"<code>{one.slug}</code>" in page for one in (study, draft)] == [True, True]


@pytest.mark.slow
def test_progress_counts_valid_labels_against_the_target(study):
    line = only_line(study)
    assert (line.valid, line.target, line.complete, line.items, line.percent) == (12, 12, 4, 4, 100)


@pytest.mark.slow
def test_agreement_is_that_of_the_comparison_page(study):
    found = FINDINGS.read(select(study, Selection()))
    ordinal = next(named.estimate for named in found.agreement if named.key == "alpha_ordinal")
    assert only_line(study).standing.agreement == ordinal


def test_the_nearest_model_is_held_against_people(study):
    [placed] = only_line(study).standing.verdict.runs.models
    assert placed.name == "parrot pll"
    assert (placed.value.value, placed.value.n) == (1.0, 4)


def test_without_labels_a_model_is_held_against_the_reference(db, tmp_path):
    bare = open_small_study(tmp_path / "bare", labeled_rows(), slug="bare")
    wrong = [(row.id, "impossible", None, "") for row in labeled_rows()]
    give_run(bare, wrong, key="cassandra", family="classifier")
    standing = only_line(bare).standing
    assert (standing.has_labels, standing.verdict.runs.models[0].value.value) == (False, 0.0)


@pytest.mark.slow
def test_with_one_label_an_item_a_model_is_held_against_the_reference(client, tmp_path):
    single = open_small_study(tmp_path / "single", labeled_rows(), slug="single")
    give_labels(single, [(row.id, "p1", "less_likely") for row in labeled_rows()])
    give_run(single, [(row.id, row.reference, None, "") for row in labeled_rows()], key="parrot")
    standing = only_line(single).standing
    assert (standing.has_labels, standing.against_people, standing.verdict.runs.models[0].value.value) == (
        True,
        False,
        1.0,
    )
    assert "vs. reference, n = 4" in client.get(reverse("studies")).content.decode()


@pytest.mark.slow
def test_a_model_comes_before_a_baseline_that_does_better(study):
    give_run(study, [(row.id, "impossible", None, "") for row in labeled_rows()], key="poor", family="masked")
    give_run(study, [(row.id, row.reference, None, "") for row in labeled_rows()], key="base", family="baseline")
    runs = only_line(study).standing.verdict.runs
    assert runs.models[0].name == "parrot pll"
    assert not any(one.is_baseline for one in runs.nearest)


def test_a_run_that_only_rates_is_held_by_rank_correlation(db, tmp_path):
    bare = open_small_study(tmp_path / "bare", labeled_rows(), slug="bare")
    strengths = [(row.id, None, float(place % 2), "") for place, row in enumerate(labeled_rows())]
    give_run(bare, strengths, key="smol", family="causal", metric="causal")
    runs = only_line(bare).standing.verdict.runs
    assert (runs.placed, [one.name for one in runs.strengths]) == ((), ["smol causal"])


@pytest.mark.slow
def test_figures_change_when_labels_do(study):
    before = only_line(study).standing.agreement
    give_labels(study, [("target-3", "another", "impossible")])
    assert only_line(study).standing.agreement != before


@pytest.mark.slow
def test_synthetic_labels_are_marked(client, checked):
    page = client.get(reverse("studies")).content.decode()
    assert '<span class="badge synthetic">Synthetic</span>' in page


def test_a_number_that_does_not_exist_is_said_in_words(client, draft):
    page = client.get(reverse("studies")).content.decode()
    assert "Not open yet" in page
    assert "No labels yet" in page
    assert not re.search(r"\bNaN\b", page)


@pytest.mark.slow
def test_the_number_of_queries_is_constant(client, study, tmp_path):
    def queries():
        with CaptureQueriesContext(connection) as caught:
            client.get(reverse("studies"))
        return len(caught)

    queries()
    one = queries()
    for number in range(4):
        more = open_small_study(tmp_path / f"s{number}", labeled_rows(), slug=f"s{number}")
        people_label(more)
        give_run(more, [(row.id, row.reference, None, "") for row in labeled_rows()], key=f"m{number}")
    queries()
    assert queries() == one, "once the figures are remembered"
