"""An attribute that is a number, in bins: of all items whatever the filters, and each opens its items."""

import csv
import io
import re
from html import unescape

import pytest
from django.core.management import CommandError, call_command

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


@pytest.mark.slow
def test_bins_are_asked_for_in_the_address(logged_in, numbered_study):
    shown = page(logged_in, numbered_study, "breakdown", by="intensity", bins="weak < 2, strong").context["page"]
    assert [(one.value, one.items) for one in shown.figures["breakdown"]] == [
        ("weak", 20),
        ("strong", 20),
        ("(none)", 1),
    ]
    (run,) = shown.deciding
    assert [one.runs[run.key].correct for one in shown.figures["breakdown"]] == [20, 0, 0]
    quantiles = page(logged_in, numbered_study, "breakdown", by="intensity").context["page"].figures["breakdown"]
    assert [one.items for one in quantiles] == [10, 10, 10, 10, 1]


@pytest.mark.slow
def test_bins_are_of_all_items_whatever_the_filters(logged_in, numbered_study):
    asked = {"by": "intensity", "bins": "2"}
    (_, above, *_) = page(logged_in, numbered_study, "breakdown", **asked).context["page"].figures["breakdown"]
    narrowed = page(logged_in, numbered_study, "breakdown", **asked, right="wrong").context["page"].figures["breakdown"]
    assert [one.value for one in narrowed if one.items == 20] == [above.value]


@pytest.mark.slow
def test_a_bin_opens_its_items(logged_in, numbered_study):
    response = page(logged_in, numbered_study, "breakdown", by="intensity", bins="weak < 2, strong")
    (address,) = re.findall(r'href="[^"]*(\?[^"]*within=weak[^"]*)"', response.content.decode())[:1]
    assert (
        page(logged_in, numbered_study, "items", by="intensity", bins="weak < 2, strong", within="weak")
        .context["page"]
        .items
        == 20
    )
    assert "bins=" in address


@pytest.mark.slow
def test_bins_that_cannot_be_are_refused_in_words(logged_in, numbered_study):
    response = page(logged_in, numbered_study, "breakdown", by="intensity", bins="2, 1")
    assert response.status_code == 400
    assert "bins must be a number of bins from 2 to 20" in words(response)


REFUSED = "bins cannot be '4' for 'word', which is not numeric; numeric attributes: intensity."


@pytest.fixture
def worded_study(numbered_study):
    for place, item in enumerate(numbered_study.items.all()):
        item.attributes |= {"word": "abc"[place % 3]}
        item.save()
    return numbered_study


@pytest.mark.parametrize("what", ["breakdown", "shares", "between-values", "heatmap", "ranks"])
def test_bins_of_what_is_no_number_are_refused_in_files(worded_study, what):
    with pytest.raises(CommandError) as refused:
        call_command("export", "numbered", what, "--query", "by=word&bins=4")
    assert (str(refused.value), refused.value.returncode) == (REFUSED, 2)


@pytest.mark.slow
def test_bins_of_what_is_no_number_are_refused_in_pictures_and_on_the_page(logged_in, worded_study, tmp_path):
    out = tmp_path / "a.svg"
    with pytest.raises(CommandError) as refused:
        call_command("figure", "numbered", "breakdown", "--query", "by=word&bins=4", out=out)
    assert (str(refused.value), refused.value.returncode, out.exists()) == (REFUSED, 2, False)
    response = page(logged_in, worded_study, "breakdown", by="word", bins="4")
    assert response.status_code == 400
    assert REFUSED in unescape(words(response))
    assert response.context["page"].selection.bins == ""


def test_a_study_without_a_number_has_no_bins(study):
    with pytest.raises(CommandError, match="bins cannot be '4' in a study without numeric attributes"):
        call_command("export", study.slug, "breakdown", "--query", "bins=4")


@pytest.mark.slow
def test_bins_of_no_attribute_by_name_are_of_a_number(logged_in, worded_study):
    shown = page(logged_in, worded_study, "breakdown", bins="2").context["page"]
    assert (shown.selection.by, [one.items for one in shown.figures["breakdown"]]) == ("intensity", [20, 20, 1])


@pytest.mark.slow
def test_the_form_leaves_the_bins_where_they_were_asked_for(logged_in, worded_study):
    asked = {"bins": "weak < 2, strong", "within": "weak", "taken_of": "intensity"}
    gone_on = page(logged_in, worded_study, "breakdown", by="word", **asked)
    assert gone_on.status_code == 200
    assert gone_on.context["page"].selection.bins == gone_on.context["page"].selection.within == ""
    stayed = page(logged_in, worded_study, "breakdown", by="intensity", **asked)
    assert stayed.context["page"].items == 20
    assert '<input type="hidden" name="taken_of" value="intensity" form="filters">' in stayed.content.decode()


@pytest.mark.slow
def test_a_bin_that_holds_no_item_has_no_line_and_is_named(logged_in, numbered_study):
    bins = "none < 0, weak < 2, strong < 50, huge"
    response = page(logged_in, numbered_study, "breakdown", by="intensity", bins=bins, open="all")
    shown = response.context["page"]
    assert [one.value for one in shown.figures["breakdown"]] == ["weak", "strong", "(none)"]
    assert (
        [one.value for one in shown.figures["shares"]]
        == list(shown.figures["heatmap"].rows)
        == ["weak", "strong", "(none)"]
    )
    assert "Empty bins: “none”, “huge”." in words(response)
    full = page(logged_in, numbered_study, "breakdown", by="intensity", bins="weak < 2, strong")
    assert "Empty bins" not in words(full)
    for what, column in (("breakdown", "value"), ("shares", "value"), ("heatmap", "row")):
        written = io.StringIO()
        call_command("export", "numbered", what, "--query", f"by=intensity&bins={bins}", stdout=written)
        found = {row[column] for row in csv.DictReader(io.StringIO(written.getvalue()))}
        assert found == {"weak", "strong", "(none)"}


def test_the_file_has_the_bins_of_the_page(numbered_study):
    written = io.StringIO()
    text = "by=intensity&bins=weak < 2, strong&against=reference"
    call_command("export", "numbered", "breakdown", "--query", text, stdout=written)
    rows = [row for row in csv.DictReader(io.StringIO(written.getvalue())) if row["rater"].startswith("owl")]
    found = [(row["value"], row["items"], row["count"]) for row in rows if row["against"] == "reference"]
    assert found == [("weak", "20", "20"), ("strong", "20", "0"), ("(none)", "1", "0")]
