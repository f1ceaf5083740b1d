"""Labels brought into a study by a page: looked at first, then imported by a worker's part."""

import io

import openpyxl
import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.elsewhere.label_import import import_labels
from annotation.loading import load_study
from annotation.models import Judgment, LabelSource
from researcher.jobs.folder import folder_of
from researcher.models import Job
from tests.researcher.jobs.sources import done, of_columns, sent, workbook
from tests.studies import plausibility_rows, write_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("queue")]
LESS, EQUAL = "less_likely", "equally_likely"


def upload(browser, study, *files):
    answer = browser.post(reverse("label_files", args=[study.slug]), {"uploads": files, "source": "a pilot"})
    assert answer.status_code == 302, answer.context["form"].errors
    return Job.objects.latest("pk"), answer.headers["Location"]


WORDS = "Sentence,Worker,Answer,RT\ntarget-1,anna,2,1.5\ntarget-2,anna,3,2\ntarget-1,bert,3,\n"


def test_the_column_named_item_is_the_item_where_another_also_holds_ids(browser, study):
    """As the command reads it: an item made from another one often names it."""
    text = "source,item,annotator,label\ntarget-1,target-2,anna,2\n"
    _, columns = upload(browser, study, sent(text, "pilot.csv"))
    assert {role: column for column, role in browser.get(columns).context["form"].role_of.items()}["item"] == "item"


def test_rows_of_unknown_items_can_be_left_out(browser, study):
    text = "item,annotator,label\ntarget-1,anna,impossible\nx,anna,impossible\n"
    job, columns = upload(browser, study, sent(text, "a.csv"))
    guessed = {role: column for column, role in browser.get(columns).context["form"].role_of.items()}
    of_columns(browser, columns, guessed)
    assert "Rows of other items can be left out beside the columns." in done(job).error
    of_columns(browser, columns, guessed | {"skip_unknown": "on"})
    [said] = done(job).summary
    assert said == "a.csv: 1 label of 1 annotator imported, 0 unchanged; 1 line of unknown items left out: 3"


def test_a_column_that_says_nothing_but_labels_is_that_of_labels(browser, study):
    """Whatever it is called in whatever language; of two such columns a person chooses."""
    rows = ["target-1;anna;less_likely;7", "target-2;anna;equally_likely;8"]
    _, columns = upload(browser, study, sent("\n".join(["Item;Participant;Antwort;Trial", *rows]), "a.csv"))
    assert browser.get(columns).context["form"].role_of["Antwort"] == "label"
    both = ["Item;Participant;Antwort;Zweite", *(f"{row[:-2]};{row.split(';')[2]}" for row in rows)]
    _, columns = upload(browser, study, sent("\n".join(both), "b.csv"))
    assert "label" not in browser.get(columns).context["form"].role_of.values()


def test_labels_are_looked_at_then_imported(browser, study):
    job, columns = upload(browser, study, sent(WORDS, "pilot.csv"))
    assert job.state == "prepared"
    form = browser.get(columns).context["form"]
    guessed = {role: column for column, role in form.role_of.items()}
    assert guessed == {"item": "Sentence", "annotator": "Worker", "label": "Answer", "seconds": "RT"}
    assert [(field.label, field.value()) for field in form.label_fields] == [
        ("“2” means", LESS),
        ("“3” means", EQUAL),
    ]
    said = guessed | {"labels_of": "Answer", "label-0": "impossible", "label-1": EQUAL}
    answer = of_columns(browser, columns, said)
    assert answer.headers["Location"] == reverse("job", args=[job.pk])
    assert (done(job).state, job.error) == ("finished", "")
    assert job.summary == ["pilot.csv: 3 labels of 2 annotators imported, 0 unchanged"]
    given = Judgment.objects.filter(assignment__sitting__study=study).values_list(
        "assignment__item__external_id", "answer"
    )
    assert sorted(given) == [("target-1", EQUAL), ("target-1", "impossible"), ("target-2", EQUAL)]
    assert LabelSource.objects.get().note == "a pilot"
    assert not folder_of(job).exists()
    page = browser.get(reverse("job", args=[job.pk])).content.decode()
    assert "3 labels of 2 annotators imported" in page


def test_it_is_the_verb_of_the_command(browser, study, tmp_path):
    """The same file by the command's verb afterwards changes nothing."""
    text = f"item,annotator,label\ntarget-1,anna,{LESS}\n"
    job, columns = upload(browser, study, sent(text, "labels.csv"))
    of_columns(browser, columns, {"item": "item", "annotator": "annotator", "label": "label"})
    done(job)
    (tmp_path / "labels.csv").write_text(text)
    again = import_labels(study, tmp_path / "labels.csv")
    assert (again.labels, again.unchanged) == (0, 1)


def test_several_files_and_faults_by_line(browser, study):
    sound, faulty = (
        f"item,annotator,label\ntarget-1,anna,{LESS}\n",
        f"item,annotator,label\ntarget-9,bert,{LESS}\ntarget-1,bert,no\n",
    )
    job, columns = upload(browser, study, sent(sound, "one.csv"), sent(faulty, "two.csv"))
    of_columns(browser, columns, {"item": "item", "annotator": "annotator", "label": "label"})
    assert done(job).state == "failed"
    assert job.error.startswith("two.csv: 2 problems; nothing was imported. Rows of other items")
    assert "Before it: one.csv: 1 label of" in job.error
    assert [fault[:2] for fault in job.faults] == [
        ["two.csv", "line 2, column “item”"],
        ["two.csv", "line 3, column “label”"],
    ]
    assert Judgment.objects.filter(assignment__sitting__study=study).count() == 1


MORE = "item,annotator,label\n" + "".join(f"target-1,a{n},{LESS}\n" for n in range(4))
AS_THEY_ARE = {"item": "item", "annotator": "annotator", "label": "label"}


def test_more_labels_than_an_open_study_wants_are_no_matter_of_a_box(browser, study):
    """How many it wants was fixed when it opened: the box is not there, and the advice is what can be done."""
    job, columns = upload(browser, study, sent(MORE, "more.csv"))
    page = browser.get(columns).content.decode()
    assert "as_imported" not in page
    assert "3 labels per item, locked since the study opened. Files with more are refused." in page
    of_columns(browser, columns, AS_THEY_ARE | {"as_imported": "on"})
    assert done(job).state == "failed"
    assert "'target-1' would have 4. The study has opened, so this number is locked" in job.error
    assert "No one has started: make the study a draft again (Setup)" in job.error
    # As it says: nothing else is in the way, and the study opens again as it was.
    assert "Make it a draft again" in browser.get(reverse("label_files", args=[study.slug])).content.decode()
    browser.post(reverse("study_unlock", args=[study.slug]))
    job, columns = upload(browser, study, sent(MORE, "more.csv"))
    of_columns(browser, columns, AS_THEY_ARE | {"as_imported": "on"})
    assert done(job).summary == ["more.csv: 4 labels of 4 annotators imported, 0 unchanged"]


def test_where_somebody_has_labeled_the_way_out_is_a_copy(browser, study):
    job, columns = upload(browser, study, sent(f"item,annotator,label\ntarget-1,anna,{LESS}\n", "one.csv"))
    of_columns(browser, columns, AS_THEY_ARE)
    assert done(job).state == "finished"
    assert "Duplicate the study" in browser.get(reverse("label_files", args=[study.slug])).content.decode()
    job, columns = upload(browser, study, sent(MORE, "more.csv"))
    of_columns(browser, columns, AS_THEY_ARE)
    assert done(job).state == "failed"
    assert "or duplicate the study (Setup, Study files), set 5 labels per item in the copy" in job.error
    assert Judgment.objects.filter(assignment__sitting__study=study).count() == 1


def test_a_draft_may_want_what_the_file_has(browser, mira, tmp_path):
    draft = load_study(write_study(tmp_path / "draft", plausibility_rows(3), slug="draft")).study
    give(draft, mira, Role.OWNER)
    job, columns = upload(browser, draft, sent(MORE, "more.csv"))
    of_columns(browser, columns, AS_THEY_ARE)
    assert done(job).state == "failed"
    assert "Set it to 4 (Setup, Labels per item)" in job.error
    job, columns = upload(browser, draft, sent(MORE, "more.csv"))
    of_columns(browser, columns, AS_THEY_ARE | {"as_imported": "on"})
    assert done(job).summary == ["more.csv: 4 labels of 4 annotators imported, 0 unchanged"]


WIDE = "item,Anna,Ben,Cleo\ntarget-1,1,5,NA\ntarget-2,2,2,don't know\n"


def posted(form, **changes):
    """What a browser sends of a form as it stands."""
    return {field.name: field.value() for field in form if field.value() not in (None, False, "")} | changes


def test_a_word_for_no_label_is_honored_and_a_column_may_be_a_person(browser, mira, tmp_path):
    draft = load_study(write_study(tmp_path / "wide", plausibility_rows(2), slug="wide")).study
    give(draft, mira, Role.OWNER)
    job, columns = upload(browser, draft, sent(WIDE, "wide.csv"))
    said = {"item": "item", "people": ["Anna", "Ben", "Cleo"]}
    form = browser.get(columns).context["form"]
    assert form["as_imported"].value() is True, "it has no labels yet"
    form = of_columns(browser, columns, said | {"show": "1"}).context["form"]
    words = [field.label for field in form.label_fields]
    assert words == ["“1” means", "“2” means", "“5” means", "“NA” means", "“don't know” means"]
    meanings = dict(zip([field.name for field in form.label_fields], ["impossible", "less_likely"], strict=False))
    meanings |= {"label-2": "necessarily_true", "label-3": "", "label-4": "", "labels_of": "Anna, Ben, Cleo"}
    of_columns(browser, columns, said | meanings | {"as_imported": "on", "skip_incomplete": "on"})
    job = done(job)
    assert job.state == "finished", job.error
    given = Judgment.objects.values_list("assignment__item__external_id", "answer")
    assert sorted(given) == [
        ("target-1", "impossible"),
        ("target-1", "necessarily_true"),
        ("target-2", "less_likely"),
        ("target-2", "less_likely"),
    ]


def test_what_was_said_is_kept_after_a_failure_and_can_be_changed(browser, mira, tmp_path):
    draft = load_study(write_study(tmp_path / "kept", plausibility_rows(2), slug="kept")).study
    give(draft, mira, Role.OWNER)
    text = "id,who,said\ntarget-1,Ann,NA\ntarget-2,Ann,impossible\ntarget-2,ann,impossible\n"
    job, columns = upload(browser, draft, sent(text, "kept.csv"))
    said = {"item": "id", "annotator": "who", "label": "said", "labels_of": "said"}
    said |= {"label-0": "", "label-1": "impossible"}
    of_columns(browser, columns, said)
    job = done(job)
    assert (job.state, job.faults[0][1:]) == ("failed", ["line 2, column “said”", job.faults[0][2]])
    assert columns in browser.get(reverse("job", args=[job.pk])).content.decode()
    form = browser.get(columns).context["form"]
    assert form.role_of == {"id": "item", "who": "annotator", "said": "label"}
    assert [field.value() for field in form.label_fields] == ["", "impossible"]
    of_columns(browser, columns, said | {"skip_incomplete": "on", "as_imported": "on"})
    job = done(job)
    assert job.state == "finished", job.error
    assert job.summary[1] == "kept.csv: Ann and ann are read as 2 annotators; each spelling is a separate annotator"


def test_labels_in_excel_are_looked_at_and_imported(browser, mira, tmp_path):
    draft = load_study(write_study(tmp_path / "excel", plausibility_rows(2), slug="excel")).study
    give(draft, mira, Role.OWNER)
    book, data = openpyxl.Workbook(), io.BytesIO()
    for row in (("item", "annotator", "label"), ("target-1", "ann", "impossible"), ("target-2", "ann", "Less likely")):
        book.active.append(row)
    book.save(data)
    job, columns = upload(browser, draft, ContentFile(data.getvalue(), name="labels.xlsx"))
    form = browser.get(columns).context["form"]
    browser.post(columns, posted(form, labels_of="label", as_imported="on"))
    assert done(job).state == "finished", job.error
    assert Judgment.objects.filter(answer="less_likely").count() == 1


def test_another_sheet_of_labels_is_chosen_where_the_columns_are(browser, study):
    labels = [("item", "annotator", "label"), ("target-1", "ann", "impossible")]
    data = workbook(Notes=[("of", "whom")] * 4, Labels=labels)
    job, columns = upload(browser, study, ContentFile(data, name="labels.xlsx"))
    page = browser.get(columns)
    assert page.context["reading"]["sheet"].value() == "Notes"
    assert "Reread file" in page.content.decode()
    browser.post(columns, {"read": "1", "sheet": "Labels"})
    page = browser.get(columns)
    assert page.context["head"].columns == ("item", "annotator", "label")
    browser.post(columns, posted(page.context["form"], labels_of="label"))
    assert done(job).state == "finished", job.error
    assert Judgment.objects.filter(answer="impossible").count() == 1


def test_the_encoding_of_labels_is_chosen(browser, study):
    """Shift JIS is seen in no bytes: it is chosen on the first page, or where the columns are."""
    text = "item,annotator,label\ntarget-1,花子,impossible\n".encode("shift_jis")
    address = reverse("label_files", args=[study.slug])
    chosen = {"uploads": [ContentFile(text, name="labels.csv")], "encoding": "shift_jis"}
    columns = browser.post(address, chosen).headers["Location"]
    page = browser.get(columns)
    assert "花子" in page.content.decode()
    assert page.context["reading"]["encoding"].value() == "shift_jis"
    browser.post(columns, {"read": "1", "encoding": "utf-8"})
    page = browser.get(columns)
    assert "The file cannot be read: " in page.content.decode()
    assert page.context["reading"]["encoding"].value() == "shift_jis", "it stays as it was read"
    browser.post(columns, posted(page.context["form"], labels_of="label"))
    assert done(Job.objects.latest("pk")).state == "finished"
    assert LabelSource.objects.count() == 1


def test_a_column_is_one_thing(browser, study):
    _, columns = upload(browser, study, sent(WORDS, "pilot.csv"))
    answer = browser.post(columns, {"as-1": "item", "as-2": "annotator", "as-3": "annotator"})
    assert answer.status_code == 422
    form = answer.context["form"]
    assert form.errors["as-3"] == ["Another column is “Annotator” already."]
    assert form.errors["__all__"] == ["Choose the column that is “Label”."]


def test_another_kind_of_file_is_refused(browser, study, place):
    answer = browser.post(reverse("label_files", args=[study.slug]), {"uploads": sent("x", "labels.exe")})
    assert answer.status_code == 422 and "labels.exe is not a supported type:" in answer.content.decode()
    assert not (place / "jobs").exists()


@pytest.mark.parametrize("address", ["label_files", "score_files"])
def test_a_file_must_be_there(browser, study, address):
    answer = browser.post(reverse(address, args=[study.slug]), {"source": "a pilot"})
    assert answer.status_code == 422
    assert answer.context["form"].errors["uploads"] == ["Choose a file."]
    assert not Job.objects.exists()


def test_what_is_no_table_is_said(browser, study):
    _, columns = upload(browser, study, sent("\0\xff", "labels.csv"))
    assert "No row of labels.csv could be read" in browser.get(columns).content.decode()


def test_whoever_may_no_longer_collect_sees_the_job_no_more(browser, study, mira):
    job, columns = upload(browser, study, sent(WORDS, "pilot.csv"))
    assert browser.get(columns).status_code == 200
    study.memberships.filter(user=mira).update(role=Role.ANALYST)
    assert browser.get(columns).status_code == 404
    assert browser.get(reverse("job", args=[job.pk])).status_code == 404


def test_the_page_of_collecting_leads_there(browser, study):
    assert (
        f'action="{reverse("label_files", args=[study.slug])}"'
        in browser.get(reverse("bring_in", args=[study.slug])).content.decode()
    )
    assert (
        f'href="{reverse("score_files", args=[study.slug])}"'
        in browser.get(reverse("runs", args=[study.slug])).content.decode()
    )
