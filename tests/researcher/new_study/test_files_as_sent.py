"""A new study of files as people have them: read again, shown with what was noticed, made without faulty rows."""

import io
import re

import pytest
from openpyxl import Workbook

from annotation.models import Study
from tests.researcher.new_study.sending import as_roles, columns_of, fields_of, roles_of, upload

pytestmark = pytest.mark.slow

KEYED = "Nr.,Sentence,Word A,Word B,Answer\n" + "".join(
    f"{number},It was ___ cold.,{a},{b},{key}\n"
    for number, (a, b, key) in enumerate([("very", "not", "very"), ("not", "really", "really")] * 6, start=1)
)


def test_a_key_that_is_an_options_text_is_taken_and_counted_before_and_after(client):
    address, page = columns_of(client, text=KEYED, name="keyed.csv", task="forced_choice")
    sent = as_roles(page, reference="Answer")
    shown = client.post(address, {**sent, "show": "1"}).content.decode()
    assert "12 of 12 items have a correct answer" in shown
    assert "Meaning of the values of" not in shown
    made = client.post(address, sent, follow=True).content.decode()
    assert "a correct answer for every item" in made
    study = Study.objects.get()
    assert study.task_settings["options"] == ["Word A", "Word B"]
    assert [*study.items.order_by("position").values_list("reference", flat=True)][:2] == ["Word A", "Word B"]


def test_values_of_a_chosen_column_never_default_to_no_right_answer(client):
    text = "question,key\nIs it?,ja\nWas it?,nein\n"
    address, page = columns_of(client, text=text, name="asked.csv", task="yes_no")
    sent = as_roles(page, reference="key")
    shown = client.post(address, {**sent, "show": "1"})
    refused = client.post(address, fields_of(shown))
    assert refused.status_code == 422
    assert "Choose the meaning of “ja”." in refused.content.decode()
    client.post(address, fields_of(shown) | {"label-0": "yes", "label-1": "none"})
    assert [*Study.objects.get().items.order_by("position").values_list("reference", flat=True)] == ["yes", None]


def test_a_role_that_was_guessed_for_another_column_does_not_stay(client):
    text = "s_good,s_bad,other\nDogs bark.,Dogs barks.,Dogs barked.\nHe runs.,He run.,He ran.\n"
    address, page = columns_of(client, text=text, name="pairs.csv", task="forced_choice")
    assert fields_of(page)["name-2"] == "bad"
    sent = fields_of(page) | {"as-2": "", "as-3": "option", "set-question": "Which?"}
    client.post(address, sent)
    assert Study.objects.get().task_settings["options"] == ["good", "other"]


def test_a_single_sentence_is_asked_about_as_one(client):
    text = "id,sentence\ns1,The dog barks.\ns2,The cat sleeps.\n"
    address, page = columns_of(client, text=text, name="single.csv", task="rating")
    client.post(address, fields_of(page))
    settings = Study.objects.get().task_settings
    assert settings["question"] == "How acceptable is this sentence?"
    assert (settings["low"], settings["high"]) == ("Completely unacceptable", "Completely acceptable")


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("Satz", ["Der Hund bellt.", "Die Katze schläft."]),
        ("Frase", ["El perro ladra.", "El gato duerme."]),
        ("句子", ["狗咬了那个人。", "厨师煎了一个鸡蛋。"]),
        ("Reizwörter", ["Der Hund bellt.", "Die Katze schläft."]),
        ("material", ["कुत्ता भौंकता है।", "बिल्ली सोती है।"]),
    ],
)
def test_the_column_of_sentences_is_guessed_in_any_language_and_what_is_guessed_loads(client, name, texts):
    """By its name, else as the one with the longest texts; ids, numbers and notes are none."""
    rows = "".join(f"{n},{text},A,gut,{n}.5\n" for n, text in enumerate(texts, start=1))
    address, page = columns_of(client, text=f"Nr,{name},Liste,Notiz,Wert\n{rows}", name="saetze.csv", task="rating")
    guessed = roles_of(page)
    assert guessed["sentence"] == name and not {"first", "second"} & guessed.keys()
    client.post(address, fields_of(page))
    assert [item.content["sentence"] for item in Study.objects.get().items.order_by("position")] == texts


def test_two_columns_of_sentences_are_a_pair_where_they_are_called_or_look_so(client):
    rows = "Der Hund bellt laut.,Der Hund singt laut.\nEin Kind malt.,Ein Kind regnet.\n"
    for head in ("Satz 1,Satz 2", "a,b"):
        _, page = columns_of(client, text=f"{head}\n{rows}", task="rating")
        assert [roles_of(page)[role] for role in ("first", "second")] == head.split(",")


def test_where_no_column_of_sentences_is_chosen_one_plain_thing_is_said(client):
    address, page = columns_of(client, text="Nr,Wert\n1,2\n2,3\n", name="none.csv", task="rating")
    assert page.context["form"].missing == "Choose the column with the sentences."
    assert "are missing" not in page.content.decode() and "is missing" not in page.content.decode()
    refused = client.post(address, fields_of(page))
    assert refused.context["form"].errors == {"__all__": ["Choose the column with the sentences."]}
    assert "Choose the column with the sentences." in refused.content.decode()


def test_a_pair_is_asked_about_as_a_pair(client):
    text = "first,second\nThe dog barks.,The dog sings.\n"
    _, page = columns_of(client, text=text, name="pairs.csv", task="rating")
    assert "second sentence" in fields_of(page)["set-question"]


def test_faulty_rows_are_shown_and_can_be_left_out(client):
    text = "id,sentence\n1,The dog barks.\n2,\n3,The cat, it sleeps.\n4,The cow eats.\n"
    address, page = columns_of(client, text=text, name="some.csv", task="rating")
    assert "line 4: cannot be read: has 3 cells" in page.content.decode()
    refused = client.post(address, fields_of(page))
    html = refused.content.decode()
    assert refused.status_code == 422
    assert "Leave out 2 rows" in " ".join(html.split())
    assert "First of two sentences is missing" not in html
    assert "first is missing" not in html
    assert "line 3, column &#x27;sentence&#x27;" in html and "is missing" in html
    assert re.search(r'<th scope="row">line 3</th>\s*<td>2\s*</td>\s*<td class="wrong">', html)
    client.post(address, fields_of(page) | {"skip_faulty": "on"})
    assert [*Study.objects.get().items.values_list("external_id", flat=True)] == ["1", "4"]


def test_repeated_rows_are_counted_and_can_be_left_out(client):
    text = "id,sentence\n1,The dog barks.\n2,The  dog barks. \n3,The cat sleeps.\n4,The cat sleeps.\n"
    address, page = columns_of(client, text=text, name="twice.csv", task="rating")
    assert "Leave out 2 repeated rows" in " ".join(page.content.decode().split())
    made = client.post(address, fields_of(page) | {"skip_repeated": "on"}, follow=True).content.decode()
    assert [*Study.objects.get().items.values_list("external_id", flat=True)] == ["1", "3"]
    assert "same text as line 2" in made


def test_rows_with_different_answers_are_no_repeats_and_stand_as_problems(client):
    text = "id,question,key\n1,Is it A?,yes\n2,Is it A?,no\n3,Is it B?,\n4,Is it B?,yes\n"
    address, page = columns_of(client, text=text, name="two.csv", task="yes_no")
    shown = client.post(address, {**as_roles(page, reference="key"), "show": "1"})
    assert "Leave out 1 repeated row" in " ".join(shown.content.decode().split())
    refused = client.post(address, fields_of(shown) | {"skip_repeated": "on"})
    assert refused.status_code == 422
    assert "is “no”, but “yes” on line 2, which has the same text" in refused.content.decode()
    assert "2 rows have problems" in " ".join(refused.content.decode().split())
    client.post(address, fields_of(refused) | {"skip_repeated": "on", "skip_faulty": "on"})
    assert [*Study.objects.get().items.values_list("external_id", "reference")] == [("4", "yes")]


def test_the_encoding_is_told_and_changed_without_sending_the_file_again(client):
    data = "id,sentence\n1,Der Hund fängt Bälle.\n".encode("cp1252")
    address, page = columns_of(client, text=data, name="german.csv", task="rating")
    assert "Read as Windows-1252" in page.content.decode()
    assert "fängt Bälle" in page.content.decode()
    client.post(address, {"read": "1", "encoding": "cp1251", "header": "on"})
    assert "fдngt" in client.get(address).content.decode()
    refused = client.post(address, {"read": "1", "encoding": "utf-8", "header": "on"}, follow=True).content.decode()
    assert "The file cannot be read: " in refused
    assert "fдngt" in refused, "it stays as it was read"


@pytest.mark.parametrize(
    ("encoding", "sentence"),
    [("shift_jis", "犬が猫を追いかけた。"), ("euc-kr", "개가 고양이를 쫓았다."), ("cp1252", "DIE FÜßE DER BÄRIN.")],
)
def test_the_encoding_is_asked_for_where_the_file_does_not_show_it(client, encoding, sentence):
    sent = {"text": f"id,sentence\n1,{sentence}\n".encode(encoding), "name": "items.csv"}
    refused = upload(client, **sent)
    assert refused.status_code == 422
    assert "Choose the encoding and send the file again." in refused.content.decode()
    address, page = columns_of(client, **sent, encoding=encoding)
    assert sentence in page.content.decode()
    client.post(address, fields_of(page))
    assert Study.objects.get().items.get().content["sentence"] == sentence


@pytest.mark.parametrize(("encoding", "sentence"), [("gb18030", "狗追着猫跑。"), ("cp1252", "DER HUND FÄNGT BÄLLE.")])
def test_an_encoding_that_would_be_guessed_otherwise_can_be_chosen_at_once(client, encoding, sentence):
    data = f"id,sentence\n1,{sentence}\n".encode(encoding)
    _, page = columns_of(client, text=data, task="rating", encoding=encoding)
    assert sentence in page.content.decode()


def test_an_encoding_that_does_not_fit_is_asked_for_again(client):
    refused = upload(client, "id,sentence\n1,fängt\n".encode("cp1252"), task="rating", encoding="utf-8")
    assert refused.status_code == 422
    assert "Choose the encoding and send the file again." in refused.content.decode()


def test_the_sheet_is_chosen_without_sending_the_file_again(client):
    book, out = Workbook(), io.BytesIO()
    for name, text in (("Sheet", "The old one."), ("final", "The final one.")):
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        sheet.append(["id", "sentence"])
        sheet.append(["s1", text])
    book.save(out)
    address, page = columns_of(client, text=out.getvalue(), name="two.xlsx", task="rating")
    assert "there is also “final”" in page.content.decode()
    client.post(address, {"read": "1", "sheet": "final", "header": "on"})
    assert "The final one." in client.get(address).content.decode()


def test_a_first_line_that_is_data_can_be_read_as_data(client):
    address, page = columns_of(client, text="1,The dog barks.\n2,The cat sleeps.\n", name="bare.csv", task="rating")
    assert "looks like data" in page.content.decode()
    client.post(address, {"read": "1", "encoding": "utf-8"})
    assert client.get(address).context["count"] == 2


@pytest.mark.parametrize("field", ["title", "set-question"])
def test_choices_survive_a_return_to_the_page(client, field):
    address, page = columns_of(client, text="id,sentence\n1,The dog barks.\n", name="one.csv", task="rating")
    client.post(address, fields_of(page) | {field: "Something of my own", "show": "1"})
    assert fields_of(client.get(address))[field] == "Something of my own"


def test_a_number_that_may_be_two_options_is_asked_about(client):
    text = "Nr.,Sentence,good,bad,Answer\n" + "".join(f"{n},It was ___ cold {n}.,very,not,1\n" for n in range(1, 7))
    address, page = columns_of(client, text=text, name="keyed.csv", task="forced_choice")
    sent = as_roles(page, reference="Answer")
    shown = client.post(address, {**sent, "show": "1"})
    assert "“1” means" in shown.content.decode()
    assert client.post(address, fields_of(shown)).status_code == 422
    client.post(address, fields_of(shown) | {"label-0": "bad"})
    assert {*Study.objects.get().items.values_list("reference", flat=True)} == {"bad"}
