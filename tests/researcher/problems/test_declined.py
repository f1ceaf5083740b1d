"""What annotators cannot judge, as researchers see it: on the study's page, the item's, and in the exports."""

import pytest
from django.urls import reverse

from annotation.assignment import start
from annotation.models import Study
from annotation.quality.exclusion import exclude
from annotation.recording import record
from comparison.exports.cells import lines
from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from comparison.frame.reading import people_frame
from researcher.collecting.page import read_declined
from researcher.collecting.totals import read_collection
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = pytest.mark.slow


@pytest.fixture
def asked(db, tmp_path) -> Study:
    return open_small_study(
        tmp_path,
        plausibility_rows(3),
        slug="asked",
        collection={"labels_per_item": 5},
        page={"cannot_judge": True},
    )


def walk(study: Study, name: str, *, declining: set[str]) -> None:
    """A whole sitting in which these items cannot be judged."""
    sitting = start(study, person(name))
    while (current := sitting.current()) is not None:
        record(sitting, current.position, None if current.item.external_id in declining else "impossible")


def text_of(client, *address: str) -> str:
    return " ".join(client.get(reverse(address[0], args=address[1:])).content.decode().split())


def test_items_that_several_could_not_judge_are_listed(client, asked):
    walk(asked, "ann", declining={"target-1", "target-2"})
    walk(asked, "bob", declining={"target-1"})
    walk(asked, "cy", declining=set())
    found = read_declined(asked)
    assert found is not None
    assert (found.times, found.annotators, found.items) == (3, 2, 2)
    assert [(one.item.external_id, one.annotators) for one in found.often] == [("target-1", 2)]
    page = text_of(client, "study", asked.slug)
    assert "“I cannot judge this item” 3 times, by 2 annotators, on 2 items." in page
    assert '<td class="number">1 of 5</td>' in page


def test_whoever_is_excluded_is_left_out(asked):
    walk(asked, "ann", declining={"target-1"})
    walk(asked, "bob", declining={"target-1"})
    exclude(asked, person("bob"), rule="researcher", evidence={"reason": "", "by": "", "attention": [], "gold": []})
    found = read_declined(asked)
    assert found is not None
    assert (found.times, found.often) == (1, ())


def test_a_study_that_never_asked_says_nothing_of_it(client, study, asked):
    assert read_declined(study) is None
    assert "Skipped items" not in text_of(client, "study", study.slug)
    assert "No one has skipped an item yet." in text_of(client, "study", asked.slug)


def test_the_page_costs_the_same_for_any_number(asked, django_assert_num_queries):
    for name in ("ann", "bob", "cy"):
        walk(asked, name, declining={"target-1", "target-2", "target-3"})
    with django_assert_num_queries(3):
        read_declined(asked)


def test_the_items_page_and_the_export_have_every_one(client, asked):
    walk(asked, "ann", declining={"target-1"})
    page = text_of(client, "comparison_item", asked.slug, "target-1")
    assert '<td class="people">cannot judge</td>' in page
    assert "the annotator cannot judge the item" in page
    written = "".join(lines(export("judgments")(asked, Selection()))).splitlines()
    (line,) = (line for line in written if ",target-1," in line)
    assert ",,,declined,false," in line


def test_no_figure_has_it(asked):
    walk(asked, "ann", declining={"target-1"})
    assert list(people_frame(asked)["item"]) == ["target-2", "target-3"]
    assert [(day.labels, day.counted) for day in read_collection(asked).days] == [(2, 2)]
