"""A workbook of several sheets: which is read first, and what is guessed when another sheet or task is chosen."""

import pytest

from annotation.models import Study
from tests.researcher.new_study.sending import columns_of, fields_of
from tests.researcher.new_study.workbooks import BOTH

pytestmark = pytest.mark.slow


def chosen_in(page):
    """What the drop-downs of the columns say."""
    return [value for name, value in fields_of(page).items() if name.startswith("as-")]


def said(page):
    """Column → role, as the drop-downs say it."""
    chosen = zip(page.context["form"].sheet_columns, chosen_in(page), strict=True)
    return {column: role for column, role in chosen if role}


def after_notes(client):
    """The page of the notes, as a browser with JavaScript has sent it once."""
    address, page = columns_of(client, **BOTH)
    page = client.post(address, fields_of(page) | {"read": "1", "sheet": "Notes"}, follow=True)
    return address, client.post(address, fields_of(page) | {"show": "1"})


def test_the_largest_sheet_is_read_first_and_the_page_says_so(client):
    _, page = columns_of(client, **BOTH)
    assert "Ungrammatical" in page.context["form"].sheet_columns
    assert "sheet “Items”, the largest of 2" in page.content.decode()
    _, page = after_notes(client)
    assert "sheet “Notes” of 2" in page.content.decode()


def test_another_sheet_brings_its_own_task_and_roles(client):
    address, page = after_notes(client)
    assert page.context["form"].task.key == "rating"
    page = client.post(address, fields_of(page) | {"read": "1", "sheet": "Items"}, follow=True)
    assert page.context["form"].task.key == "forced_choice"
    assert fields_of(page)["task"] == "forced_choice"
    assert said(page), "no column is ignored by the drop-downs and used by the preview"
    assert said(page) == page.context["form"].role_of


def test_another_task_brings_its_own_roles_into_the_drop_downs(client):
    address, page = columns_of(client, **BOTH)
    page = client.post(address, fields_of(page) | {"task": "rating", "show": "1"})
    assert {"first", "second"} <= {*said(page).values()}
    page = client.post(address, fields_of(page) | {"task": "forced_choice", "show": "1"})
    assert said(page) == page.context["form"].role_of


@pytest.mark.parametrize("button", [{}, {"show": "1"}])
def test_a_sheet_that_was_chosen_is_read_whatever_button_was_pressed(client, button):
    """Without JavaScript one may press another than “Reread file”: the page then shows what was chosen."""
    address, page = after_notes(client)
    page = client.post(address, fields_of(page) | {"sheet": "Items"} | button, follow=True)
    assert "Ungrammatical" in page.context["form"].sheet_columns
    assert not Study.objects.exists()


def test_options_that_are_too_few_are_asked_for_in_plain_words(client):
    address, page = columns_of(client, **BOTH)
    sent = fields_of(page)
    sent |= {name: "" for name, value in sent.items() if name.startswith("as-") and value.startswith("option")}
    refused = client.post(address, sent).content.decode()
    assert "Choose two to nine columns as answer options." in refused
    assert "role names" not in refused and "[]" not in refused
