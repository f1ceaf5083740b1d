"""Label shares on the page, in the file and by the command: the same figures, of whoever is asked for."""

import csv
import io
from html import unescape

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from comparison.exports.cells import lines
from comparison.exports.registry import export
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


@pytest.mark.slow
def test_a_study_with_references_alone_has_them(logged_in, reference_study):
    response = page(logged_in, reference_study, "breakdown", by="class")
    assert "Labels by class" in words(response)
    assert response.context["page"].labeler.short == "Reference"
    found = response.context["page"].figures["shares"]
    assert [(one.value, one.labels) for one in found] == [("plain", 10), ("subsective", 6), ("privative", 4)]
    assert [bar.name for bar in response.context["page"].by_value.labels.bars] == ["plain", "subsective", "privative"]
    assert "5 .5 [.2, .8]" in words(response), "how many stands beside the share"


@pytest.mark.slow
def test_values_are_taken_as_one_on_the_page_in_the_file_and_by_the_command(logged_in, reference_study):
    query = {"by": "class", "merged": ["plain", "privative"], "merged_as": "non-subsective"}
    response = page(logged_in, reference_study, "breakdown", **query)
    found = response.context["page"].figures["shares"]
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


REFUSED = "merged cannot be 'privativ'; values: plain, subsective, privative."


@pytest.mark.parametrize("by", ["by=class&", ""])
@pytest.mark.parametrize("what", ["shares", "breakdown", "between-values", "heatmap"])
def test_a_value_that_no_item_has_is_refused_by_name(logged_in, reference_study, what, by):
    with pytest.raises(CommandError) as refused:
        call_command("export", "reference", what, "--query", f"{by}merged=plain&merged=privativ")
    assert (str(refused.value), refused.value.returncode) == (REFUSED, 2)
    address = reverse("export", args=["reference", what])
    assert logged_in.get(f"{address}?{by}merged=plain&merged=privativ").status_code == 404


ALONE = "merged needs two or more values of one attribute, not 'plain' alone; values: "


@pytest.mark.parametrize("by", ["by=class&", ""])
@pytest.mark.parametrize("what", ["shares", "breakdown", "between-values", "heatmap"])
def test_one_value_alone_is_refused_since_nothing_is_merged(reference_study, what, by):
    with pytest.raises(CommandError) as refused:
        call_command("export", "reference", what, "--query", f"{by}merged=plain")
    assert (str(refused.value), refused.value.returncode) == (f"{ALONE}plain, subsective, privative.", 2)


@pytest.mark.slow
def test_values_of_two_attributes_are_not_one(logged_in, reference_study):
    for item in reference_study.items.filter(kind="target"):
        item.attributes |= {"half": "ab"[len(item.external_id) % 2]}
        item.save()
    with pytest.raises(CommandError, match="not 'plain' and 'a' alone; values: ") as refused:
        call_command("export", "reference", "shares", "--query", "merged=plain&merged=a")
    assert refused.value.returncode == 2
    response = page(logged_in, reference_study, "breakdown", by="class", merged=["plain"])
    assert response.status_code == 400
    assert ALONE in unescape(words(response))
    assert response.context["page"].selection.merged == ()


@pytest.mark.slow
def test_the_page_says_which_value_no_item_has(logged_in, reference_study):
    response = page(logged_in, reference_study, "breakdown", by="class", merged=["plain", "privativ"])
    assert response.status_code == 400
    assert REFUSED in unescape(words(response))


@pytest.mark.slow
def test_of_an_attribute_of_many_values_all_are_known_and_the_first_are_listed(db, tmp_path):
    rows = [plausibility_row(n, reference=LESS, attributes={"word": f"w{n}"}) for n in range(1, 131)]
    open_small_study(tmp_path / "many", rows, slug="many")
    written = io.StringIO()
    call_command("export", "many", "shares", "--query", "by=word&merged=w129&merged=w130", stdout=written)
    assert {row["n"] for row in table(written.getvalue()) if row["value"] == "w129 + w130"} == {"2"}
    for what in ("shares", "heatmap"):
        with pytest.raises(CommandError, match="merged cannot be 'x'; values: w1, .* and 30 more") as refused:
            call_command("export", "many", what, "--query", "by=word&merged=w129&merged=x")
        assert refused.value.returncode == 2


@pytest.mark.slow
def test_a_number_is_not_merged_and_values_of_another_attribute_stay_with_it(logged_in, reference_study):
    reference_study.numbers = ["weight"]
    reference_study.save()
    for place, item in enumerate(reference_study.items.filter(kind="target")):
        item.attributes |= {"weight": str(place % 4), "half": "ab"[place % 2]}
        item.save()
    with pytest.raises(CommandError, match="Values of 'weight' are numbers: use bins, not merged"):
        call_command("export", "reference", "shares", "--query", "by=weight&merged=1&merged=2")
    # The form of the page sends what was checked there, and the attribute that a reader has gone on to.
    for by in ("weight", "half"):
        chosen = {"by": by, "merged": ["plain", "privative"], "merged_as": "odd", "taken_of": "class"}
        assert page(logged_in, reference_study, "breakdown", **chosen).context["page"].selection.merged == ()
    asked = page(logged_in, reference_study, "breakdown", by="class", merged=["plain", "privative"], taken_of="class")
    assert asked.context["page"].selection.merged == ("plain", "privative")
    assert '<input type="hidden" name="taken_of" value="class" form="filters">' in asked.content.decode()


def test_an_attribute_that_a_regression_cannot_take_is_refused(logged_in, reference_study):
    for place, item in enumerate(reference_study.items.filter(kind="target")):
        item.attributes |= {"word": f"w{place}"}
        item.save()
    with pytest.raises(CommandError) as refused:
        call_command("export", "reference", "regression", "--query", "predictors=class&predictors=word")
    assert str(refused.value) == "predictors cannot be 'word'; choices: class."


@pytest.mark.slow
def test_the_items_of_a_merged_value_can_be_asked_for(logged_in, reference_study):
    query = {"by": "class", "merged": ["plain", "privative"], "merged_as": "odd", "within": "odd"}
    assert page(logged_in, reference_study, "items", **query).context["page"].items == 14


@pytest.mark.slow
def test_whose_labels_is_asked(logged_in, study):
    keys = [one.key for one in page(logged_in, study, "breakdown").context["page"].labelers]
    assert keys[:3] == ["majority", "labels", "reference"]
    for key in keys:
        assert page(logged_in, study, "breakdown", shares_of=key).context["page"].labeler.key == key
    of_all = page(logged_in, study, "breakdown", shares_of="labels").context["page"].figures["shares"]
    assert sum(one.labels for one in of_all) == 15


def test_the_command_refuses_what_the_page_refuses(study):
    with pytest.raises(CommandError, match="by cannot be 'clas'; choices: class"):
        call_command("export", "small", "shares", "--query", "by=clas")
    with pytest.raises(CommandError, match="Unknown in --query: bye"):
        call_command("export", "small", "shares", "--query", "bye=class")


def test_every_attribute_and_everybody_is_in_the_file(study):
    rows = table("".join(lines(export("shares")(study, read_selection({})))))
    assert {row["labels_of"] for row in rows} >= {"people: all labels", "the reference", "parrot · label"}
    assert all(row["share"] or row["undefined"] for row in rows)
