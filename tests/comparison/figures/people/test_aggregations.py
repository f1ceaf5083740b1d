"""Aggregation methods: what the page shows at once, what is computed when asked, and how far figures move."""

import os
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.urls import reverse

from comparison import tasks
from comparison.figures.people.aggregations import aggregations, compute_aggregations, laid_out
from comparison.frame.aggregation_methods import WAYS
from comparison.frame.filters.selection import Selection
from comparison.frame.reading import read_panel
from comparison.frame.selected import select
from scoring.models import Run
from tests import forked
from tests.comparison.cast import give_labels
from tests.comparison.learned import LEARNED, learn_at_once
from tests.comparison.page.visiting import page, words

PEOPLE = "people"
VOTED = [way.key for way in WAYS if not way.is_learned]


@pytest.fixture(autouse=True)
def nothing_known():
    cache.clear()


@pytest.fixture
def quick(monkeypatch):
    return learn_at_once(monkeypatch)


def test_every_way_has_a_function(study):
    panel = read_panel(study, coarse=False)
    assert set(aggregations(panel, VOTED)) == set(VOTED)
    with pytest.raises(KeyError):
        aggregations(panel, ["unheard of"])


def test_ties_are_counted_and_shared(study):
    """Two unanimous, two by majority, one tie of three: the majority leaves it out, and one third of it is right."""
    found = aggregations(read_panel(study, coarse=False), VOTED)
    assert (found["majority"].labeled, found["majority"].ties) == (4, 0)
    assert (found["ties_shared"].labeled, found["ties_shared"].ties) == (5, 1)
    run = str(Run.objects.get(study=study, model__key="parrot").pk)
    assert (found["majority"].runs[run].value, found["majority"].runs[run].n) == (0.75, 4)
    assert found["ties_shared"].runs[run].value == pytest.approx((3 + 1 / 3) / 5)


def test_the_first_people_are_listed_of_all_who_are_known(study):
    (found,) = aggregations(read_panel(study, coarse=False), ["majority"]).values()
    many = replace(found, raters={f"p{number}": number / 100 for number in range(60)})
    shown = laid_out([], {"majority": many})
    assert (shown.people, len(shown.raters)) == (60, 50)
    assert shown.raters[-1] == ("p49", (".49",))


def test_how_far_a_run_moves(study):
    panel = read_panel(study, coarse=False)
    lines = {
        line.run: line for line in laid_out(panel.runs, aggregations(panel, ["majority", "ties_shared"])).movements
    }
    assert lines["parrot · label"].moved.value == pytest.approx(0.75 - (3 + 1 / 3) / 5)
    assert lines["parrot · label"].moved.n == 5


@pytest.mark.slow
def test_the_page_shows_votes_and_waits_to_be_asked_for_the_rest(logged_in, study, quick):
    text = words(page(logged_in, study, PEOPLE))
    assert "How labels are combined" in text
    assert "Compute 4 more methods" in text
    assert quick == []


@pytest.mark.slow
def test_once_computed_the_page_shows_them(logged_in, study, quick):
    tasks.aggregate(study.pk, "")
    assert quick == list(LEARNED)
    text = words(page(logged_in, study, PEOPLE))
    assert "Undefined: mace was asked" in text
    assert "more methods" not in text
    tasks.aggregate(study.pk, "")
    assert len(quick) == 4, "they are remembered"


@pytest.mark.slow
def test_they_are_of_the_filters_and_of_the_data(logged_in, study, quick):
    tasks.aggregate(study.pk, "agreement=unanimous")
    assert "more methods" not in words(page(logged_in, study, PEOPLE, agreement="unanimous"))
    assert "more methods" in words(page(logged_in, study, PEOPLE))
    give_labels(study, [("target-6", "late", "less_likely")])
    assert "more methods" in words(page(logged_in, study, PEOPLE, agreement="unanimous"))


@pytest.mark.slow
def test_the_button_puts_them_on_the_queue(logged_in, study, queue):
    answer = logged_in.post(reverse("aggregate", args=[study.slug]) + "?agreement=unanimous", follow=True)
    assert answer.redirect_chain == [(f"/studies/{study.slug}/results/people/?agreement=unanimous#aggregations", 302)]
    assert "Aggregation started." in answer.content.decode()


@pytest.mark.slow
def test_a_silent_queue_is_said(logged_in, study):
    answer = logged_in.post(reverse("aggregate", args=[study.slug]), follow=True)
    assert "The task queue cannot be reached" in answer.content.decode()


@pytest.mark.parametrize("query", ["run=999", "sort=x"])
def test_an_address_that_fits_nothing_computes_nothing(study, quick, query, caplog):
    tasks.aggregate(study.pk, query)
    assert quick == []
    assert "Nothing is aggregated" in caplog.text


def test_each_way_is_remembered_as_soon_as_it_is_there(study, quick):
    first = compute_aggregations(select(study, Selection()))
    assert [next(first)[0].key for _ in range(4)] == [*VOTED, "dawid_skene"]
    again = compute_aggregations(select(study, Selection()))
    assert [next(again)[0].key for _ in range(4)] == [*VOTED, "dawid_skene"]
    assert quick == ["dawid_skene"]


@pytest.mark.slow
def test_a_study_without_labels_says_what_will_be_here(logged_in, bare_study):
    assert "No labels yet. Agreement of people" in words(page(logged_in, bare_study, PEOPLE))


@pytest.mark.slow
def test_a_web_process_that_shows_the_page_does_not_import_crowd_kit():
    """It takes 30 MB; it is imported when something is computed."""
    modules = "comparison.frame.aggregation_methods, comparison.figures.people.aggregations, sys"
    program = f"import django; django.setup(); import {modules}; print('crowdkit' in sys.modules)"
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    ran = forked.run("-c", program, env=env)
    assert ran.stdout.strip() == "False"


@pytest.mark.slow
def test_the_majority_is_not_held_against_itself(logged_in, study):
    said = words(page(logged_in, study, PEOPLE))
    assert said.count("% of items by majority label") == 1
