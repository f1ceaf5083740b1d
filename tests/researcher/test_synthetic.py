"""Synthetic annotators: adding and removing them from the page."""

import pytest
from django.urls import reverse

from annotation.models import Judgment
from annotation.simulation import CannotSimulate
from researcher import tasks
from researcher.collecting.synthetic import SYNTHETIC
from researcher.tasks import add_synthetic
from tests.studies import open_small_study, plausibility_rows
from work.kinds import KINDS, OutOfTime
from work.models import Errand

pytestmark = pytest.mark.slow

CAST = {"careful": 2, "noisy": 0, "careless": 0, "seed": 1}


@pytest.fixture
def empty(db, tmp_path):
    """Open, with no labels yet."""
    return open_small_study(tmp_path / "empty", plausibility_rows(4), slug="empty")


def add(client, study, **changed):
    return client.post(reverse("synthetic_add", args=[study.slug]), CAST | changed, follow=True)


def test_they_are_put_on_the_queue(client, empty, queue):
    assert "2 synthetic annotators are answering." in add(client, empty).content.decode()


def test_the_task_lets_them_answer(empty):
    add_synthetic(empty.pk, {"careful": 2}, 1, 0)
    empty.refresh_from_db()
    assert empty.population == "synthetic"
    assert Judgment.objects.filter(assignment__sitting__study=empty).count() == 8


def page_of(client, study):
    return " ".join(client.get(reverse("bring_in", args=[study.slug])).content.decode().split())


def stop(*_, **__):
    raise OutOfTime


def refuse(*_, **__):
    raise CannotSimulate("small is closed.")


@pytest.mark.parametrize(
    ("ends", "why"), [(stop, "Stopped: it took longer than 1 hour."), (refuse, "small is closed.")]
)
def test_those_who_were_stopped_half_way_are_told_on_the_page_that_asked(client, empty, queue, monkeypatch, ends, why):
    said = f"Not all synthetic annotators finished. {why}"
    add(client, empty)
    with monkeypatch.context() as slow:
        slow.setattr(tasks, "simulate", ends)
        KINDS[Errand._meta.label].work(Errand.objects.get(name=SYNTHETIC).pk, worker="test/0")
    assert not Errand.objects.exists()
    assert said in page_of(client, empty)
    add(client, empty)
    assert said not in page_of(client, empty)
    KINDS[Errand._meta.label].work(Errand.objects.get(name=SYNTHETIC).pk, worker="test/0")
    assert "Not all synthetic annotators" not in page_of(client, empty)


def test_a_silent_queue_is_said(client, empty):
    assert "The task queue cannot be reached" in add(client, empty).content.decode()


def test_none_at_all_is_refused(client, empty):
    answer = add(client, empty, careful=0)
    assert answer.status_code == 422
    assert "Enter at least one synthetic annotator." in answer.content.decode()


def test_a_draft_takes_none(client, draft):
    assert "Open the study first" in add(client, draft).content.decode()


def test_a_study_of_people_takes_none(client, study):
    assert "never mix" in add(client, study).content.decode()


def test_the_page_names_what_will_be_deleted(client, checked):
    page = " ".join(client.get(reverse("synthetic_remove", args=[checked.slug])).content.decode().split())
    assert "2 synthetic annotators, 20 labels with their revisions" in page


def test_the_slug_must_be_typed(client, checked):
    answer = client.post(reverse("synthetic_remove", args=[checked.slug]), {"typed": "yes"})
    assert answer.status_code == 422
    assert checked.sittings.count() == 2


def test_removing_makes_room_for_people(client, checked):
    client.post(reverse("synthetic_remove", args=[checked.slug]), {"typed": checked.slug})
    checked.refresh_from_db()
    assert (checked.population, checked.sittings.count()) == ("nobody", 0)


def test_peoples_labels_are_never_removed(client, study):
    client.post(reverse("synthetic_remove", args=[study.slug]), {"typed": study.slug})
    assert study.sittings.count() == 3
