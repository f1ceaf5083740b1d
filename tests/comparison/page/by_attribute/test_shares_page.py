"""Label shares on the page, in the file and by the command: the same figures, of whoever is asked for."""

import csv
import io

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from comparison.exports import export
from comparison.exports.cells import lines
from comparison.frame.filters.address import read_selection
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row

LESS, EQUAL = "less_likely", "equally_likely"


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def reference_study(db, tmp_path):
    """References, and nobody who has labeled: ten plain, four privative, six subsective."""
    classes = ["plain"] * 10 + ["privative"] * 4 + ["subsective"] * 6
    rows = [
        plausibility_row(n, reference=LESS if n % 2 else EQUAL, attributes={"class": one})
        for n, one in enumerate(classes, 1)
    ]
    return open_small_study(tmp_path / "reference", rows, slug="reference")


def test_a_study_with_references_alone_has_them(logged_in, reference_study):
    response = page(logged_in, reference_study, "breakdown", by="class")
    assert "Labels by class" in words(response)
    assert "The reference: which labels the items with each value have" in words(response)
    found = response.context["page"].by.shares
    assert [(one.value, one.labels) for one in found] == [("plain", 10), ("subsective", 6), ("privative", 4)]
    assert 'id="shares-chart"' in response.content.decode()


def test_values_are_taken_as_one_on_the_page_in_the_file_and_by_the_command(logged_in, reference_study):
    query = {"by": "class", "merged": ["plain", "privative"], "merged_as": "non-subsective"}
    response = page(logged_in, reference_study, "breakdown", **query)
    found = response.context["page"].by.shares
    assert [(one.value, one.labels, one.shares[1].count) for one in found] == [
        ("non-subsective", 14, 7),
        ("subsective", 6, 3),
    ]
    address = reverse("export", args=["reference", "shares"])
    downloaded = b"".join(logged_in.get(address, query).streaming_content).decode()
    written = io.StringIO()
    text = "by=class&merged=plain&merged=privative&merged_as=non-subsective"
    call_command("export", "reference", "shares", "--query", text, stdout=written)
    assert table(downloaded) == table(written.getvalue())
    merged = [row for row in table(downloaded) if row["value"] == "non-subsective"]
    assert [(row["label"], row["count"], row["n"]) for row in merged[:3]] == [
        ("impossible", "0", "14"),
        (LESS, "7", "14"),
        (EQUAL, "7", "14"),
    ]


def test_the_items_of_a_merged_value_can_be_asked_for(logged_in, reference_study):
    query = {"by": "class", "merged": ["plain", "privative"], "merged_as": "odd", "within": "odd"}
    assert page(logged_in, reference_study, "items", **query).context["page"].items == 14


def test_whose_labels_is_asked(logged_in, study):
    keys = [one.key for one in page(logged_in, study, "breakdown").context["page"].by.labelers]
    assert keys[:3] == ["majority", "labels", "reference"]
    for key in keys:
        assert page(logged_in, study, "breakdown", shares_of=key).context["page"].by.labeler.key == key
    of_all = page(logged_in, study, "breakdown", shares_of="labels").context["page"].by.shares
    assert sum(one.labels for one in of_all) == 15


def test_the_command_refuses_what_the_page_refuses(study):
    with pytest.raises(CommandError, match="by cannot be 'clas'; there is: class"):
        call_command("export", "small", "shares", "--query", "by=clas")
    with pytest.raises(CommandError, match="Not understood in --query: bye"):
        call_command("export", "small", "shares", "--query", "bye=class")


def test_every_attribute_and_everybody_is_in_the_file(study):
    rows = table("".join(lines(export("shares")(study, read_selection({})))))
    assert {row["labels_of"] for row in rows} >= {"people: all labels", "the reference", "parrot · label"}
    assert all(row["share"] or row["undefined"] for row in rows)
