"""Help and what is added beside it in a real browser: accessible, fitting a desk and a phone, in both themes."""

import pytest
from django.urls import reverse

from accounts.models import User
from annotation.models import Study
from tests.browser import faults, log_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_pages_are_accessible_and_fit(browser_page, live_server, researcher, study, settings, tmp_path):
    Study.objects.update(population=Study.Population.SYNTHETIC)
    User.objects.update(is_superuser=True)
    (tmp_path / "own" / "bert").mkdir(parents=True)
    (tmp_path / "own" / "bert" / "config.json").write_text("{}")
    settings.MODEL_FOLDERS, settings.MODEL_HUB = [tmp_path / "own"], True
    addresses = [*map(reverse, ("studies", "glossary", "model_add")), reverse("docs", args=["first-steps"])]
    log_in(browser_page, live_server)
    for address in addresses:
        browser_page.goto(live_server.url + address)
        assert faults(browser_page) == [], address
