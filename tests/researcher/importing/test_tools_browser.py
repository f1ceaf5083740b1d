"""Where files of other tools are taken, in a browser: with every tool's card, in both themes, on desk and phone."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from tests.browser import faults, log_in
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def researcher(db):
    return get_user_model().objects.create_user("rosa", password="long-and-dull-1", is_superuser=True)


def test_the_pages_that_take_them_are_accessible_and_fit(browser_page, live_server, researcher, tmp_path):
    study = open_small_study(tmp_path / "small", plausibility_rows(2))
    addresses = [
        *(reverse(name, args=[study.slug]) for name in ("label_files", "score_files", "runs")),
        reverse("new_study"),
        reverse("data_sets"),
        reverse("data_set", args=["label-studio"]),
        reverse("setup_part", args=[study.slug, "scoring"]),
        reverse("what_if", args=[study.slug]) + "?item_floor_ms=900",
    ]
    page = browser_page
    log_in(page, live_server)
    for address in addresses:
        page.goto(live_server.url + address)
        page.evaluate("document.querySelectorAll('main details').forEach((folded) => { folded.open = true })")
        assert faults(page) == [], address
