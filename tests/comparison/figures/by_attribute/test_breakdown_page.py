"""The breakdown: a chart of the most frequent values, every value in the table, every figure with n and a reason."""

import json
import re

import pytest

from comparison.bundle.figures import figures
from comparison.exports.registry import export
from comparison.figures.by_attribute.attribute import DRAWN_VALUES
from comparison.frame.filters.selection import Selection
from comparison.page.breakdown import DRAWN
from tests.browser import DESK, PHONE, broken
from tests.browser import logged_in as logged_in_page
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import address, page, words
from tests.studies import open_small_study, plausibility_row

VALUES = 25
LESS = "less_likely"


@pytest.fixture
def long_study(db, tmp_path):
    """Two items a value, all alike."""
    rows = [plausibility_row(n, attributes={"word": f"word {n % VALUES}"}) for n in range(1, 2 * VALUES + 1)]
    made = open_small_study(tmp_path / "long", rows)
    give_labels(made, [(row.id, f"p{person}", LESS) for row in rows for person in range(3)])
    give_run(made, [(row.id, LESS, 1.0, "") for row in rows], key="owl", metric="label", family="classifier")
    return made


@pytest.mark.slow
def test_the_chart_has_the_most_frequent_values_and_the_table_all(logged_in, long_study):
    response = page(logged_in, long_study, "breakdown", by="word")
    shown = response.context["page"]
    drawn = set(re.findall(r"word \d+ \(2\)", json.dumps(shown.charts["breakdown"].spec)))
    assert len(drawn) == DRAWN_VALUES
    assert len(shown.figures["breakdown"]) == VALUES
    told = f"The chart shows the {DRAWN_VALUES} most frequent values; the table has all."
    assert len(shown.by_value.values.values) == DRAWN
    assert f"First {DRAWN} values; the table has all." in words(response)
    assert any(figure.caption.count(told) for figure in figures(shown) if figure.name == "breakdown")


@pytest.mark.slow
def test_a_chart_of_few_values_says_nothing_of_others(logged_in, study):
    assert "are drawn" not in words(page(logged_in, study, "breakdown", by="class"))


@pytest.mark.slow
def test_every_cell_has_n_and_an_interval_or_the_reason(logged_in, long_study):
    response = page(logged_in, long_study, "breakdown", by="word")
    assert "2; 6 labels; 2" in words(response), "n of each figure, in the order of the columns"
    assert "Wilson’s interval of 2 items that all agree" in words(response)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_it_is_no_longer_than_three_screens(open_page, live_server, client, researcher, long_study):
    client.force_login(researcher)
    shown = logged_in_page(open_page(viewport={"width": 1280, "height": 800}), live_server, client)
    shown.goto(f"{live_server.url}{address(long_study, 'breakdown')}?by=word")
    assert shown.evaluate("document.documentElement.scrollHeight") <= 2400


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_no_label_of_a_field_breaks_inside_a_word(open_page, live_server, client, researcher, long_study, viewport):
    client.force_login(researcher)
    shown = logged_in_page(open_page(viewport=viewport), live_server, client)
    shown.goto(f"{live_server.url}{address(long_study, 'breakdown')}?by=word&open=all")
    shown.get_by_text("Merge values").click()
    shown.get_by_label("Name", exact=True).wait_for(state="visible")
    assert broken(shown, within="#content label") == []


@pytest.mark.slow
def test_people_stand_beside_runs_against_the_reference(logged_in, study):
    """Of the odd items 1, 3, 5: labels LLL, LLE, LEM, references L, L, E: by hand 3 + 2 + 1 of 9, majorities 2 of 2."""
    shown = page(logged_in, study, "breakdown", by="class", against="reference")
    odd = next(group for group in shown.context["page"].figures["breakdown"] if group.value == "odd")
    assert (odd.person.value, odd.person.n) == (pytest.approx(6 / 9), 9)
    assert (odd.majority.correct, odd.majority.compared) == (2, 2)
    assert "One annotator" in words(shown)
    assert "One person" in json.dumps(shown.context["page"].charts["breakdown"].spec)
    header, *rows = export("breakdown")(study, Selection(by="class"))
    found = [dict(zip(header, row, strict=True)) for row in rows]
    people = {(row["value"], row["rater"]): row["estimate"] for row in found if row["against"] == "reference"}
    assert people["odd", "one person"] == pytest.approx(6 / 9)
    assert people["odd", "majority"] == 1


@pytest.mark.slow
def test_of_one_annotators_few_labels_there_is_no_number(logged_in, db, tmp_path):
    """One item of the rare value, with three labels that do not agree: 0 of 3 would be a number."""
    rows = [plausibility_row(n, attributes={"kind": "rare" if n == 1 else "common"}) for n in range(1, 11)]
    made = open_small_study(tmp_path / "few", rows, slug="few")
    labels = [(row.id, f"p{person}", LESS) for row in rows[1:] for person in range(3)]
    labels += [(rows[0].id, f"p{person}", LESS if person else "impossible") for person in range(3)]
    give_labels(made, labels)
    give_run(made, [(row.id, LESS, 1.0, "") for row in rows], key="owl", metric="label", family="classifier")
    shown = page(logged_in, made, "breakdown", by="kind")
    by_value = {one.name: one.rows[0][0] for one in shown.context["page"].by_value.values.values}
    assert (by_value["rare"].number, by_value["rare"].small) == ("", "too few labels")
    assert by_value["common"].number.startswith("1.00")
    assert "undefined: too few labels" in words(shown)
