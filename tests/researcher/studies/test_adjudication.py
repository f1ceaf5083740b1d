"""The page for items without agreement: labels without names, a decision with a note, one item after the other."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.models import Adjudication, Study
from tests.browser import faults, log_in
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import file_rows
from tests.studies import declare, open_small_study, plausibility_rows

ROLES = ["intensifier", "negation"]
TASK = {"type": "forced_choice", "question": "Which word fits better?", "options": ROLES}


def row(number: int) -> ItemRow:
    words = {"intensifier": f"really{number}", "negation": "not"}
    content = {"context": "They came late.", "sentence": f"Soup {number} was ____ cold.", "options": words}
    return ItemRow(f"soup-{number}", content, reference="negation")


@pytest.fixture
def soup(db, tmp_path) -> Study:
    """Two annotators disagree on soups 1, 2 and 4, and agree on 3; a model has answered everything."""
    asked = {"labels_per_item": 2}
    rows = [row(number) for number in range(1, 5)]
    study = open_small_study(tmp_path, rows, slug="soup", task=TASK, collection=asked, quality={"gold_distance": 1})
    labels = [(f"soup-{number}", "platform-id-of-ann", "intensifier") for number in range(1, 5)]
    labels += [(f"soup-{n}", "platform-id-of-bob", "intensifier" if n == 3 else "negation") for n in range(1, 5)]
    give_labels(study, labels)
    give_run(study, [(one.id, "intensifier", 1.0, "") for one in rows], key="parrot")
    return study


def address(**query: str) -> str:
    return reverse("adjudication", args=["soup"], query=query)


def page_of(client, **query: str) -> str:
    return str(client.get(address(**query)).content.decode())


def decide(client, name: str, decision: str = "label:negation", **more):
    return client.post(address(item=name), {"decision": decision, "note": "", "seen": "", **more})


class TestShown:
    def test_the_item_as_annotators_saw_it_and_how_its_labels_fell(self, client, soup):
        page = page_of(client)
        for text in ("soup-1", "They came late.", "really1", "Which word fits better?", "Item 1 of 3"):
            assert text in page
        assert page.count("1 label</span>") == 2

    def test_nobody_who_labeled_no_model_and_no_reference(self, client, soup):
        page = page_of(client)
        assert "platform-id" not in page
        assert "parrot" not in page
        assert "eference:" not in page

    @pytest.mark.slow
    def test_options_stand_in_one_order_whatever_the_labels(self, client, soup):
        for name in ("soup-1", "soup-2", "soup-4"):
            page = page_of(client, item=name)
            assert page.index('value="label:intensifier"') < page.index('value="label:negation"')

    def test_previous_and_next_go_through_the_list(self, client, soup):
        page = page_of(client, item="soup-2")
        assert 'rel="prev" href="?item=soup-1"' in page
        assert 'rel="next" href="?item=soup-4"' in page

    @pytest.mark.slow
    def test_a_share_lists_others_too_and_stays_in_the_addresses(self, client, soup):
        declare(soup, labels_per_item=3)
        soup.items.filter(external_id="soup-3").update(target=3, counted=3, tally={"intensifier": 2, "negation": 1})
        assert client.get(address(item="soup-3")).status_code == 404
        page = page_of(client, item="soup-3", under="70")
        assert "2 labels</span>" in page
        assert 'value="70"' in page
        assert "under=70" in decide_under(client, "soup-3").headers["Location"]

    def test_an_item_with_a_majority_or_none_at_all_is_not_here(self, client, soup):
        for name in ("soup-3", "no-such", "a\x00b"):
            assert client.get(address(item=name)).status_code in (200, 404)
        assert client.get(address(item="soup-3")).status_code == 404

    @pytest.mark.parametrize("under", ["x", "-1", "nan", "1e999"])
    def test_a_share_that_is_none_is_left_out(self, client, soup, under):
        assert "Item 1 of 3" in page_of(client, under=under)

    def test_nothing_to_decide(self, client, db, tmp_path):
        open_small_study(tmp_path, plausibility_rows(2), slug="soup")
        assert "will appear here" in page_of(client)


def decide_under(client, name: str):
    posted = {"decision": "label:negation", "note": "", "seen": ""}
    return client.post(address(item=name, under="70"), posted)


class TestDeciding:
    @pytest.mark.slow
    def test_it_is_stored_and_the_next_without_a_decision_comes(self, client, researcher, soup):
        answer = decide(client, "soup-2", note=" two readings ")
        assert answer.headers["Location"] == address(item="soup-4")
        made = Adjudication.objects.get()
        assert (made.item.external_id, made.decision, made.note) == ("soup-2", "negation", "two readings")
        assert (made.by, made.tally) == (researcher, {"intensifier": 1, "negation": 1})
        assert decide(client, "soup-4", "undecidable").headers["Location"] == address(item="soup-1")
        assert Adjudication.objects.get(item__external_id="soup-4").decision == ""
        page = page_of(client)
        assert "2 of 3" in page
        assert "soup-1" in page

    @pytest.mark.slow
    def test_a_decision_can_be_changed_and_the_earlier_one_stays_to_be_seen(self, client, soup):
        decide(client, "soup-1")
        first = Adjudication.objects.get()
        page = page_of(client, item="soup-1")
        assert 'value="label:negation" required checked' in page
        decide(client, "soup-1", "undecidable", seen=first.pk)
        page = page_of(client, item="soup-1")
        assert "1 earlier decision" in page
        assert 'value="undecidable" required checked' in page

    @pytest.mark.slow
    def test_two_at_once_are_told_and_what_was_typed_stays(self, client, partner, soup):
        decide(partner, "soup-1")
        answer = decide(client, "soup-1", "label:intensifier", note="mine")
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "Someone adjudicated this item" in page
        assert "mine</textarea>" in page
        assert 'value="label:intensifier" required checked' in page
        assert Adjudication.objects.get().decision == "negation"

    @pytest.mark.parametrize("decision", ["", "label:maybe", "label:"])
    def test_no_choice_and_an_unknown_one(self, client, soup, decision):
        answer = decide(client, "soup-1", decision)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.content.decode()
        assert not Adjudication.objects.exists()

    @pytest.mark.slow
    def test_the_study_page_says_how_many_are_left(self, client, soup):
        decide(client, "soup-1")
        page = client.get(reverse("study", args=["soup"])).content.decode()
        assert "Adjudicate 2 items</a>" in page
        assert address() in page

    def test_the_download_has_every_decision_and_says_which_stands(self, client, soup):
        decide(client, "soup-1", note="=sum")
        decide(client, "soup-1", "undecidable", seen=Adjudication.objects.get().pk)
        rows = file_rows(client, "soup", "adjudications")
        cells = [(one["item"], one["decision"], one["undecidable"], one["stands"], one["by"]) for one in rows]
        assert cells == [("soup-1", "negation", "false", "false", "rosa"), ("soup-1", "", "true", "true", "rosa")]
        assert rows[0]["note"] == "'=sum"
        assert rows[0]["labels:negation"] == "1"

    @pytest.mark.slow
    def test_queries_do_not_grow_with_the_items(self, client, soup, tmp_path):
        def queries() -> int:
            with CaptureQueriesContext(connection) as caught:
                client.get(address())
            return len(caught)

        page_of(client)
        few = queries()
        asked = {"labels_per_item": 2}
        rows = [row(number) for number in range(1, 60)]
        open_small_study(tmp_path, rows, slug="soup", task=TASK, collection=asked, quality={"gold_distance": 1})
        soup.items.filter(counted=0).update(counted=2, tally={"intensifier": 1, "negation": 1})
        assert "of 58" in page_of(client)
        assert queries() == few


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
class TestBrowser:
    def test_by_keyboard_without_javascript(self, open_page, live_server, researcher, soup):
        page = open_page(java_script_enabled=False)
        log_in(page, live_server, reverse("study", args=["soup"]))
        page.get_by_role("link", name="Adjudicate 3 items").press("Enter")
        page.locator("input[name=decision]").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="soup-2").wait_for()
        assert Adjudication.objects.get().decision == "negation"

    def test_it_is_accessible_and_fits(self, browser_page, live_server, client, soup):
        decide(client, "soup-1", note="a note")
        decide(client, "soup-1", "undecidable", seen=Adjudication.objects.get().pk)
        log_in(browser_page, live_server)
        for one in (address(item="soup-1"), address(item="soup-2", under="100"), reverse("study", args=["soup"])):
            browser_page.goto(live_server.url + one)
            assert faults(browser_page) == [], one
