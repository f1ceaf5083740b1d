"""Deleting a study in a real browser: what is lost, the name to type, and how far it is, in both themes and widths."""

import pytest
from celery import current_app
from django.urls import reverse

from annotation.lifecycle.status import close_study
from annotation.models import Study
from researcher import tasks
from tests.browser import faults, log_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_study_is_deleted(browser_page, live_server, researcher, study, monkeypatch):
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **where: None)
    close_study(study)
    page = browser_page
    log_in(page, live_server, reverse("setup", args=[study.slug]))
    page.get_by_text("Archive or delete").click()
    page.get_by_role("link", name="Delete study…").click()
    page.get_by_text("12 labels of").wait_for()
    assert faults(page) == []
    page.get_by_label("Type small to confirm").fill("small")
    page.get_by_role("button", name="Delete the study").click()
    page.get_by_text("is being deleted: waiting for a worker").wait_for()
    assert faults(page) == []
    tasks.delete_study(study.pk)
    page.get_by_text("is being deleted").wait_for(state="detached")
    assert not Study.with_deleted.exists()
