"""Rewording items on the researcher's pages: what is kept, what is refused, and what loading the folder again does."""

from dataclasses import replace
from pathlib import Path

import pytest
from django.urls import reverse

from annotation.drafting.items import DraftRefused, revise
from annotation.itemfile import ItemRow, write_items
from annotation.loading import load_study
from annotation.models import Item, ItemRevision, Study
from researcher.studies.runs import read_runs
from scoring.models import Score
from tests.browser import faults, log_in
from tests.comparison.cast import give_labels, give_run
from tests.studies import write_study

TASK = {"type": "forced_choice", "question": "Which word fits better?", "options": ["intensifier", "negation"]}
FLAG = "be, been or being before the slot"


def row(identity: str, sentence: str, negation: str = "natural", *, revise: str = "", **more: str) -> ItemRow:
    content = {"sentence": sentence, "options": {"intensifier": "really", "negation": "not"}, **more}
    attributes = {"adverb": "really", "negation": negation}
    return ItemRow(identity, content, reference="intensifier", attributes=attributes, revise=revise)


ROWS = [
    row("really-cold", "The lake would be ____ cold.", FLAG, revise=FLAG, context="We asked for advice."),
    row("really-late", "The bus is ____ late."),
    row("really-tired", "She looked ____ tired.", revise="another verb than be"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    quality = {"gold_distance": 1}
    return write_study(tmp_path / "lake", ROWS, slug="lake", task=TASK, quality=quality)


@pytest.fixture
def lake(db, folder) -> Study:
    return load_study(folder).study


def item(study: Study, name: str = "really-cold") -> Item:
    return study.items.get(external_id=name)


def address(study: Study, name: str = "really-cold") -> str:
    return reverse("revision", args=[study.slug, name])


def filled(study: Study, name: str = "really-cold", **changes: str) -> dict[str, str]:
    found = item(study, name)
    given = {"seen": found.content_hash, "context": found.content.get("context", ""), "reason": ""}
    given |= {"sentence": found.content["sentence"], "neutral": ""}
    given |= {f"options.{role}": text for role, text in found.content["options"].items()}
    return given | changes


REWORDED = {"sentence": "The lake is ____ cold.", "reason": "not be"}


class TestSaving:
    def test_original_revision_editor_and_reason_are_kept(self, client, researcher, lake):
        answer = client.post(address(lake), filled(lake, **REWORDED))
        assert answer.status_code == 302
        made = ItemRevision.objects.get()
        assert (made.study, made.external_id, made.editor, made.reason) == (lake, "really-cold", researcher, "not be")
        assert made.before == ROWS[0].content
        assert made.after == ROWS[0].content | {"sentence": "The lake is ____ cold."}
        assert item(lake).content == made.after
        assert made.has_changed_it
        assert not lake.items.to_revise().filter(external_id="really-cold").exists()
        assert (item(lake).attributes, item(lake).revise) == (ROWS[0].attributes, FLAG)

    def test_line_breaks_stay_where_only_a_word_changes(self, client, lake):
        broken = "A: Is it cold?\n\nB: It is ____ cold."
        client.post(address(lake), filled(lake, sentence=broken.replace("\n", "\r\n")))
        assert item(lake).content["sentence"] == broken

    def test_the_next_flagged_item_comes_after_it_and_then_the_list(self, client, lake):
        answer = client.post(address(lake), filled(lake, **REWORDED))
        assert answer.headers["Location"] == address(lake, "really-tired")
        answer = client.post(address(lake, "really-tired"), filled(lake, "really-tired") | {"keep": "1"})
        assert answer.headers["Location"] == reverse("revisions", args=["lake"])
        assert not lake.items.to_revise().exists()

    def test_nothing_to_change_is_a_decision_that_is_kept(self, client, lake):
        before = item(lake)
        client.post(address(lake), filled(lake) | {"keep": "1", "reason": "sounds right to me"})
        made = ItemRevision.objects.get()
        assert made.before == made.after == before.content
        assert not made.has_changed_it
        assert item(lake).pk == before.pk
        assert not lake.items.to_revise().filter(external_id="really-cold").exists()
        assert (item(lake).attributes, item(lake).revise) == (ROWS[0].attributes, FLAG)

    def test_scores_of_the_old_words_go_and_others_stay(self, client, lake):
        give_run(lake, [(row.id, "intensifier", 1.0, "") for row in ROWS], key="parrot")
        client.post(address(lake), filled(lake, **REWORDED))
        assert set(Score.objects.values_list("item__external_id", flat=True)) == {"really-late", "really-tired"}
        (line,) = read_runs(lake)
        assert (line.run.scored, line.run.unscored, line.run.total) == (2, 0, 3)

    def test_an_item_keeps_its_place_and_a_revision_is_never_rewritten(self, client, lake):
        position, key = item(lake).position, item(lake).random_key
        client.post(address(lake), filled(lake, **REWORDED))
        assert (item(lake).position, item(lake).random_key) == (position, key)
        made = ItemRevision.objects.get()
        made.reason = "another"
        with pytest.raises(TypeError, match="never changed"):
            made.save()

    def test_an_empty_context_is_left_out(self, client, lake):
        client.post(address(lake), filled(lake, **REWORDED, context="  "))
        assert "context" not in item(lake).content


class TestRefused:
    @pytest.mark.slow
    def test_an_item_that_was_shown(self, client, lake, folder):
        load_study(folder, open_study=True)
        give_labels(lake, [("really-cold", "p1", "negation")])
        assert "Annotators have seen this item" in client.get(address(lake)).content.decode()
        answer = client.post(address(lake), filled(lake, **REWORDED))
        assert answer.status_code == 422
        assert item(lake).content == ROWS[0].content
        assert not ItemRevision.objects.exists()

    def test_content_that_the_task_type_refuses_and_what_was_typed_stays(self, client, lake):
        answer = client.post(address(lake), filled(lake, sentence="The lake is cold."))
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "must have exactly one slot" in page
        assert "The lake is cold." in page
        assert item(lake).content == ROWS[0].content
        assert not ItemRevision.objects.exists()

    def test_an_item_that_someone_else_changed_meanwhile(self, client, partner, lake):
        stale = filled(lake, **REWORDED)
        partner.post(address(lake), filled(lake, sentence="The lake was ____ cold."))
        answer = client.post(address(lake), stale)
        assert "Someone changed this item" in answer.content.decode()
        assert item(lake).content["sentence"] == "The lake was ____ cold."
        assert ItemRevision.objects.count() == 1

    def test_by_the_flow_itself(self, lake, researcher):
        found = item(lake)
        with pytest.raises(DraftRefused) as caught:
            revise(found, {"sentence": "No slot."}, seen=found.content_hash, editor=researcher, reason="")
        assert {fault.field for fault in caught.value.faults} == {"sentence", "options"}

    def test_an_item_that_is_not_there(self, client, lake):
        assert client.get(reverse("revision", args=["lake", "no-such"])).status_code == 404
        assert client.get(reverse("revision", args=["lake", "a\x00b"])).status_code == 404


class TestLoadingAgain:
    def test_undoes_no_revision(self, client, lake, folder):
        client.post(address(lake), filled(lake, **REWORDED))
        client.post(address(lake, "really-tired"), filled(lake, "really-tired") | {"keep": "1"})
        loaded = load_study(folder)
        assert (loaded.added, loaded.changed, loaded.unchanged) == (0, 0, 3)
        assert item(lake).content["sentence"] == "The lake is ____ cold."
        assert not lake.items.to_revise().exists()

    def test_a_second_revision_holds_as_well(self, client, lake, folder):
        client.post(address(lake), filled(lake, **REWORDED))
        client.post(address(lake), filled(lake, sentence="This lake is ____ cold."))
        assert load_study(folder).changed == 0
        assert item(lake).content["sentence"] == "This lake is ____ cold."

    def test_a_row_that_the_file_has_changed_counts_as_the_file_says(self, client, lake, folder):
        client.post(address(lake), filled(lake, **REWORDED))
        changed = [row("really-cold", "The sea is ____ cold.", revise=FLAG), *ROWS[1:]]
        write_items(folder / "items.jsonl", changed)
        assert load_study(folder).changed == 1
        assert item(lake).content["sentence"] == "The sea is ____ cold."
        assert lake.items.to_revise().filter(external_id="really-cold").exists()

    def test_a_flag_that_the_file_gives_or_takes_counts_at_once(self, lake, folder):
        write_items(folder / "items.jsonl", [replace(ROWS[0], revise=""), replace(ROWS[1], revise="a slip"), ROWS[2]])
        before = {one.external_id: one.pk for one in lake.items.all()}
        assert load_study(folder).changed == 2
        assert [one.external_id for one in lake.items.to_revise()] == ["really-late", "really-tired"]
        assert {one.external_id: one.pk for one in lake.items.all()} == before

    def test_a_decision_holds_whatever_the_order_of_the_parts(self, lake, folder, researcher):
        found = item(lake)
        turned = dict(reversed(found.content.items()))
        assert not revise(found, turned, seen=found.content_hash, editor=researcher, reason="").has_changed_it
        write_items(folder / "items.jsonl", [replace(ROWS[0], content=turned), *ROWS[1:]])
        load_study(folder)
        assert [one.external_id for one in lake.items.to_revise()] == ["really-tired"]


class TestPages:
    @pytest.mark.slow
    def test_the_study_page_says_how_many(self, client, lake):
        page = client.get(reverse("study", args=["lake"])).content.decode()
        assert "Revisions" in page
        assert reverse("revisions", args=["lake"]) in page

    @pytest.mark.slow
    def test_a_study_without_flags_does_not_speak_of_it(self, client, draft):
        assert "Revisions" not in client.get(reverse("study", args=[draft.slug])).content.decode()

    def test_the_list_has_flagged_items_and_what_was_done(self, client, lake):
        client.post(address(lake), filled(lake, **REWORDED))
        page = client.get(reverse("revisions", args=["lake"])).content.decode()
        assert "another verb than be" in page
        assert "1 flagged" in page
        assert "would be [really / not] cold" in page
        assert "lake is [really / not] cold" in page
        assert "rosa" in page

    @pytest.mark.slow
    def test_any_item_can_be_reworded_from_its_own_page(self, client, lake):
        page = client.get(reverse("comparison_item", args=["lake", "really-late"])).content.decode()
        assert address(lake, "really-late") in page
        answer = client.post(address(lake, "really-late"), filled(lake, "really-late", sentence="It is ____ late."))
        assert answer.status_code == 302
        assert item(lake, "really-late").attributes["negation"] == "natural"

    @pytest.mark.slow
    def test_an_attribute_that_reads_like_a_mark_is_only_an_attribute(self, client, db, tmp_path):
        marked = {"adverb": "really", "negation": "revise: the whole budget"}
        rows = [replace(one, revise="", attributes=marked) for one in ROWS]
        quality = {"gold_distance": 1}
        other = load_study(write_study(tmp_path / "other", rows, slug="other", task=TASK, quality=quality)).study
        assert "Revisions" not in client.get(reverse("study", args=["other"])).content.decode()
        client.post(address(other), filled(other, **REWORDED))
        assert item(other).attributes["negation"] == "revise: the whole budget"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
class TestBrowser:
    def test_rewording_without_javascript(self, open_page, live_server, researcher, lake):
        page = open_page(java_script_enabled=False)
        log_in(page, live_server, reverse("study", args=["lake"]))
        page.get_by_role("link", name="Revisions").click()
        page.get_by_role("link", name="Revise really-cold").click()
        page.get_by_label("Sentence").fill("The lake is ____ cold.")
        page.get_by_role("button", name="Save and next").click()
        page.get_by_role("heading", name="Revise really-tired").wait_for()
        assert item(lake).content["sentence"] == "The lake is ____ cold."

    def test_pages_are_accessible_and_fit(self, browser_page, live_server, client, lake):
        client.post(address(lake), filled(lake, **REWORDED))
        addresses = [reverse("study", args=["lake"]), reverse("revisions", args=["lake"])]
        addresses += [address(lake), address(lake, "really-tired")]
        log_in(browser_page, live_server)
        for one in addresses:
            browser_page.goto(live_server.url + one)
            assert faults(browser_page) == [], one
