"""Results of a large study: figures are computed by a worker, and meanwhile the page says so or shows the last ones."""

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.urls import reverse

from comparison import tasks
from comparison.figures import findings
from comparison.frame import reading as frame_reading
from comparison.frame import selected
from comparison.frame.cache.computing import Computing, Progress
from comparison.frame.cache.remembered import _key
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.frame.status import read_standing
from comparison.page import item_table
from researcher.collecting.totals import cache_key_parts
from researcher.studies.list import read_lines
from researcher.tasks import plan, sum_up
from researcher.views.comparison import PARTS
from tests.comparison.cast import give_labels
from tests.comparison.page.visiting import page
from tests.queued import listened_to


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(selected, "QUICK", 0)


@pytest.fixture
def study(study):
    """Of which no figure was ever computed."""
    cache.clear()
    return study


@pytest.fixture
def asked(monkeypatch):
    """What is put on the queue."""
    return listened_to(monkeypatch)


def words(answer):
    return " ".join(answer.content.decode().split())


@pytest.mark.slow
def test_nothing_is_computed_while_a_reader_waits(logged_in, study, asked, monkeypatch):
    monkeypatch.setattr(frame_reading, "read_panel", lambda *given, **named: pytest.fail("the panel was read"))
    for part in PARTS:
        answer = page(logged_in, study, part)
        assert "This page updates itself" in words(answer)
        assert 'http-equiv="refresh"' in words(answer)
    assert asked == [("figures", study.pk, part, "") for part in PARTS]
    page(logged_in, study)
    assert len(asked) == len(PARTS), "somebody is at it"


@pytest.mark.slow
def test_one_task_computes_every_part(logged_in, study, asked):
    page(logged_in, study)
    tasks.compute(*asked.pop()[1:])
    for part in PARTS:
        answer = page(logged_in, study, part)
        assert answer.context["page"] is not None
        assert "This page updates itself" not in words(answer)
    assert asked == []


@pytest.mark.slow
def test_it_is_of_the_address(logged_in, study, asked):
    assert page(logged_in, study, agreement="unanimous", classes="coarse").context["page"] is None
    tasks.compute(*asked.pop()[1:])
    assert page(logged_in, study, agreement="unanimous", classes="coarse").context["page"].items == 2
    assert page(logged_in, study).context["page"] is None


@pytest.mark.slow
def test_after_one_more_label_the_last_figures_are_shown_as_such(logged_in, study, asked):
    page(logged_in, study)
    tasks.compute(*asked.pop()[1:])
    before = words(page(logged_in, study, "people"))
    give_labels(study, [("target-6", "late", "less_likely")])
    answer = page(logged_in, study, "people")
    assert "Figures from" in words(answer) and ", 15 labels." in words(answer)
    assert "waiting for a worker" in words(answer)
    assert asked == [("figures", study.pk, "people", "")]
    assert "Figures from" not in before
    tasks.compute(*asked.pop()[1:])
    answer = page(logged_in, study, "people")
    assert "Figures from" not in words(answer)
    assert answer.context["page"].yields.labels == 16


@pytest.mark.slow
def test_a_silent_queue_is_said(logged_in, study):
    answer = page(logged_in, study)
    assert "The task queue cannot be reached" in words(answer)
    assert 'http-equiv="refresh"' not in words(answer)


@pytest.mark.slow
def test_a_failure_is_said_and_tried_again_when_asked(logged_in, study, asked, monkeypatch):
    page(logged_in, study)
    monkeypatch.setattr(findings, "find", lambda panel: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tasks.compute(study.pk, "people", "")
    answer = page(logged_in, study, "people")
    assert "Error: division by zero" in words(answer)
    assert "Try again" in words(answer)


@pytest.mark.slow
def test_an_address_that_fits_nothing_is_said(logged_in, study, asked):
    page(logged_in, study)
    tasks.compute(*asked.pop()[1:])
    answer = logged_in.get(reverse("results", args=[study.slug]), {"sort": "x"})
    assert answer.status_code == 400
    assert "sort cannot be" in answer.content.decode()


@pytest.mark.slow
def test_the_list_and_the_study_page_show_what_was_last_computed(logged_in, study, asked):
    for name, arguments in (("studies", []), ("study", [study.slug])):
        assert "Computing…" in words(logged_in.get(reverse(name, args=arguments)))
    assert asked == [("figures", study.pk, "overview", ""), ("answers given", study.pk)]
    sum_up(*asked.pop()[1:])
    tasks.compute(*asked.pop()[1:])
    assert "Computing…" not in words(logged_in.get(reverse("study", args=[study.slug])))
    there = read_lines([study])[0]
    assert (there.is_computing, repr(there.standing)) == (False, repr(small(study)))
    give_labels(study, [("target-6", "late", "less_likely")])
    meanwhile = read_lines([study])[0]
    assert (meanwhile.is_computing, repr(meanwhile.standing)) == (True, repr(there.standing))
    assert "updating…" in words(logged_in.get(reverse("studies")))
    assert "Newer answers are being added" in words(logged_in.get(reverse("study", args=[study.slug])))


def small(study):
    return read_standing(select(study, Selection()))


def test_of_a_study_that_is_gone_nothing_is_made(db, caplog):
    tasks.compute(0, "people", "")
    tasks.aggregate(0, "")
    tasks.make_report(0)
    tasks.make_export(0, "items", "")
    plan(0, "")
    assert caplog.text.count("study 0 is gone") == 5


@pytest.mark.slow
def test_pages_of_items_are_made_together(logged_in, study, asked, monkeypatch):
    monkeypatch.setattr(item_table, "PAGE", 2)
    page(logged_in, study, "items")
    tasks.compute(*asked.pop()[1:])
    tables = [page(logged_in, study, "items", page=number).context["page"].table for number in (1, 2, 3)]
    assert [(table.first, table.last, len(table.rows)) for table in tables] == [(1, 2, 2), (3, 4, 2), (5, 6, 2)]
    assert len({row.item for table in tables for row in table.rows}) == 6
    assert asked == []


@pytest.mark.slow
def test_sums_that_the_cache_has_forgotten_are_not_said_to_be_of_before(logged_in, study, asked):
    sum_up(study.pk)
    forgotten = Computing(study.pk, "given", "").latest()
    assert forgotten is not None
    cache.delete(_key(cache_key_parts(forgotten.version)))
    text = words(logged_in.get(reverse("study", args=[study.slug])))
    assert "Computing…" in text
    assert "As of" not in text


def test_what_the_database_breaks_off_waits_and_has_not_failed():
    computing = Computing(1, "report", "")
    with pytest.raises(OperationalError), computing.telling():
        raise OperationalError("terminating connection due to administrator command")
    assert computing.progress() == Progress("waiting for the database")
