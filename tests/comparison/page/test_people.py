"""The People part: what it opens with, and who is named."""

import re

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotation.access.sharing import make_share
from comparison.page.drawn.by_label import by_label
from comparison.page.drawn.stacks import Stacks
from comparison.statistics.aggregation import agreement_counts
from tests.comparison.cast import give_labels
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row

LABELS = ("impossible", "less_likely", "equally_likely")


def crowd(tmp_path, *, odd):
    """Thirty items with five labels each; the fifth annotator is at odds with the others on `odd` items."""
    rows = [plausibility_row(number) for number in range(1, 31)]
    study = open_small_study(tmp_path / "crowd", rows, slug="crowd", collection={"labels_per_item": 5})
    given = []
    for place, row in enumerate(rows):
        right, wrong = LABELS[place % 3], LABELS[(place + 1) % 3]
        given += [(row.id, f"p{person}", right) for person in range(1, 5)]
        given.append((row.id, "p5", wrong if place < odd else right))
    give_labels(study, given)
    return study


@pytest.mark.slow
def test_it_opens_with_four_tiles(logged_in, study):
    response = page(logged_in, study, "people")
    html, found = response.content.decode(), response.context["page"]
    assert html.count('<div class="tile">') == 4
    assert found.people.tiles.gauge.value.number in html
    assert found.findings.ceiling.number in html
    assert "Agreement, six ways" in html


@pytest.mark.slow
def test_who_stands_out_is_named_and_leads_to_review(logged_in, db, tmp_path):
    response = page(logged_in, crowd(tmp_path, odd=28), "people")
    people = response.context["page"].people
    (name,) = [one for one, _ in people.outliers]
    assert re.search(
        rf"{name} \(\.07 \[\S+ \S+\]\) stands out, against \S+ on average\. Review this annotator", words(response)
    )
    assert f"{reverse('annotators', args=['crowd'])}?show=review" in response.content.decode()
    assert [row.name for row in people.between.rows if row.is_outlier] == [name]


@pytest.mark.slow
def test_nobody_is_named_where_all_agree_alike(logged_in, db, tmp_path):
    assert "No annotator is shown to stand out." in words(page(logged_in, crowd(tmp_path, odd=0), "people"))


@pytest.mark.slow
def test_a_shared_page_has_the_pictures_and_no_links_of_the_researcher(db, tmp_path, researcher):
    study = crowd(tmp_path, odd=28)
    _, token = make_share(study, name="readers", gives_files=False, by=researcher)
    html = Client().get(reverse("shared_part", args=[token, "people"])).content.decode()
    assert "stands out" in html
    assert "Agreement between annotators" in html
    for address in ("?show=review", "/planning/", "/annotators/", "Download this figure", "/docs/"):
        assert address not in html.partition("<main")[2], address


def by_label_of(counts: list[list[int]]) -> Stacks:
    found = by_label(agreement_counts(np.array(counts), ["yes", "no"]), {"yes": "Yes", "no": "No"}, people="people")
    assert found is not None
    return found


def test_the_least_unanimous_label_is_named_only_where_it_is_below_all():
    clear = by_label_of([[3, 0]] * 40 + [[1, 2]] * 20)
    assert clear.sentence.startswith("People are least unanimous on “No”: 0 of 20")
    alike = by_label_of([[3, 0]] * 4 + [[2, 1]] * 2 + [[0, 3]] * 3 + [[1, 2]] * 3)
    assert alike.sentence == "Unanimous on 50 % (“No”) to 67 % (“Yes”) of items."
    pairs = by_label_of([[2, 0]] * 4 + [[0, 2]] * 2 + [[1, 1]] * 3)
    assert pairs.sentence == "100 % of items with a majority are unanimous, whatever their label."


def test_a_label_that_is_nobodys_majority_has_no_bar():
    assert [bar.name for bar in by_label_of([[3, 0], [2, 1]]).bars] == ["Yes", "All labels"]


@pytest.mark.slow
def test_synthetic_annotators_are_called_so(logged_in, synthetic_study):
    said = words(page(logged_in, synthetic_study, "people"))
    assert "One synthetic annotator vs. the others" in said
    assert re.search(r"Agreement between annotators \d+ of \d+ synthetic annotators", said)
