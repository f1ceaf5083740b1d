"""A study made in the browser: the task and the file, then the columns; nothing half made, nothing written over."""

import json
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.urls import reverse

from annotation.models import Item, Membership, Study
from researcher.jobs.working import KEPT, drop_old_jobs
from researcher.models import Job
from researcher.new_study.columns_form import free_slug
from tests.researcher.new_study.renamed import RENAMED
from tests.researcher.new_study.sending import START, as_roles, columns_of, fields_of, roles_of, upload
from tests.studies import plausibility_rows, write_study

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "task"),
    [
        (RENAMED, "plausibility"),
        ("question,answer\nIs it?,1\nWas it?,0\n", "yes_no"),
        ("sentence_good,sentence_bad\nDogs bark.,Dogs barks.\nHe runs.,He run.\n", "forced_choice"),
        ("Nr,Satz\n1,Der Hund bellt.\n2,Die Katze schläft.\n", "rating"),
    ],
)
def test_what_people_are_asked_is_guessed_and_can_be_changed(client, text, task):
    address, page = columns_of(client, text=text)
    assert page.context["form"].task.key == task
    assert fields_of(page)["task"] == task
    other = "rating" if task == "yes_no" else "yes_no"
    again = client.post(address, fields_of(page) | {"task": other, "title": "My own"})
    assert again.status_code == 200, "nothing is made of what was chosen for another task"
    assert again.context["form"].task.key == other
    assert fields_of(again)["title"] == "My own"
    assert not Study.objects.exists()


def test_columns_with_other_names_become_a_study_of_ones_own(client, researcher):
    address, page = columns_of(client)
    assert page.context["count"] == 3
    made = client.post(address, fields_of(page), follow=True)
    assert made.redirect_chain == [("/studies/renamed-items/setup/created/", 302)]
    assert "Study created" in made.content.decode() and "a correct answer for every item" in made.content.decode()
    study = Study.objects.get(slug="renamed-items")
    assert Membership.objects.get(study=study, user=researcher).role == "owner"
    assert study.state == "draft"
    first = Item.objects.get(study=study, external_id="7")
    assert first.content == {
        "original": "A key opens doors.",
        "modified": "A false key opens doors.",
        "modifier": "false",
        "noun": "key",
    }
    assert (first.reference, first.attributes) == ("less_likely", {"Source": "novel"})
    assert set(study.items.values_list("reference", flat=True)) == {"less_likely", "impossible", "equally_likely"}
    # What was uploaded is not needed any more.
    assert not list((settings.VAR_DIR / "jobs").glob("*"))
    job = Job.objects.get()
    assert (job.state, job.owner, [*job.made.all()]) == ("finished", researcher, [study])
    manifest = json.loads((settings.VAR_DIR / "studies/renamed-items/manifest.json").read_text())
    assert [source["name"] for source in manifest["sources"]] == ["renamed-items.csv"]


def test_the_first_item_is_shown_with_the_columns_chosen_and_nothing_is_made(client):
    address, page = columns_of(client)
    assert '<mark class="modifier">false</mark>' in page.content.decode()
    shown = client.post(address, as_roles(page, original="With adjective", modified="Plain") | {"show": "1"})
    assert shown.status_code == 200
    assert "does not occur in the modified sentence" in shown.content.decode()
    assert not Study.objects.exists()


def test_faults_are_named_by_line_and_column_and_nothing_is_made(client):
    text = RENAMED + "10,A cat sleeps.,A wild cat sleeps.,tame,cat,Less likely,x\n7,A.,A b.,b,,Less likely,x\n"
    address, page = columns_of(client, text=text)
    refused = client.post(address, as_roles(page, id="No."))
    assert refused.status_code == 422
    html = refused.content.decode()
    assert "No study created. 2 problems in renamed-items.csv." in html
    assert "line 5, column &#x27;Adj.&#x27;" in html
    assert "line 6, column &#x27;No.&#x27;" in html
    assert not Study.objects.exists()
    assert not (settings.VAR_DIR / "studies").exists() or not list((settings.VAR_DIR / "studies").iterdir())


def test_values_that_are_no_labels_are_given_a_meaning(client):
    text = "question,answer\nIs it?,1\nWas it?,0\nMay it?,\n"
    address, page = columns_of(client, text=text, name="asked.csv", task="yes_no")
    assert "“1” means" in page.content.decode()
    client.post(address, fields_of(page))
    assert [*Study.objects.get().items.order_by("position").values_list("reference", flat=True)] == ["yes", "no", None]


def test_another_reference_column_brings_its_own_values(client):
    text = "question,answer,other\nIs it?,1,ja\nWas it?,0,nein\n"
    address, page = columns_of(client, text=text, name="asked.csv", task="yes_no")
    sent = as_roles(page, reference="other")
    shown = client.post(address, {**sent, "show": "1"})
    assert "“ja” means" in shown.content.decode()
    sent = fields_of(shown) | {"label-0": "yes", "label-1": "no"}
    client.post(address, sent)
    assert [*Study.objects.get().items.order_by("position").values_list("reference", flat=True)] == ["yes", "no"]


def test_options_are_columns_with_a_role(client):
    text = "sentence_good,sentence_bad,topic\nDogs bark.,Dogs barks.,agreement\nHe runs.,He run.,agreement\n"
    address, page = columns_of(client, text=text, name="pairs.csv", task="forced_choice")
    sent = fields_of(page) | {"set-question": "Which one is English?"}
    client.post(address, sent)
    study = Study.objects.get()
    assert study.task_settings == {"question": "Which one is English?", "options": ["good", "bad"]}
    assert study.items.get(position=1).content == {"options": {"good": "Dogs bark.", "bad": "Dogs barks."}}


def test_a_rating_has_its_scale(client):
    text = "text,mean\nThe teacher bought the laptop.,6.5\nThe laptop bought the teacher.,1.2\n"
    address, page = columns_of(client, text=text, name="events.csv", task="rating")
    sent = as_roles(page, strength="mean") | {"set-points": "5"}
    client.post(address, sent)
    study = Study.objects.get()
    assert study.task_settings["points"] == 5
    assert [*study.items.order_by("position").values_list("reference_strength", flat=True)] == [6.5, 1.2]


def test_settings_that_cannot_be_are_refused_beside_their_fields(client):
    address, page = columns_of(client, text="text\nA.\n", name="events.csv", task="rating")
    refused = client.post(address, fields_of(page) | {"set-points": "99", "set-question": " "})
    assert refused.status_code == 422
    html = refused.content.decode()
    assert "points: must be a whole number from 2 to 10, not 99." in html
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("pasted", "count"),
    [
        ("question\tanswer\nIs it?\tyes\n", 1),
        ("question,answer\r\nIs it?,yes\r\nWas it?,no\r\n", 2),
        ('{"question": "Is it?"}\n{"question": "Was it?"}\n', 2),
    ],
)
def test_items_can_be_pasted(client, pasted, count):
    answer = client.post(START, {"pasted": pasted})
    page = client.get(answer["Location"])
    client.post(answer["Location"], fields_of(page))
    assert Study.objects.get(slug="pasted").items.count() == count


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({}, "Choose a file or paste items below."),
        ({"pasted": "a\0b\n"}, "Null characters are not allowed."),
        ({"pasted": "question\n"}, "has no rows below the header"),
    ],
)
def test_a_start_without_what_it_needs(client, sent, says):
    answer = client.post(START, sent)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not list((settings.VAR_DIR / "jobs").glob("*")) and not Job.objects.exists(), "nothing is kept"
    assert not Study.objects.exists()


def test_a_file_and_text_are_one_too_many(client):
    file = SimpleUploadedFile("a.csv", b"question\nIs it?\n")
    answer = client.post(START, {"file": file, "pasted": "question\nIs it?\n"})
    assert answer.status_code == 422
    assert "Send either a file or pasted items." in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.csv", b"a,b\n1\n", "has 1 cell; the header has 2"),
        ("a.xlsx", b"\0\1nothing of the kind", "is not an .xlsx file"),
        ("a.parquet", b"PAR1 nothing PAR1", "is not a Parquet file"),
        ("a.jsonl", b"[2]\n", "line 1"),
        ("a.pkl", b"cos\nsystem\n", "Choose a file of one of these types:"),
    ],
)
def test_files_that_cannot_be_read_are_refused_and_not_kept(client, name, data, says):
    answer = upload(client, data, name=name)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not list((settings.VAR_DIR / "jobs").glob("*")) and not Job.objects.exists()


def test_a_name_is_no_way_out_of_its_folder(client):
    upload(client, name="../../../../evil.csv")
    [folder] = (settings.VAR_DIR / "jobs").glob("*")
    assert [file.name for file in (folder / "files/items").iterdir()] == ["evil.csv"]


def test_an_upload_is_its_users_alone(client, colleague):
    address, page = columns_of(client)
    assert colleague.get(address).status_code == 404
    assert colleague.post(address, fields_of(page)).status_code == 404
    assert client.get("/new-study/999999/").status_code == 404


def test_the_name_of_a_study_that_is_there_is_refused_whosever_it_is(client, colleague, tmp_path):
    """A stranger's study is not written over, and nothing is said of it."""
    from annotation.loading import load_study

    load_study(write_study(tmp_path / "taken", plausibility_rows(2), slug="taken"))
    before = [*Item.objects.values_list("external_id", "content")]
    for browser in (client, colleague):
        address, page = columns_of(browser)
        refused = browser.post(address, fields_of(page) | {"slug": "taken"})
        assert refused.status_code == 422
        said = "taken is not available. Choose another, such as taken-2."
        assert said in refused.content.decode()
    assert [*Item.objects.values_list("external_id", "content")] == before
    assert not (settings.VAR_DIR / "studies/taken").exists()


def test_the_name_that_is_proposed_is_free(client, tmp_path):
    from annotation.loading import load_study

    for slug in ("renamed-items", "renamed-items-2"):
        load_study(write_study(tmp_path / slug, plausibility_rows(2), slug=slug))
    address, page = columns_of(client)
    assert fields_of(page)["slug"] == "renamed-items-3"
    client.post(address, fields_of(page))
    assert Study.objects.filter(slug="renamed-items-3").exists()


def test_a_long_name_that_is_taken_has_room_for_its_number(db, tmp_path):
    from annotation.loading import load_study

    load_study(write_study(tmp_path / "long", plausibility_rows(2), slug="a" * 80))
    assert free_slug("a" * 80) == f"{'a' * 74}-2"
    assert free_slug("a") == "a"


def test_a_fault_of_a_field_without_a_column_has_the_field_s_words(client):
    """No column is mapped to it, so that none can be named: it is called what its field is."""
    address, page = columns_of(client)
    sent = as_roles(page, original="")
    shown = client.post(address, sent | {"show": "1"}).content.decode()
    assert "line 2, First sentence" in shown and "line 2.original" not in shown


def test_markup_in_a_file_stays_text(client):
    text = RENAMED.replace("A dog barks.", "<script>alert(1)</script>").replace("Plain", "<b>Plain</b>")
    _, page = columns_of(client, text=text)
    html = page.content.decode()
    assert "<script>alert" not in html
    assert "<b>Plain" not in html


def test_old_uploads_are_erased(client):
    address, _ = columns_of(client)
    assert drop_old_jobs() == 0
    Job.objects.update(touched_at=F("touched_at") - KEPT - timedelta(minutes=1))
    assert drop_old_jobs() == 1
    assert not list((settings.VAR_DIR / "jobs").glob("*"))
    assert client.get(address).status_code == 404


def test_an_upload_waits_among_ones_jobs(client):
    address, _ = columns_of(client)
    job = Job.objects.get()
    assert "Items from " in client.get(reverse("jobs")).content.decode()
    assert f'href="{address}"' in client.get(reverse("job", args=[job.pk])).content.decode()


def test_the_url_name_follows_the_title_until_another_is_typed(client):
    address, page = columns_of(client)
    page = client.post(address, fields_of(page) | {"title": "Fake doors", "show": "1"})
    assert fields_of(page)["slug"] == "fake-doors"
    page = client.post(address, fields_of(page) | {"title": "False keys", "show": "1"})
    assert fields_of(page)["slug"] == "false-keys"
    page = client.post(address, fields_of(page) | {"slug": "mine", "show": "1"})
    client.post(address, fields_of(page) | {"title": "Keys"})
    assert Study.objects.get().slug == "mine"


def test_a_title_keeps_the_capitals_of_the_file(client):
    _, page = columns_of(client, text="Nr,Satz\n1,Der Hund bellt.\n", name="urteile_MA.csv")
    assert fields_of(page)["title"] == "Urteile MA"


def test_an_id_that_is_there_twice_stays_the_id_and_is_marked(client):
    rows = "".join(f"S{n},Sentence number {n}.,a\n" for n in range(1, 20))
    _, page = columns_of(client, text=f"Nr,Satz,Wort\n{rows}S7,One more sentence.,b\n", name="pilot.csv")
    assert roles_of(page)["id"] == "Nr"
    assert "1 row has a problem" in " ".join(page.content.decode().split())


GERMAN = (
    "Satz\nDer Hund hat das Haus gesehen.\nIch glaube, dass sie nicht schläft.\nDie Frau ist mit dem Mann gekommen.\n"
)


@pytest.mark.parametrize(
    ("question", "texts", "begins"),
    [("Wie klingt dieser Satz?", "de", "Sie sehen ein Beispiel"), ("How good is this sentence?", "en", "You will see")],
)
def test_german_items_have_german_pages_whatever_the_question_is_in(client, question, texts, begins):
    address, page = columns_of(client, text=GERMAN, name="satz.csv", task="rating")
    made = client.post(address, fields_of(page) | {"set-question": question}, follow=True)
    study = Study.objects.get()
    assert (study.language, study.stimuli_speak, study.texts_speak) == ("de", "de", texts)
    assert study.instructions.startswith(begins) and "think is right" not in study.instructions
    assert "pages in German" in " ".join(made.content.decode().split())


def test_a_question_for_german_items_is_proposed_in_german(client):
    first = "Der Hund hat das Haus gesehen.;Der Hund hat gesehen das Haus."
    pairs = f"{first}\nIch glaube, dass sie nicht da ist.;Ich glaube, dass sie ist nicht da.\n"
    _, page = columns_of(client, text=f"Guter Satz;Schlechter Satz\n{pairs}", name="paare.csv")
    assert fields_of(page)["set-question"] == "Welcher Satz klingt besser?"
    assert "Slot marker" not in page.content.decode()
    _, page = columns_of(client, text=GERMAN, name="urteile.csv")
    assert (fields_of(page)["set-question"], fields_of(page)["set-low"]) == (
        "Wie akzeptabel ist dieser Satz?",
        "Völlig inakzeptabel",
    )
