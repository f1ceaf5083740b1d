"""Deleting a study in the browser and by command: what is lost is said, its name is typed, and a worker does it."""

from html import unescape
from io import StringIO
from typing import Any

import pytest
from celery import current_app
from django.core.management import CommandError, call_command
from django.urls import reverse
from kombu.exceptions import OperationalError

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.lifecycle.status import close_study
from annotation.models import Judgment, Study
from comparison.exported import make_download, make_report, reports_folder
from comparison.frame.filters.selection import Selection
from researcher import tasks
from scoring.models import LanguageModel, Run, Score
from tests.house.walk.cast import imported
from tests.queued import listened_to
from work.tasks import do

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed(study: Study) -> Study:
    close_study(study)
    return study


@pytest.fixture
def sent(monkeypatch) -> list[tuple[Any, ...]]:
    """The studies that a worker was asked to delete."""
    return listened_to(monkeypatch)


def text(answer) -> str:
    return " ".join(unescape(answer.content.decode()).split())


@pytest.mark.slow
def test_what_will_be_lost_is_said(client, closed):
    page = text(client.get(reverse("study_delete", args=[closed.slug])))
    assert "4 items" in page and "12 labels of 3 annotators, in 3 submissions" in page
    assert "1 run with 4 scores" in page
    Score.objects.earliest("pk").delete()
    assert "1 run with 3 scores" in text(client.get(reverse("study_delete", args=[closed.slug]))), "not as runs count"


@pytest.mark.slow
def test_with_its_name_typed_it_is_gone_from_every_page_and_then_from_the_database(client, closed, sent):
    address = reverse("study_delete", args=[closed.slug])
    assert client.post(address, {"typed": "smal"}).status_code == 422
    assert not sent and Study.objects.filter(pk=closed.pk).exists()
    listed = client.post(address, {"typed": closed.slug}, follow=True)
    assert "deleted." in text(listed) and "is being deleted: waiting for a worker" in text(listed)
    assert client.get(reverse("study", args=["small"])).status_code == 404
    assert sent == [("deletion", closed.pk)]
    tasks.delete_study(closed.pk)
    assert not Study.with_deleted.exists() and not Judgment.objects.exists() and not Run.objects.exists()
    assert "being deleted" not in text(client.get(reverse("studies")))
    tasks.delete_study(closed.pk)


@pytest.mark.slow
def test_an_open_study_and_one_whose_runs_are_under_way_are_kept(client, study, sent):
    address = reverse("study_delete", args=[study.slug])
    assert "Close it first" in text(client.get(address))
    assert "Close it first" in text(client.post(address, {"typed": study.slug}))
    close_study(study)
    Run.objects.update(state=Run.State.RUNNING, finished_at=None)
    assert "1 run is in progress" in text(client.get(address))
    assert client.post(address, {"typed": study.slug}).status_code == 422
    assert not sent and Study.objects.filter(pk=study.pk).exists()


@pytest.mark.slow
def test_an_editor_is_not_asked(colleague, carl, closed):
    give(closed, carl, Role.EDITOR)
    assert "Delete study" not in text(colleague.get(reverse("setup", args=[closed.slug])))
    assert colleague.get(reverse("study_delete", args=[closed.slug])).status_code == 403


@pytest.mark.slow
def test_what_a_silent_queue_or_a_killed_worker_left_is_taken_up(client, closed, monkeypatch):
    def silent(*given, **where):
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", silent)
    page = client.post(reverse("study_delete", args=[closed.slug]), {"typed": closed.slug}, follow=True)
    assert "when the task queue can be reached" in text(page)
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **where: do(*args))
    tasks.delete_rest()
    assert not Study.with_deleted.exists()


@pytest.mark.slow
def test_its_reports_go_and_models_that_were_imported_for_it_alone(closed, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    imported(closed, "brought")
    make_report(closed)
    make_download(closed, "judgments", Selection())
    assert list(reports_folder().iterdir()) and list((tmp_path / "exports").iterdir())
    call_command("delete_study", closed.slug, yes_delete=closed.slug, stdout=StringIO())
    assert not list(reports_folder().iterdir()) and not list((tmp_path / "exports").iterdir())
    assert [one.name for one in LanguageModel.objects.all()] == ["parrot"]


@pytest.mark.slow
def test_the_command_says_first_and_deletes_when_the_name_is_said_again(closed):
    out = StringIO()
    call_command("delete_study", closed.slug, stdout=out)
    assert "4 items, 12 labels of 3 annotators" in out.getvalue() and "--yes-delete small" in out.getvalue()
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_study", closed.slug, yes_delete="other")
    assert Study.objects.filter(pk=closed.pk).exists()
    call_command("delete_study", closed.slug, yes_delete=closed.slug, stdout=out)
    assert "deleted (" in out.getvalue() and not Study.with_deleted.exists()
