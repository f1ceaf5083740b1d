"""Help and what is added beside it in a real browser: accessible, fitting a desk and a phone, in both themes."""

import os
from pathlib import Path

import pytest
from django.urls import reverse

from accounts.models import User
from annotation.models import Study
from tests.browser import DESK, PHONE, log_in, no_sideways_scrolling, serious_violations

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit(scheme, open_page, live_server, researcher, study, settings, tmp_path):
    Study.objects.update(population=Study.Population.SYNTHETIC)
    User.objects.update(is_superuser=True)
    (tmp_path / "own" / "bert").mkdir(parents=True)
    (tmp_path / "own" / "bert" / "config.json").write_text("{}")
    settings.MODEL_FOLDERS, settings.MODEL_HUB = [tmp_path / "own"], True
    addresses = {name: reverse(name) for name in ("studies", "glossary", "model_add")}
    addresses["first-steps"] = reverse("docs", args=["first-steps"])
    kept = os.environ.get("PARALLAX_SCREENSHOTS", "")
    for shape, viewport in (("desk", DESK), ("phone", PHONE)):
        page = open_page(color_scheme=scheme, viewport=viewport)
        log_in(page, live_server)
        for name, address in addresses.items():
            page.goto(live_server.url + address)
            assert no_sideways_scrolling(page), (address, viewport)
            assert serious_violations(page) == [], (address, viewport)
            if kept:
                page.screenshot(path=Path(kept) / f"help-{name}-{shape}-{scheme}.png", full_page=True)
