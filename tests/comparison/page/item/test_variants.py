"""The page of an item's variants: four studies of one question side by side, exchanged words marked."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.models import Item
from comparison.page.item.variants import REDACTED, Variant, marked
from stimuli.constructions.altboolq import documents
from tests.browser import PHONE, serious_violations
from tests.browser import logged_in as in_browser
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import words
from tests.studies import open_small_study

PASSAGE = "The king is a ruler. Every king needs a lamp."
SHOWN = {
    "boolq": ("BoolQ", "is the king a ruler", PASSAGE),
    "qboolq": ("QBoolQ", "is the king a ruler", None),
    "maskedboolq": ("MaskedBoolQ", "is the redacted a ruler", PASSAGE.replace("king", "redacted")),
    "altboolq": ("AltBoolQ", "is the oven a ruler", PASSAGE.replace("king", "oven").replace("a lamp", "an egg")),
}


@pytest.fixture
def variants(db, tmp_path):
    made = {}
    for key, (name, question, passage) in SHOWN.items():
        rows = [
            ItemRow(
                f"q{at}",
                {"question": question} | ({"passage": passage} if passage else {}),
                reference="yes",
                attributes={"variant": name},
            )
            for at in (1, 2, 3)
        ]
        options = {"slug": f"ab-{key}", "task": {"type": "yes_no"}, "quality": {"gold_distance": 1}}
        made[key] = open_small_study(tmp_path / key, rows, **options)
    give_labels(made["altboolq"], [("q2", "a", "yes"), ("q2", "b", "no"), ("q2", "c", "no")])
    give_run(made["boolq"], [("q2", "yes", 1.0, "")], key="tiny")
    give_run(made["altboolq"], [("q2", "no", -1.0, "")], key="tiny")
    other = [ItemRow("q2", {"question": "is it one of them"}, attributes={"variant": "other"})]
    for slug in ("ac-boolq", "ab-more-boolq"):
        open_small_study(tmp_path / slug, other, slug=slug, task={"type": "yes_no"}, quality={"gold_distance": 1})
    return made


def page(client, slug="ab-altboolq", item="q2"):
    return client.get(reverse("variants", args=[slug, item]))


def test_exchanged_words_are_marked_where_they_stand():
    pieces = marked("an egg, an oven", "a lamp, a king")
    assert "".join(piece.text for piece in pieces) == "an egg, an oven"
    assert [piece.text for piece in pieces if piece.is_changed] == ["an", "egg", "an", "oven"]
    assert [piece.text for piece in marked("one more word here", "one word here") if piece.is_changed] == ["more"]
    assert not any(piece.is_changed for piece in marked("the same", "the same"))


def test_what_was_taken_out_is_what_the_construction_writes():
    assert REDACTED == documents.REDACTED


def test_words_redacted_and_exchanged_are_counted_apart_and_articles_go_with_them():
    before, after = "The king is an old ruler.", "The redacted is a new redacted."
    found = Variant(Item(), (("passage", marked(after, before)), ("question", marked("Redacted it is", "King it is"))))
    assert found.changed == (("exchanged", 1), ("redacted", 3))


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["ab-boolq", "ab-altboolq"])
def test_all_four_stand_side_by_side_from_whichever_one_comes(logged_in, variants, slug):
    response = page(logged_in, slug)
    found = response.context["found"]
    assert [one.name for one in found.variants] == ["BoolQ", "QBoolQ", "MaskedBoolQ", "AltBoolQ"]
    assert [one.changed for one in found.variants] == [(), (), (("redacted", 3),), (("exchanged", 4),)]
    said = words(response)
    assert "The ab-maskedboolq study · 3 words redacted" in said
    assert "The ab-altboolq study · 4 words exchanged" in said
    html = response.content.decode()
    assert html.count("<mark>oven</mark>") == html.count("<mark>redacted</mark>") == 3
    assert "<mark>an</mark> <mark>egg</mark>" in html
    assert (found.before, found.after) == ("q1", "q3")


@pytest.mark.slow
def test_answers_stand_below_the_variant_they_are_of(logged_in, variants):
    response = page(logged_in)
    assert response.context["found"].lines[0].rater == "People"
    said = words(response)
    assert "People no labels yet no labels yet no labels yet No, 2 of 3 wrong" in said
    assert "Yes right no run here no run here No wrong" in said
    assert "Reference Yes Yes Yes Yes" in said


@pytest.mark.slow
def test_the_download_has_a_line_for_each_answer(logged_in, variants):
    address = reverse("variants_file", args=["ab-altboolq"])

    def rows(**query):
        body = b"".join(logged_in.get(address, query).streaming_content).decode()
        return list(csv.DictReader(io.StringIO(body)))

    one = rows(item="q2")
    assert {(row["variant"], row["kind"], row["answer"], row["n"], row["of"], row["right"]) for row in one} == {
        ("BoolQ", "people", "no labels yet", "0", "0", ""),
        ("QBoolQ", "people", "no labels yet", "0", "0", ""),
        ("MaskedBoolQ", "people", "no labels yet", "0", "0", ""),
        ("AltBoolQ", "people", "No", "2", "3", "wrong"),
        ("BoolQ", "run", "Yes", "", "", "right"),
        ("AltBoolQ", "run", "No", "", "", "wrong"),
    }
    assert [row["item"] for row in rows()].count("q1") == 4
    assert logged_in.get(address, {"item": "none"}).status_code == 404


@pytest.mark.slow
def test_the_page_of_an_item_leads_here_and_others_do_not(logged_in, variants, study):
    link = reverse("variants", args=["ab-altboolq", "q2"])
    assert link in logged_in.get(reverse("comparison_item", args=["ab-altboolq", "q2"])).content.decode()
    assert "variants" not in logged_in.get(reverse("comparison_item", args=[study.slug, "target-3"])).content.decode()
    assert page(logged_in, study.slug, "target-3").status_code == 404


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser_on_a_phone_and_by_keyboard(open_page, live_server, client, researcher, variants, scheme):
    client.force_login(researcher)
    browser = in_browser(open_page(color_scheme=scheme, viewport=PHONE), live_server, client)
    browser.goto(live_server.url + reverse("variants", args=["ab-altboolq", "q2"]))
    assert serious_violations(browser) == []
    assert browser.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    browser.get_by_role("link", name="Next", exact=True).focus()
    browser.keyboard.press("Enter")
    browser.wait_for_url("**/variants/q3/")
    assert browser.get_by_role("heading", level=1).text_content() == "Variants of q3"
