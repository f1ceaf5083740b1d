"""The rail of a study: which pages each role may open, where a reader is, and what waits."""

import pytest
from django.test import Client
from django.urls import resolve, reverse

from annotation.access.matrix import Right, Role, rights_of
from annotation.models import Study
from comparison.frame.cache.gathered import read_one
from researcher.rail import PAGES, Part, rail, shared_rail
from researcher.studies.waiting import Waiting
from tests.comparison.cast import give_labels
from tests.house.walk.rights import IN_A_STUDY
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def soup(tmp_path) -> Study:
    return open_small_study(tmp_path, plausibility_rows(2), slug="soup")


def shown(study: Study, address: str, rights: frozenset[Right] = frozenset(Right)):
    return rail(study, resolve(address), rights, Waiting(study, rights))


def test_each_page_asks_for_the_right_that_its_address_does():
    assert {page.at: page.right for page in PAGES} == {page.at: IN_A_STUDY[page.at][0] for page in PAGES}


def test_every_address_with_a_page_of_a_study_is_in_the_rail(soup):
    looked_at = {name for name, (right, _) in IN_A_STUDY.items() if right is not None}
    files = {name for name in looked_at if name.endswith(("_file", "_folder", "_hash", "_text"))}
    files |= {"figure", "made_figure", "dataset", "export", "export of people"}
    held = {name for page in PAGES for name in (page.at, *page.holds)}
    assert looked_at - files - held == set()


def test_an_analyst_sees_no_setup_and_no_payment(soup):
    found = shown(soup, reverse("study", args=["soup"]), rights_of(Role.ANALYST))
    assert [one.name for one in found.sections] == [Part.COLLECT, Part.RUNS, Part.RESULTS, Part.TEAM]
    assert [line.name for line in found.sections[0].lines] == ["Overview", "Annotators"]


@pytest.mark.parametrize(
    ("name", "args", "part", "page", "heading"),
    [
        ("study", [], Part.COLLECT, "Overview", "Collect"),
        ("results", [], Part.RESULTS, "Overview", "Results"),
        ("results", ["people"], Part.RESULTS, "People", "People"),
        ("two_runs", [], Part.RESULTS, "Models", "Models"),
        ("comparison_item", ["target-1"], Part.RESULTS, "Items", "Items"),
        ("setup_row", ["comprehension", 1], Part.SETUP, "Comprehension questions", "Comprehension questions"),
        ("run", [1], Part.RUNS, "All runs", "Runs"),
        ("runs_new", [], Part.RUNS, "Start runs", "Start runs"),
    ],
)
def test_a_reader_is_at_one_page(soup, name, args, part, page, heading):
    found = shown(soup, reverse(name, args=["soup", *args]))
    at = [(one.name, line.name) for one in found.sections for line in one.lines if line.is_here]
    assert at == [(part, page)]
    assert found.heading == heading
    assert [one.name for one in found.sections if one.lines] == [part], "only the part that one is in unfolds"


def test_setup_has_four_groups(soup):
    lines = shown(soup, reverse("setup", args=["soup"])).sections[0].lines
    assert [line.begins for line in lines if line.begins] == [
        "What people see",
        "Items and labels",
        "Recruitment",
        "Models",
    ]


def test_counts_stand_beside_the_pages_and_say_what_waits(soup):
    labels = ("impossible", "less_likely", "equally_likely")
    give_labels(soup, [("target-1", f"p{one}", label) for one, label in enumerate(labels)])
    found = shown(soup, reverse("study", args=["soup"]))
    assert [(one.name, one.count) for one in found.sections if one.count != ""] == [("Collect", "50%")]
    lines = {line.name: (line.count, line.waits) for line in found.sections[1].lines}
    assert lines["Adjudication"] == (1, True)
    assert lines["Annotators"] == (3, False)
    assert lines["Payment"] == ("", True), "nobody is paid"


def test_nothing_waits_for_one_who_may_not_see_to_it(soup):
    labels = ("impossible", "less_likely", "equally_likely")
    give_labels(soup, [("target-1", f"p{one}", label) for one, label in enumerate(labels)])
    assert (Waiting(soup, frozenset(Right)).ties, Waiting(soup, frozenset()).ties) == (1, 0)


def test_a_rail_counts_only_what_it_shows(soup, django_assert_num_queries):
    gathered = read_one(soup)
    with django_assert_num_queries(0):
        rail(
            soup,
            resolve(reverse("results", args=["soup"])),
            frozenset(Right),
            Waiting(soup, frozenset(Right), gathered),
        )


def test_a_shared_rail_has_the_results_alone():
    found = shared_rail([("overview", "Overview", "/shared/t/"), ("people", "People", "/shared/t/people/")], "people")
    assert [(one.name, one.address) for one in found.sections] == [("Results", "/shared/t/")]
    assert [(line.address, line.is_here) for line in found.sections[0].lines] == [
        ("/shared/t/", False),
        ("/shared/t/people/", True),
    ]


def test_a_page_has_one_heading_and_says_where_it_is(soup, admin_client: Client):
    page = admin_client.get(reverse("members", args=["soup"])).content.decode()
    assert page.count("<h1>") == 1
    assert "<h1>Members</h1>" in page
