"""Two studies of the same items: figures by hand and by scipy, what each item's row says, and the files."""

import csv
import io

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.urls import reverse
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

from annotation.itemfile import ItemRow
from annotation.models import Study
from researcher.library import same_items
from tests.comparison.cast import give_labels
from tests.comparison.page.visiting import words
from tests.researcher.library.passages import ALONE, FULL, ITEMS, MODEL, NAMES, REFERENCE, SHARED, VALUES
from tests.studies import open_small_study

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_remembered():
    cache.clear()
    yield
    cache.clear()


def show(client, **query):
    return client.get(reverse("two_studies"), {"a": "with", "b": "without"} | query)


def test_figures_are_of_the_shared_items_and_paired(client, both):
    found = show(client).context["shared"].figures
    assert (found.items, found.referenced) == (ITEMS - 4, ITEMS - 4)
    people, owl = found.raters
    for rater, one, other in ((people, FULL, ALONE), (owl, MODEL["with"], MODEL["without"])):
        first, second = one[SHARED] == REFERENCE[SHARED], other[SHARED] == REFERENCE[SHARED]
        assert (rater.one.correct, rater.other.correct) == (first.sum(), second.sum())
        assert rater.one.compared == rater.other.compared == ITEMS - 4
        assert rater.difference.value == pytest.approx(first.mean() - second.mean())
        alone = int((first & ~second).sum()), int((~first & second).sum())
        assert (rater.paired.only_one, rater.paired.only_other) == alone
        assert rater.paired.p == pytest.approx(binomtest(min(alone), sum(alone)).pvalue)
        assert rater.same.correct == (one[SHARED] == other[SHARED]).sum()
        assert rater.kappa.value == pytest.approx(cohen_kappa_score(one[SHARED], other[SHARED]))
    assert found.persons[1].value == pytest.approx((ALONE[SHARED] == REFERENCE[SHARED]).mean())


def test_a_row_says_what_people_and_models_say_in_each(client, both):
    response = show(client)
    row = response.context["shared"].rows[0]
    assert row.item == "q0"
    assert [side.text for side in row.sides] == ["On q0. is it q0", "is it q0"]
    assert [side.majority for side in row.sides] == [VALUES[FULL[0]].capitalize(), VALUES[ALONE[0]].capitalize()]
    said = [VALUES[MODEL[name][0]].capitalize() for name in ("with", "without")]
    assert [side.runs for side in row.sides] == [(("owl · label", one),) for one in said]
    assert "Page 1 of 2" in words(response)
    assert len(show(client, page="2").context["shared"].rows) == ITEMS - 4 - 25
    assert show(client, page="99").context["shared"].page == 2


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 50, "\0"])
def test_a_page_that_is_no_number_is_not_there(client, both, page):
    assert show(client, page=page).status_code in (200, 404)
    assert client.get(reverse("two_studies_file", args=["items"]), {"a": page, "b": "with"}).status_code == 404


def test_one_assessor_s_label_is_set_beside_the_majority(client, both, tmp_path):
    one = open_small_study(
        tmp_path / "one", [ItemRow(name, {"question": f"is it {name}"}, reference=VALUES[REFERENCE[n]])
                           for n, name in enumerate(NAMES)],
        slug="one", task={"type": "yes_no"}, quality={"gold_distance": 1},
    )  # fmt: skip
    give_labels(one, [(name, "alone", VALUES[ALONE[n]]) for n, name in enumerate(NAMES)])
    people = show(client, b="one").context["shared"].figures.raters[0]
    assert people.name == "people · majority, or the one label"
    assert (people.other.correct, people.other.compared) == ((ALONE == REFERENCE).sum(), ITEMS)


def test_whose_labels_they_are_is_said(client, both, capsys):
    Study.objects.filter(slug="without").update(population="synthetic")
    people = show(client).context["shared"].figures.raters[0]
    assert people.name == "people and synthetic annotators · majority"
    assert people.is_people
    assert "one synthetic annotator (all labels)" in words(show(client))
    call_command("two_studies", "with", "without")
    single = [(row["of"], row["rater"]) for row in rows_of(capsys.readouterr().out) if row["rater"].startswith("one ")]
    assert single == [("with", "one person"), ("without", "one synthetic annotator")]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_files_are_those_of_the_commands(client, both, capsys):
    for what, more in (("items", ["--items"]), ("figures", [])):
        response = client.get(reverse("two_studies_file", args=[what]), {"a": "with", "b": "without"})
        text = b"".join(response.streaming_content).decode()
        call_command("two_studies", "with", "without", *more)
        assert rows_of(capsys.readouterr().out) == rows_of(text)
    figures = {(row["rater"], row["of"], row["statistic"]): row for row in rows_of(text)}
    assert figures["people · majority", "both", "accuracy_difference"]["n"] == str(ITEMS - 4)
    call_command("two_studies", "with", "without", "--items")
    items = rows_of(capsys.readouterr().out)
    assert [row["item"] for row in items] == NAMES[: ITEMS - 4]
    assert items[3]["majority:without"] == VALUES[ALONE[3]]
    assert items[3][f"labels:with:{VALUES[FULL[3]]}"] == "2"
    assert items[3]["decision:owl · label:with"] == VALUES[MODEL["with"][3]]


def test_large_studies_cost_a_page_and_show_what_the_command_has_computed(
    client, both, capsys, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr(same_items, "QUICK", 10)
    # Of each study's sizes and its runs, never of its items.
    with django_assert_max_num_queries(72):
        response = show(client)
    assert response.context["shared"].figures is None
    assert "manage.py two_studies with without" in words(response)
    assert len(response.context["shared"].rows) == 25
    assert client.get(reverse("two_studies_file", args=["figures"]), {"a": "with", "b": "without"}).status_code == 404
    call_command("two_studies", "with", "without")
    assert show(client).context["shared"].figures.items == ITEMS - 4


def test_studies_without_a_shared_item_say_so(client, both, tmp_path):
    open_small_study(
        tmp_path / "else", [ItemRow("else", {"question": "is it"})], slug="else", task={"type": "yes_no"},
        quality={"gold_distance": 1},
    )  # fmt: skip
    assert "share no item IDs, so items are not compared" in words(show(client, b="else"))
    with pytest.raises(CommandError, match="share item IDs"):
        call_command("two_studies", "with", "else")
