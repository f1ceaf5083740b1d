"""Files of other tools by jobs: labels looked at and imported, several score files, a study of a tool's items."""

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.models import Judgment, LabelSource, Study
from researcher.jobs.folder import folder_of
from researcher.models import Job
from scoring.models import Run
from tests.corpus.formats.writing import WRITTEN
from tests.researcher.jobs.sources import asked, done, of_columns, of_scores, sent
from tests.scoring.imported.foreign_studies import QUALITY, YES_NO
from tests.studies import open_small_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("queue")]
MAP = "id=item\noriginal=original\nmodified=modified\nmodifier=modifier\nnoun=noun"


def written(name):
    return ContentFile((WRITTEN / name).read_bytes(), name=name.rpartition("/")[2])


@pytest.fixture
def study(browser):
    """Made of the items in an export of Label Studio, on the page."""
    asking = {"file-source": [written("label_studio/plausibility.json")], "task": "plausibility", "map": MAP}
    job = done(asked(browser, "data_set", "label-studio", asking | {"slug": "adjectives", "seed": "0"}))
    assert (job.state, job.error) == ("finished", "")
    return Study.objects.get(slug="adjectives")


def upload(browser, study, *files, **said):
    return browser.post(reverse("label_files", args=[study.slug]), {"uploads": files, "source": "a pilot"} | said)


def test_items_of_a_tool_become_a_study(study, mira):
    assert study.items.count() == 4
    assert study.items.get(external_id="key").content["modified"] == "A false key opens doors."
    assert study.memberships.get().user == mira


def test_labels_of_a_tool_are_looked_at_and_imported(browser, study):
    answer = upload(browser, study, written("label_studio/plausibility.json"))
    assert answer.status_code == 302, answer.context["form"].errors
    job, columns = Job.objects.latest("pk"), answer.headers["Location"]
    assert job.key == "label-studio"
    page = browser.get(columns)
    assert "Exported from Label Studio." in page.content.decode()
    form = page.context["form"]
    assert "result.plausibility" in page.context["head"].columns
    guessed = {role: column for column, role in form.role_of.items()}
    assert guessed == {"item": "item", "annotator": "annotator", "label": "label", "seconds": "seconds"}
    meant = {field.label: field.value() for field in form.label_fields}
    assert meant["“Less likely” means"] == "less_likely"
    # Of one word it is said otherwise than the scale has it; of the others nothing is said.
    said = guessed | {"labels_of": "label", "skip_incomplete": "on", "as_imported": "on"}
    said |= {field.name: "impossible" for field in form.label_fields if field.label == "“Less likely” means"}
    of_columns(browser, columns, said)
    job = done(job)
    assert (job.state, job.error) == ("finished", "")
    assert job.summary[0].startswith("plausibility.json: 6 labels of 2 annotators imported")
    given = Judgment.objects.values_list("assignment__item__external_id", "answer")
    assert sorted(given) == [
        ("bridge", "equally_likely"),
        ("bridge", "more_likely"),
        ("key", "impossible"),
        ("key", "impossible"),
        ("rain", "equally_likely"),
        ("rain", "equally_likely"),
    ]
    assert LabelSource.objects.get().note == "a pilot"
    assert not folder_of(job).exists()


def test_only_some_records_are_imported_where_that_is_said(browser, study):
    answer = upload(browser, study, written("label_studio/plausibility.json"), only="annotator=2")
    columns, job = answer.headers["Location"], Job.objects.latest("pk")
    said = {name: name for name in ("item", "annotator", "label", "seconds")} | {"as_imported": "on"}
    of_columns(browser, columns, said)
    assert done(job).summary[0].startswith("plausibility.json: 3 labels of 1 annotator imported")


@pytest.mark.parametrize(
    ("file", "said", "field", "why"),
    [
        (sent("[1, 2]", "a.json"), {"format": "label-studio"}, "uploads", "must be a JSON object"),
        (written("label_studio/plausibility.json"), {"only": "annotator=9"}, "uploads", "no record has annotator=9"),
        (written("label_studio/plausibility.json"), {"only": "nonsense"}, "only", "'nonsense' is not"),
    ],
)
def test_what_cannot_be_read_is_said_at_once(browser, study, file, said, field, why):
    answer = upload(browser, study, file, **said)
    assert answer.status_code == 422
    assert why in answer.context["form"].errors[field][0]
    assert not Job.objects.filter(kind="labels").exists()


def test_score_files_of_a_tool_become_runs(browser, mira, tmp_path):
    study = open_small_study(tmp_path / "yes", YES_NO, slug="yes", task={"type": "yes_no"}, quality=QUALITY)
    give(study, mira, Role.OWNER)
    files = [written("lm_eval/samples_parallax_yes_no.jsonl"), written("lm_eval/samples_parallax_answers.jsonl")]
    answer = of_scores(browser, study, *files, labels="[invalid]=no")
    assert answer.status_code == 302, answer.context["form"].errors
    job = done(Job.objects.get())
    assert (job.state, len(job.summary)) == ("finished", 2), job.error
    run = Run.objects.get()
    assert (run.model.name, run.scored, run.source.reading["format"]) == ("samples_parallax_yes_no", 3, "lm-eval")
    assert "refused: samples_parallax_answers.jsonl" in job.summary[1], "it has several records of an item"


def test_records_are_not_chosen_in_tables_of_scores(browser, mira, tmp_path):
    study = open_small_study(tmp_path / "yes", YES_NO, slug="yes", task={"type": "yes_no"}, quality=QUALITY)
    give(study, mira, Role.OWNER)
    table = sent("item,label,score\nboat,yes,1\n", "a.csv")
    of_scores(browser, study, table, only="filter=word")
    job = done(Job.objects.get())
    assert job.state == "failed" and "this is a table" in job.error
