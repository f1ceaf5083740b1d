"""Sums over all items of a large study: read once for each state of its data, and right all the same."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.assignment import start
from annotation.models import Annotator, Item
from annotation.recording import record
from annotation.simulation import simulate
from comparison.frame.cache import item_sums
from comparison.frame.cache.gathered import read_one
from comparison.frame.cache.item_sums import read_kinds, read_sums
from researcher.rail import PAGES
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db
# A sum or a count over items that nothing but their study or kind narrows.
SUMS_ITEMS = re.compile(r'SELECT [^(]*(SUM|COUNT)\(.* FROM "annotation_item" (INNER JOIN "annotation_study" |WHERE )')

# No further than a batch; items of practice, which are all in one; items without a majority, which have an index; and
# what a worker does where a study is really large.
BOUNDED = ("LIMIT", "'practice')", '"agreed"', 'AS "missing"')


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.setattr(item_sums, "MANY", 6)
    monkeypatch.setattr(item_sums, "LAG_SECONDS", 0)
    cache.clear()
    found = open_small_study(tmp_path, plausibility_rows(6, gold=1), collection={"labels_per_item": 9})
    simulate(found, counts={"careful": 3}, seed=1)
    found.refresh_from_db()
    # With this it is known to be large.
    read_sums([found])
    return found


def sums_asked(asked):
    found = [one["sql"] for one in asked.captured_queries if SUMS_ITEMS.search(one["sql"])]
    return [sql for sql in found if not any(words in sql for words in BOUNDED)]


def in_rows(study):
    targets = study.items.filter(kind=Item.Kind.TARGET)
    return sum(item.counted for item in targets), sum(item.target for item in targets)


def label(study):
    somebody = Annotator.objects.create(platform="synthetic", profile="careful", external_id="one more")
    sitting = start(study, somebody)
    record(sitting, 1, study.task.scale.values[0])


@pytest.mark.slow
def test_sums_are_read_once_for_each_state(study):
    read_one(study)
    with CaptureQueriesContext(connection) as asked:
        again = read_one(study)
    assert sums_asked(asked) == []
    assert (again.labels, again.wanted) == in_rows(study)


@pytest.mark.slow
def test_a_label_is_seen(study):
    before = read_one(study)
    label(study)
    after = read_one(study)
    assert (after.labels, after.wanted) == in_rows(study) == (before.labels + 1, before.wanted)
    assert after.version != before.version


@pytest.mark.slow
def test_while_answers_come_a_sum_may_lag_and_then_is_right(study, monkeypatch):
    monkeypatch.setattr(item_sums, "LAG_SECONDS", 3600)
    before = read_sums([study])[study.pk]["labels"]
    label(study)
    assert read_sums([study])[study.pk]["labels"] in (before, before + 1)
    monkeypatch.setattr(item_sums, "LAG_SECONDS", 0)
    assert read_sums([study])[study.pk]["labels"] == before + 1


@pytest.mark.slow
def test_kinds_are_counted_once_for_each_state_of_the_items(study):
    assert read_kinds(study) == {"target": 6, "gold": 1, "attention": 0, "practice": 0, "keys": 0}
    with CaptureQueriesContext(connection) as asked:
        assert read_kinds(study)["target"] == 6
    assert len(asked) == 0
    study.content_hash = "of-other-items"
    study.items.filter(kind="gold").update(kind="practice")
    assert read_kinds(study)["practice"] == 1


@pytest.mark.slow
def test_a_small_study_remembers_nothing(study, monkeypatch):
    monkeypatch.setattr(item_sums, "MANY", 100)
    cache.clear()
    read_sums([study])
    read_kinds(study)
    assert cache.get_many([f"items:many:{study.pk}:{study.content_hash}"]) == {}
    with CaptureQueriesContext(connection) as asked:
        read_sums([study])
    assert len(sums_asked(asked)) == 1


@pytest.mark.slow
def test_no_page_of_a_large_study_sums_its_items_at_every_visit(study, admin_client):
    for page in PAGES:
        address = page.address(study)
        admin_client.get(address)
        with CaptureQueriesContext(connection) as asked:
            answer = admin_client.get(address)
        assert answer.status_code in (200, 302, 404), address
        assert sums_asked(asked) == [], address
