"""The comparison page and an item's page in a real browser: nothing is printed over anything, whatever it is called."""

import pytest
from django.urls import reverse

from annotation.models import Assignment, Item
from researcher.views.comparison import PARTS
from scoring.models import LanguageModel, Score
from tests.browser import DESK, PHONE, logged_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

FITS = "document.documentElement.scrollWidth <= innerWidth"
OVERFULL = """[...document.querySelectorAll('.figures-table th, .figures-table td')]
    .filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"""


def show(page, live_server, client, researcher, name, *arguments):
    client.force_login(researcher)
    logged_in(page, live_server, client)
    page.goto(live_server.url + reverse(name, args=arguments) + "?open=all")
    return page


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_no_cell_is_printed_over_the_next(open_page, live_server, client, researcher, study, viewport):
    order = ["less_likely", "equally_likely", "more_likely", "impossible", "cannot_say"] * 2
    known = study.task.scale.values
    for one in Assignment.objects.all():
        one.presentation = {"order": [value for value in order if value in known]}
        one.save(update_fields=["presentation"])
    page = show(open_page(viewport=viewport), live_server, client, researcher, "comparison_item", "small", "target-3")
    assert page.evaluate(OVERFULL) == []
    assert page.evaluate(FITS)


def test_an_option_is_readable_on_a_phone(open_page, live_server, client, researcher, study):
    page = show(open_page(viewport=PHONE), live_server, client, researcher, "comparison_item", "small", "target-3")
    widths = page.evaluate("[...document.querySelectorAll('td.stimulus, td.wraps')].map(one => one.clientWidth)")
    assert widths
    # 11 rem.
    assert min(widths) >= 170


def test_long_unbroken_names_stay_inside_the_window(open_page, live_server, client, researcher, study):
    long = "x" * 200
    LanguageModel.objects.filter(key="parrot").update(name=long[:100])
    Score.objects.filter(run__model__key="smol").update(detail={"options": {long: {"text": long, "score": -1.0}}})
    Item.objects.filter(external_id="target-3").update(attributes={long: long})
    for viewport in (DESK, PHONE):
        page = open_page(viewport=viewport)
        assert show(page, live_server, client, researcher, "comparison_item", "small", "target-3").evaluate(FITS)
        for part in PARTS:
            page.goto(live_server.url + reverse("results", args=["small", part]) + "?open=all")
            assert page.evaluate(FITS), part
