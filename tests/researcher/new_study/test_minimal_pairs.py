"""Minimal pairs: one column is the right answer in every row, as their heads say or as one chooses."""

import pytest

from annotation.models import Study
from tests.researcher.new_study.sending import as_roles, columns_of, fields_of, roles_of, upload

pytestmark = pytest.mark.slow

ROWS = "".join(f"{n},The {noun} runs.,The {noun} run.,agreement\n" for n, noun in enumerate(("dog", "cat", "cow"), 1))
HEADS = [
    ("Grammatical", "Ungrammatical"),
    ("sentence_good", "sentence_bad"),
    ("acceptable", "unacceptable"),
    ("grammatisch", "ungrammatisch"),
    ("good sentence", "bad sentence"),
]


def table(good, bad):
    return f"Item,{good},{bad},Topic\n{ROWS}"


@pytest.mark.parametrize(("good", "bad"), HEADS)
def test_heads_of_a_known_pair_say_which_is_right(client, good, bad):
    address, page = columns_of(client, text=table(good, bad), name="pairs.csv")
    assert roles_of(page)["right"] == good and roles_of(page)["option"] == bad
    assert "No column is the correct answer." not in page.content.decode()
    assert "3 of 3 items have a correct answer" in page.content.decode()
    made = client.post(address, fields_of(page), follow=True).content.decode()
    assert "a correct answer for every item" in made
    study = Study.objects.get()
    right, wrong = study.task_settings["options"]
    assert right.lower() in good.lower() and wrong.lower() in bad.lower()
    assert {*study.items.values_list("reference", flat=True)} == {right}


def test_one_column_is_said_to_be_right_and_none_need_be(client):
    address, page = columns_of(client, text=table("Version A", "Version B"), name="pairs.csv", task="forced_choice")
    assert "right" not in roles_of(page)
    assert "No column is the correct answer." in page.content.decode()
    client.post(address, fields_of(page))
    assert {*Study.objects.get().items.values_list("reference", flat=True)} == {None}
    address, page = columns_of(client, text=table("Version A", "Version B"), name="more.csv", task="forced_choice")
    client.post(address, as_roles(page, right="Version B"))
    assert {*Study.objects.get(slug="more").items.values_list("reference", flat=True)} == {"Version B"}


def test_a_column_with_the_right_answers_goes_before_the_heads(client):
    text = table("good", "bad").replace("Topic", "Answer").replace("agreement", "bad")
    address, page = columns_of(client, text=text, name="pairs.csv")
    assert roles_of(page)["reference"] == "Answer" and "right" not in roles_of(page)
    refused = client.post(address, fields_of(page) | {"as-2": "right"})
    assert refused.status_code == 422 and "One option is already correct in every row." in refused.content.decode()


def test_items_that_come_later_have_the_same_right_answer(client):
    address, page = columns_of(client, text=table("good", "bad"), name="pairs.csv")
    client.post(address, fields_of(page))
    study = Study.objects.get()
    more = "Item,good,bad\n7,The ox runs.,The ox run.\n"
    sent = upload(client, more, name="more.csv", to=f"/studies/{study.slug}/setup/item-list/file/")
    page = client.get(sent["Location"])
    assert "Option: good, correct" in page.content.decode()
    client.post(sent["Location"], fields_of(page))
    assert {*study.items.values_list("reference", flat=True)} == {"good"} and study.items.count() == 4


def test_an_option_that_is_missing_is_marked_in_its_cell_and_named_when_left_out(client):
    text = table("good", "bad").replace("The cat run.", "")
    address, page = columns_of(client, text=text, name="pairs.csv")
    shown = page.content.decode()
    assert "is missing</span>" in shown and "options must give" not in shown
    made = client.post(address, fields_of(page) | {"skip_faulty": "on"}, follow=True).content.decode()
    assert "column &#x27;bad&#x27; is missing" in made
