"""Problems that annotators report, on the study's page and on the item's: escaped, the newest first."""

import pytest
from django.urls import reverse

from annotation.assignment import start
from annotation.models import ItemReport, Study
from annotation.recording import report
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = pytest.mark.slow

WORDS = "<script>alert(1)</script>\nin two lines"
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;<br>in two lines"


@pytest.fixture
def asked(db, tmp_path) -> Study:
    rows, collection = plausibility_rows(2), {"labels_per_item": 30}
    return open_small_study(tmp_path, rows, slug="asked", collection=collection, page={"report_problem": True})


def say(study: Study, name: str, item: str, text: str) -> None:
    sitting = start(study, person(name))
    sitting.assignments.stamp_shown()
    report(sitting, sitting.assignments.get(item__external_id=item).position, text)


def page_of(client, *address: str) -> str:
    return str(client.get(reverse(address[0], args=address[1:])).content.decode())


def test_on_the_studys_page_and_the_items(client, asked):
    say(asked, "ann", "target-1", WORDS)
    say(asked, "bob", "target-2", "a word is missing")
    page = page_of(client, "study", asked.slug)
    assert "2 reports of 2" in " ".join(page.split())
    assert page.index("a word is missing") < page.index(ESCAPED)
    assert WORDS.splitlines()[0] not in page
    item = page_of(client, "comparison_item", asked.slug, "target-1")
    assert ESCAPED in item
    assert WORDS.splitlines()[0] not in item
    assert "a word is missing" not in item


def test_what_turns_the_direction_of_text_stays_within_the_report(client, asked):
    turned = "\u202eall of this runs backwards"
    say(asked, "ann", "target-1", turned)
    for page in (page_of(client, "study", asked.slug), page_of(client, "comparison_item", asked.slug, "target-1")):
        assert f"<bdi>{turned}</bdi>" in page


def test_of_many_the_newest_stand_there(client, asked):
    for number in range(25):
        say(asked, f"ann-{number}", "target-1", f"report {number};")
    page = page_of(client, "study", asked.slug)
    assert "the newest 20 are below" in page
    assert ("report 24;" in page, "report 5;" in page, "report 4;" in page) == (True, True, False)


def test_a_study_that_takes_none_says_nothing_of_it(client, study, asked):
    assert "Reported problems</h2>" not in page_of(client, "study", study.slug)
    assert "No one has reported a problem yet." in page_of(client, "study", asked.slug)
    assert not ItemReport.objects.exists()
