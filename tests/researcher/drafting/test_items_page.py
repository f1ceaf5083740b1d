"""The items of a draft in the browser: seen, searched, added by hand and by file, changed, taken out, put back."""

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.lifecycle.folder import study_hash
from annotation.lifecycle.status import open_study
from annotation.loading import load_study
from annotation.models import Study
from researcher.drafting import item_list
from tests.researcher.new_study.renamed import RENAMED
from tests.researcher.new_study.sending import roles_of
from tests.studies import declare, plausibility_rows, write_study

pytestmark = pytest.mark.django_db

GOLD = {
    "kind": "gold",
    "content.original": "A clock strikes.",
    "content.modified": "A stopped clock strikes.",
    "content.modifier": "stopped",
    "content.noun": "",
    "reference": "less_likely",
}


def text(answer) -> str:
    return unescape(answer.content.decode())


def ids(study: Study) -> list[str]:
    return list(study.items.order_by("position").values_list("external_id", flat=True))


def seen(client, address: str) -> str:
    return str(client.get(address).context["form"]["seen"].value())


@pytest.fixture
def forced(researcher, tmp_path) -> Study:
    task = {"type": "forced_choice", "question": "Which is right?", "options": ["good", "bad"]}
    rows = [ItemRow(f"pair-{n}", {"options": {"good": f"He eats {n}.", "bad": f"He eat {n}."}}) for n in (1, 2)]
    return load_study(
        write_study(tmp_path / "forced", rows, slug="forced", task=task, quality={"gold_distance": 1})
    ).study


@pytest.mark.slow
def test_the_list_has_pages_and_counts_of_each_kind(client, tmp_path):
    rows = plausibility_rows(120, gold=3)
    study = load_study(write_study(tmp_path / "many", rows, slug="many")).study
    page = client.get(reverse("items", args=[study.slug]))
    assert "Target <b>120</b>" in text(page) and "Gold <b>3</b>" in text(page)
    assert "1–50 of 123" in text(page)
    last = client.get(reverse("items", args=[study.slug]), {"page": "3"})
    assert "gold-3" in text(last) and "target-1<" not in text(last)


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ({"q": "number 17 lights"}, ["target-17"]),
        ({"kind": "gold"}, ["gold-1", "gold-2"]),
        ({"q": "lamp", "kind": "gold"}, ["gold-1", "gold-2"]),
        ({"q": "ein Käfig"}, ["foreign"]),
        ({"q": "target-12", "after": "-1"}, ["target-12"]),
        ({"q": "nothing like it"}, []),
    ],
)
def test_the_list_is_searched(client, tmp_path, asked, there):
    rows = plausibility_rows(20, gold=2)
    content = {"original": "Das ist ein Käfig.", "modified": "Das ist kein Käfig.", "modifier": "kein"}
    rows.append(ItemRow("foreign", content))
    study = load_study(write_study(tmp_path / "many", rows, slug="many")).study
    page = client.get(reverse("items", args=[study.slug]), asked)
    assert [line.item.external_id for line in page.context["list"].lines] == there


@pytest.mark.slow
def test_a_large_study_is_searched_by_stretches(client, tmp_path, monkeypatch):
    monkeypatch.setattr(item_list, "SEARCHED", 10)
    study = load_study(write_study(tmp_path / "many", plausibility_rows(25), slug="many")).study
    address = reverse("items", args=[study.slug])

    def found(**asked: str) -> tuple[list[str], str]:
        page = client.get(address, asked)
        return [line.item.external_id for line in page.context["list"].lines], text(page)

    names, page = found(q="number 1")
    assert names == ["target-1", "target-10"]
    assert "Searched: items 1 to 10." in page and "Search the next items" in page and "from the first" not in page
    assert found(q="number 1", after="10")[0] == [f"target-{n}" for n in range(11, 20)]
    names, page = found(q="number 1", after="20")
    assert names == [] and "No items match here." in page and "Search the next items" not in page
    for asked in ({"q": "target-24"}, {"q": "Target-24"}, {"q": "target-24", "after": "9" * 20}):
        assert found(**asked)[0] == ["target-24"], "an item is found by its id wherever it stands"
    assert found(q="target-2")[0] == ["target-2"], "once"
    assert "Searched: items" not in found(kind="target")[1]


def test_an_item_is_added_by_hand(client, draft):
    answer = client.post(reverse("item_new", args=[draft.slug]), GOLD)
    assert answer.status_code == 302
    item = draft.items.get(external_id="gold-1")
    assert (item.kind, item.reference, item.position) == ("gold", "less_likely", 4)
    assert item.content == {
        "original": "A clock strikes.",
        "modified": "A stopped clock strikes.",
        "modifier": "stopped",
    }
    draft.refresh_from_db()
    assert draft.gold_per_sitting == 1
    shown = text(client.get(reverse("items", args=[draft.slug])))
    assert "gold-1 added. Each batch has one gold item now." in shown
    client.post(reverse("item_new", args=[draft.slug]), GOLD)
    draft.refresh_from_db()
    assert draft.gold_per_sitting == 1, "a number that was set stays"


def test_checks_that_no_batch_has_are_said(client, draft):
    client.post(reverse("item_new", args=[draft.slug]), GOLD)
    declare(gold_per_sitting=0)
    assert "Batches have no gold items yet" in text(client.get(reverse("items", args=[draft.slug])))
    client.post(reverse("item_new", args=[draft.slug]), GOLD)
    draft.refresh_from_db()
    assert draft.gold_per_sitting == 0, "somebody set it to none"


def test_practice_comes_with_its_explanation_and_attributes(client, draft):
    sent = GOLD | {"kind": "practice", "id": "first", "explanation": "It stopped.", "attributes": "source: novel\nn: 2"}
    client.post(reverse("item_new", args=[draft.slug]), sent)
    item = draft.items.get(external_id="first")
    assert (item.kind, item.explanation, item.attributes) == ("practice", "It stopped.", {"source": "novel", "n": "2"})


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"reference": ""}, "reference", "Correct answer: is missing"),
        ({"content.modifier": "broken"}, "content.modifier", "does not occur in the modified sentence"),
        ({"content.original": ""}, "content.original", "required"),
        ({"id": "target-1"}, "id", "is already the ID of another item"),
        ({"id": "a/b"}, "id", "slash"),
        ({"explanation": "Because."}, "explanation", "is only for practice items"),
        ({"attributes": "novel"}, "attributes", "must have the form name: value"),
        ({"kind": "filler"}, "kind", "not one of the available choices"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_added(client, draft, changed, field, says):
    answer = client.post(reverse("item_new", args=[draft.slug]), GOLD | changed)
    assert answer.status_code == 422
    assert says in " ".join(answer.context["form"].errors[field])
    assert draft.items.count() == 3


def test_how_an_item_looks_is_shown_as_it_is_typed_and_nothing_is_stored(client, draft):
    answer = client.post(reverse("item_new", args=[draft.slug]), GOLD | {"show": "1"})
    assert answer.status_code == 200
    assert "A clock strikes." in text(answer) and "Necessarily true" in text(answer)
    assert draft.items.count() == 3


@pytest.mark.slow
def test_an_item_is_changed_in_its_place(client, draft):
    address = reverse("item_edit", args=[draft.slug, "target-2"])
    sent = GOLD | {"kind": "target", "seen": seen(client, address), "group": "clocks"}
    assert client.post(address, sent).status_code == 302
    item = draft.items.get(external_id="target-2")
    assert (item.position, item.content["original"], item.group) == (2, "A clock strikes.", "clocks")
    again = client.post(address, sent | {"group": "others"})
    assert "since you opened it" in text(again) and again.status_code == 422


def test_options_have_a_field_each_and_what_a_form_does_not_show_is_kept(client, forced):
    item = forced.items.get(external_id="pair-1")
    item.content = {"options": item.content["options"], "verb_at": {"good": 1, "bad": 1}}
    item.save()
    address = reverse("item_edit", args=[forced.slug, "pair-1"])
    sent = {"kind": "target", "seen": seen(client, address), "content.options.good": "She eats.",
            "content.options.bad": "She eat."}  # fmt: skip
    answer = client.post(address, sent)
    assert answer.status_code == 302, answer.context["form"].errors
    content = forced.items.get(external_id="pair-1").content
    assert content == {"options": {"good": "She eats.", "bad": "She eat."}, "verb_at": {"good": 1, "bad": 1}}


@pytest.mark.slow
def test_items_taken_out_can_be_put_back(client, draft):
    before = study_hash(draft)
    client.post(reverse("items_remove", args=[draft.slug]), {"item": ["target-1", "target-3"]})
    assert ids(draft) == ["target-2"]
    page = client.get(reverse("items", args=[draft.slug]))
    assert "2 items removed." in " ".join(text(page).split())
    client.post(reverse("items_back", args=[draft.slug]))
    assert study_hash(draft) == before
    assert client.get(reverse("items", args=[draft.slug])).context["taken_out"] == 0


@pytest.mark.slow
def test_selected_items_become_gold_and_each_batch_has_one(client, forced):
    forced.items.update(reference="good")
    name = forced.items.earliest("position").external_id
    page = client.post(reverse("items_gold", args=[forced.slug]), {"item": name}, follow=True)
    assert "1 item made gold. Each batch has one gold item now." in text(page)
    forced.refresh_from_db()
    assert forced.items.get(external_id=name).kind == "gold" and forced.gold_per_sitting == 1
    forced.items.filter(external_id=name).update(reference=None, kind="target")
    page = client.post(reverse("items_gold", args=[forced.slug]), {"item": name}, follow=True)
    assert f"Nothing has changed: {name} has no correct answer." in text(page)


def test_texts_that_no_item_has_are_folded(client, forced):
    page = client.get(reverse("item_new", args=[forced.slug]))
    assert [field.name for field in page.context["form"].unused_fields]
    assert all(field.name.startswith("content.options.") for field in page.context["form"].content_fields)


@pytest.mark.slow
def test_what_may_not_be_taken_out_is_said(client, draft):
    address = reverse("items_remove", args=[draft.slug])
    page = client.post(address, {"item": ids(draft)}, follow=True)
    assert "A study needs at least one item" in text(page) and draft.items.count() == 3
    assert "no item is selected" in text(client.post(address, follow=True))


@pytest.mark.slow
def test_of_a_study_that_has_opened_items_are_only_looked_at(client, draft):
    open_study(draft)
    page = text(client.get(reverse("items", args=[draft.slug])))
    assert "Add an item" not in page and "has opened" in page
    assert "has opened" in text(client.get(reverse("item_edit", args=[draft.slug, "target-1"])))
    assert client.post(reverse("item_new", args=[draft.slug]), GOLD).status_code == 422
    client.post(reverse("items_remove", args=[draft.slug]), {"item": "target-1"})
    assert draft.items.count() == 3


# --- From a file --------------------------------------------------------------------------------------


def upload(client, study: Study, content: str, name: str = "checks.csv"):
    file = SimpleUploadedFile(name, content.encode())
    return client.post(reverse("items_file_add", args=[study.slug]), {"file": file})


def guessed(page) -> dict[str, object]:
    form = page.context["form"]
    return {field.html_name: field.value() for field in form if field.value() not in (None, "")}


@pytest.mark.slow
def test_a_file_is_added_with_its_columns_guessed_and_all_of_one_kind(client, draft):
    sent = upload(client, draft, RENAMED)
    assert sent.status_code == 302
    page = client.get(sent.headers["Location"])
    said = guessed(page)
    assert [roles_of(page)[role] for role in ("original", "modified", "reference")] == [
        "Plain",
        "With adjective",
        "Verdict",
    ]
    done = client.post(sent.headers["Location"], said | {"kind": "gold", "labels_of": "Verdict"})
    assert done.status_code == 302, done.context["faults"]
    gold = draft.items.filter(kind="gold").order_by("position")
    assert [one.reference for one in gold] == ["less_likely", "impossible", "equally_likely"]
    assert [one.position for one in gold] == [4, 5, 6]


MIXED = """id,kind,original,modified,modifier,reference,explanation
g1,gold,A key opens doors.,A false key opens doors.,false,less_likely,
a1,attention,A dog barks.,A dead dog barks.,dead,impossible,
p1,practice,A car drives on.,A red car drives on.,red,equally_likely,Paint is no engine.
"""


@pytest.mark.slow
def test_each_row_has_its_own_kind_where_a_column_says_it(client, draft, tmp_path):
    address = upload(client, draft, MIXED).headers["Location"]
    page = client.get(address)
    said = guessed(page)
    assert [roles_of(page)[role] for role in ("kind", "explanation")] == ["kind", "explanation"]
    assert client.post(address, said).status_code == 302
    assert dict(draft.items.exclude(kind="target").values_list("external_id", "kind")) == {
        "g1": "gold", "a1": "attention", "p1": "practice",
    }  # fmt: skip
    assert draft.items.get(external_id="p1").explanation == "Paint is no engine."
    draft.refresh_from_db()
    before = study_hash(draft)
    content = [{"original": o, "modified": m, "modifier": a} for _, _, o, m, a, _, _ in
               (line.split(",") for line in MIXED.splitlines()[1:])]  # fmt: skip
    rows = [
        *plausibility_rows(3),
        ItemRow("g1", content[0], "gold", "less_likely"),
        ItemRow("a1", content[1], "attention", "impossible"),
        ItemRow("p1", content[2], "practice", "equally_likely", explanation="Paint is no engine."),
    ]
    loaded = load_study(write_study(tmp_path / "again", rows, slug="draft"))
    assert (loaded.added, loaded.changed, loaded.settings_changed) == (0, 0, False)
    assert study_hash(draft) == before


@pytest.mark.slow
def test_faults_of_a_file_are_by_line_and_column_and_nothing_is_half_added(client, draft):
    wrong = MIXED.replace("a1,attention", "target-1,attention").replace("false,less_likely", "false,").replace(
        "red,equally_likely", "blue,equally_likely"
    )  # fmt: skip
    address = upload(client, draft, wrong).headers["Location"]
    answer = client.post(address, guessed(client.get(address)))
    assert answer.status_code == 422
    assert [fault.field for fault in answer.context["faults"]] == [
        "line 2, column 'reference'", "line 3, column 'id'", "line 4, column 'modifier'",
    ]  # fmt: skip
    assert draft.items.count() == 3


@pytest.mark.slow
def test_rows_without_an_id_are_numbered_on(client, draft):
    lines = "original\tmodified\tmodifier\nA key opens.\tA false key opens.\tfalse\n"
    for _ in range(2):
        sent = client.post(reverse("items_file_add", args=[draft.slug]), {"pasted": lines})
        address = sent.headers["Location"]
        assert client.post(address, guessed(client.get(address))).status_code == 302
    assert ids(draft)[3:] == ["row-1", "row-2"]


@pytest.mark.slow
def test_options_of_a_file_are_those_of_the_study(client, forced):
    lines = "bad,good\nShe eat.,She eats.\n"
    address = upload(client, forced, lines).headers["Location"]
    page = client.get(address)
    said = guessed(page)
    assert [roles_of(page)[f"options.{role}"] for role in ("good", "bad")] == ["good", "bad"]
    assert client.post(address, said | {"kind": "target"}).status_code == 302
    assert forced.items.get(external_id="row-1").content == {"options": {"good": "She eats.", "bad": "She eat."}}


@pytest.mark.slow
def test_an_upload_of_somebody_else_is_not_found(client, draft, partner):
    address = upload(client, draft, RENAMED).headers["Location"]
    assert partner.get(address).status_code == 404
    assert client.get(address).status_code == 200


# --- One correct answer for all -----------------------------------------------------------------------


@pytest.mark.slow
def test_one_option_is_set_correct_in_every_item_and_taken_back(client, forced):
    address = reverse("items_correct", args=[forced.slug])
    listed = client.get(reverse("items", args=[forced.slug]))
    assert "Correct in every item" in text(listed)
    assert '<option value="good">good</option>' in listed.content.decode()
    page = client.post(address, {"correct": "good"}, follow=True)
    assert "“good” is correct in every item." in text(page)
    assert page.context["list"].correct == "good"
    assert "No item has a correct answer." in text(client.post(address, {"correct": ""}, follow=True))
    assert set(forced.items.values_list("reference", flat=True)) == {None}


def test_where_items_differ_it_is_said_and_nothing_is_offered(client, forced):
    forced.items.filter(external_id="pair-1").update(reference="good")
    page = text(client.get(reverse("items", args=[forced.slug])))
    assert "Items have different correct answers." in page and "Set correct answer" not in page
    assert "different correct answers" in text(
        client.post(reverse("items_correct", args=[forced.slug]), {"correct": "bad"}, follow=True)
    )


def test_a_scale_has_no_correct_option(client, draft):
    assert "Correct in every item" not in text(client.get(reverse("items", args=[draft.slug])))
