"""What the study page asks of the database, warm and after one more label, and that its remembered counts stay true."""

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.drafting.items import revise
from annotation.itemfile import write_items
from annotation.loading import load_study
from comparison.frame import selected
from comparison.tasks import compute
from researcher.collecting.annotators import WithOthers, read_annotators
from researcher.collecting.totals import read_collected
from researcher.studies.revision import revisions_at
from researcher.tasks import sum_up
from tests.comparison.cast import give_labels
from tests.studies import plausibility_row, write_study


@pytest.fixture
def large(study, monkeypatch):
    """Its figures are a worker's, who is done with them."""
    monkeypatch.setattr(selected, "QUICK", 0)
    monkeypatch.setattr(current_app, "send_task", lambda name, asked, **options: None)
    compute(study.pk, "overview", "")
    sum_up(study.pk)
    return study


def queries(client, study):
    with CaptureQueriesContext(connection) as caught:
        assert client.get(reverse("study", args=[study.slug])).status_code == 200
    return [one["sql"] for one in caught]


def scans(asked):
    """Those that grow with the study: over items, and over scores and answers.

    Items that may have to be adjudicated are read off an index of their own (tests/annotation/adjudicating), as are
    answers that say that an item cannot be judged. Whether there is any gold is one look into an index.
    """
    asked = [one for one in asked if """"state" = 'declined'""" not in one]
    items = [one for one in asked if 'FROM "annotation_item"' in one and '"external_id" IN' not in one]
    items = [one for one in items if '"counted" = ("annotation_item"."target")' not in one]
    items = [one for one in items if not one.startswith("SELECT 1 AS")]
    return items, [one for one in asked if 'FROM "scoring_score"' in one or '"annotation_assignment"' in one]


@pytest.mark.slow
def test_warm_and_after_one_label_items_are_gone_through_once(client, large):
    queries(client, large)
    warm = queries(client, large)
    give_labels(large, [("target-1", "late", "less_likely")])
    after = queries(client, large)
    for asked in (warm, after):
        items, others = scans(asked)
        assert len(items) == 1
        assert 'SUM("annotation_item"."counted")' in items[0]
        assert others == []
    asking = [one for one in after if '"work_errand"' in one or "SAVEPOINT" in one]
    assert len(after) - len(asking) == len(warm) == 22
    assert len(asking) == 2 * 6, "of a worker, two things"


@pytest.mark.slow
def test_the_worker_counts_scores_before_anybody_comes(client, large):
    assert scans(queries(client, large))[1] == []


@pytest.fixture
def folder(tmp_path):
    return write_study(tmp_path / "flagged", [flagged(1), flagged(2), plausibility_row(3)], slug="flagged")


def flagged(number):
    return plausibility_row(number, revise="odd words")


def test_items_left_to_revise_follow_decisions_and_files(db, folder, researcher):
    study = load_study(folder).study
    assert revisions_at(study) == (2, 0)
    item = study.items.get(external_id="target-1")
    revise(item, item.content, seen=item.content_hash, editor=researcher, reason="right as it is")
    assert revisions_at(study) == (1, 1)
    write_items(folder / "items.jsonl", [flagged(number) for number in (1, 2, 3)])
    study = load_study(folder).study
    assert revisions_at(study) == (2, 1)


@pytest.mark.django_db
def test_items_left_to_revise_are_not_counted_again(folder):
    study = load_study(folder).study
    revisions_at(study)
    with CaptureQueriesContext(connection) as caught:
        assert revisions_at(study) == (2, 0)
    assert len(caught) == 1


@pytest.mark.slow
def test_a_page_of_annotators_is_of_the_busiest_and_says_how_many_there_are(study):
    give_labels(study, [("target-1", "late", "less_likely")])
    work = read_collected(study).work
    first = read_annotators(study, work, WithOthers(), size=2).rows
    last = read_annotators(study, work, WithOthers(), page="2", size=2).rows
    assert (first.paginator.count, len(first), len(last)) == (4, 2, 2)
    assert [row.work.labels for row in [*first, *last]] == [4, 4, 4, 1]
