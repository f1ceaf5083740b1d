"""An attribute that is a number, in bins: of all items whatever the filters, and each opens its items."""

import csv
import io
import re

import pytest
from django.core.management import call_command

from tests.comparison.cast import give_run
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row

EQUAL = "equally_likely"


@pytest.fixture
def numbered_study(db, tmp_path):
    """Forty items with intensities from 0 to 3.9 and one without; a run that is right below 2."""
    rows = [
        plausibility_row(n, reference=EQUAL, attributes={"intensity": f"{n / 10 - 0.1:.1f}"} if n <= 40 else {})
        for n in range(1, 42)
    ]
    made = open_small_study(tmp_path / "n", rows, slug="numbered", results={"numbers": ["intensity"]})
    scores = [(row.id, EQUAL if n < 20 else "impossible", 1.0, "") for n, row in enumerate(rows)]
    give_run(made, scores, key="owl", metric="label", family="classifier")
    return made


def test_bins_are_asked_for_in_the_address(logged_in, numbered_study):
    shown = page(logged_in, numbered_study, "breakdown", by="intensity", bins="weak < 2, strong").context["page"]
    assert [(one.value, one.items) for one in shown.groups] == [("weak", 20), ("strong", 20), ("(none)", 1)]
    (run,) = shown.deciding
    assert [one.runs[run.key].correct for one in shown.groups] == [20, 0, 0]
    quantiles = page(logged_in, numbered_study, "breakdown", by="intensity").context["page"].groups
    assert [one.items for one in quantiles] == [10, 10, 10, 10, 1]


def test_bins_are_of_all_items_whatever_the_filters(logged_in, numbered_study):
    asked = {"by": "intensity", "bins": "2"}
    (_, above, *_) = page(logged_in, numbered_study, "breakdown", **asked).context["page"].groups
    narrowed = page(logged_in, numbered_study, "breakdown", **asked, right="wrong").context["page"].groups
    assert [one.value for one in narrowed if one.items == 20] == [above.value]


def test_a_bin_opens_its_items(logged_in, numbered_study):
    response = page(logged_in, numbered_study, "breakdown", by="intensity", bins="weak < 2, strong")
    (address,) = re.findall(r'href="(\?[^"]*within=weak[^"]*)"', response.content.decode())[:1]
    assert (
        page(logged_in, numbered_study, "items", by="intensity", bins="weak < 2, strong", within="weak")
        .context["page"]
        .items
        == 20
    )
    assert "bins=" in address


def test_bins_that_cannot_be_are_refused_in_words(logged_in, numbered_study):
    response = page(logged_in, numbered_study, "breakdown", by="intensity", bins="2, 1")
    assert response.status_code == 400
    assert "bins must be a number of bins from 2 to 20" in words(response)


def test_the_file_has_the_bins_of_the_page(numbered_study):
    written = io.StringIO()
    text = "by=intensity&bins=weak < 2, strong&against=reference"
    call_command("export", "numbered", "breakdown", "--query", text, stdout=written)
    rows = [row for row in csv.DictReader(io.StringIO(written.getvalue())) if row["rater"].startswith("owl")]
    found = [(row["value"], row["items"], row["count"]) for row in rows if row["against"] == "reference"]
    assert found == [("weak", "20", "20"), ("strong", "20", "0"), ("(none)", "1", "0")]
