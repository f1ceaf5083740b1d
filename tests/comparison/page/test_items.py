"""The table of items: squares, presets with their counts, what it can be sorted by."""

import re

import pytest
from django.urls import reverse

from comparison.frame import selected
from comparison.frame.selected import Selected
from tests.comparison.page.visiting import page, words


def found(client, study, **query):
    return page(client, study, "items", **query).context["page"]


@pytest.mark.slow
def test_each_preset_opens_as_many_items_as_it_says(logged_in, study):
    presets = {one.words: one for one in found(logged_in, study).presets}
    assert presets["All"].items == 6 and presets["All"].is_here
    assert "Unanimous" in presets and "No majority" in presets
    for one in presets.values():
        answer = logged_in.get(f"{reverse('results', args=[study.slug, 'items'])}?{one.query}").context["page"]
        assert answer.table.total == one.items
        assert [other.words for other in answer.presets if other.is_here] == [one.words]


@pytest.mark.slow
def test_presets_are_counted_once(logged_in, study, monkeypatch):
    found(logged_in, study)
    monkeypatch.setattr(selected, "QUICK", 0)
    monkeypatch.setattr(Selected, "whole", property(lambda self: pytest.fail("items were counted again")))
    assert found(logged_in, study).presets[0].items == 6


@pytest.mark.slow
def test_items_on_which_every_model_is_wrong(logged_in, study):
    wrong = {row.item: (row.right, row.answered) for row in found(logged_in, study, models="wrong").table.rows}
    assert wrong and all(right == 0 and answered for right, answered in wrong.values())
    right = {row.item: (row.right, row.answered) for row in found(logged_in, study, models="right").table.rows}
    assert right and all(right == answered for right, answered in right.values())
    assert page(logged_in, study, "items", models="x").status_code == 400
    assert "no model is named nearest" in words(page(logged_in, study, "items", models="wrong"))


@pytest.mark.slow
def test_right_answers_are_marked_by_more_than_color(logged_in, study):
    rows = {row.item: row for row in found(logged_in, study).item_rows}
    squares = rows["target-3"].squares
    assert any(one.is_right and one.said.endswith(", right") for one in squares)
    html = page(logged_in, study, "items").content.decode()
    assert ", right</span>" in html and re.search(r'class="sq [^"]* hit"', html)


def test_an_item_without_majority_compares_with_nothing(logged_in, study):
    row = {row.item: row for row in found(logged_in, study).item_rows}["target-5"]
    assert (row.truth, row.right) == ("No majority", "–")


def test_a_run_that_names_no_label_has_a_dash_and_says_why(logged_in, study):
    said = [one.said for row in found(logged_in, study).item_rows for one in row.squares if one.sign == "–"]
    assert any("too long for the model" in one for one in said)


def test_the_modifier_is_marked(logged_in, study):
    assert re.search(r"<mark>[^<]+</mark>", page(logged_in, study, "items").content.decode())


@pytest.mark.slow
def test_sorts_say_which_is_chosen(logged_in, study):
    assert [one.words for one in found(logged_in, study, sort="entropy").sorts if one.is_here] == ["label entropy"]
    assert found(logged_in, study).sorts[0].words == "model–human disagreement"
