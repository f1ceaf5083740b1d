"""Where files of other tools are taken, in a browser: with every tool's card, in both themes, on desk and phone."""

import os
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from tests.browser import DESK, PHONE, log_in, no_sideways_scrolling, serious_violations
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def researcher(db):
    return get_user_model().objects.create_user("rosa", password="long-and-dull-1", is_superuser=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_that_take_them_are_accessible_and_fit(scheme, open_page, live_server, researcher, tmp_path):
    study = open_small_study(tmp_path / "small", plausibility_rows(2))
    addresses = {
        "labels": reverse("label_files", args=[study.slug]),
        "scores": reverse("score_files", args=[study.slug]),
        "runs": reverse("runs", args=[study.slug]),
        "items": reverse("new_study"),
        "data-sets": reverse("data_sets"),
        "label-studio": reverse("data_set", args=["label-studio"]),
        "metrics": reverse("setup_part", args=[study.slug, "scoring"]),
        "what-if": reverse("what_if", args=[study.slug]) + "?item_floor_ms=900",
    }
    kept = os.environ.get("PARALLAX_SCREENSHOTS", "")
    for shape, viewport in (("desk", DESK), ("phone", PHONE)):
        page = open_page(color_scheme=scheme, viewport=viewport)
        log_in(page, live_server)
        for name, address in addresses.items():
            page.goto(live_server.url + address)
            for folded in page.locator("details.tools > summary").all():
                folded.click()
            assert no_sideways_scrolling(page), (address, viewport)
            assert serious_violations(page) == [], (address, viewport)
            if kept:
                page.screenshot(path=Path(kept) / f"foreign-{name}-{shape}-{scheme}.png", full_page=True)
