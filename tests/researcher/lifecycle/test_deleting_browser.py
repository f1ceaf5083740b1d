"""Deleting a study in a real browser: what is lost, the name to type, and how far it is, in both themes and widths."""

import os
from pathlib import Path

import pytest
from celery import current_app
from django.urls import reverse

from annotation.lifecycle.status import close_study
from annotation.models import Study
from researcher import tasks
from tests.browser import PHONE, log_in, no_sideways_scrolling, serious_violations

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_study_is_deleted(scheme, open_page, live_server, researcher, study, monkeypatch):
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **where: None)
    close_study(study)
    kept = os.environ.get("PARALLAX_SCREENSHOTS", "")

    def looked_at(page, name: str) -> None:
        for shape, viewport in (("phone", PHONE), ("desk", {"width": 1280, "height": 800})):
            page.set_viewport_size(viewport)
            assert no_sideways_scrolling(page), (name, shape)
            assert serious_violations(page) == [], (name, shape)
            if kept:
                page.screenshot(path=Path(kept) / f"{name}-{shape}-{scheme}.png", full_page=True)

    page = open_page(color_scheme=scheme)
    log_in(page, live_server, reverse("setup", args=[study.slug]))
    page.get_by_text("Archive, delete").click()
    page.get_by_role("link", name="Delete this study").click()
    page.get_by_text("12 labels of").wait_for()
    looked_at(page, "delete")
    page.get_by_label("Type small to confirm").fill("small")
    page.get_by_role("button", name="Delete the study").click()
    page.get_by_text("is being deleted: waiting for a worker").wait_for()
    looked_at(page, "deleting")
    tasks.delete_study(study.pk)
    page.get_by_text("is being deleted").wait_for(state="detached")
    assert not Study.with_deleted.exists()
