"""Scores brought into a study by the pages: their columns chosen first, then imported by a worker's part."""

import io

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.urls import reverse

from researcher.jobs.folder import folder_of
from researcher.jobs.starting import stop_job
from researcher.jobs.watched import JobProgress
from researcher.models import Job
from scoring.models import Run
from tests.researcher.jobs.sources import done, of_scores, sent, workbook

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("queue")]
LESS = "less_likely"


def scores(sign):
    return "item,label,score\n" + "".join(f"target-{n},{LESS},{sign * n}\n" for n in (1, 2, 3))


def test_several_score_files_become_runs(browser, study, mira):
    files = [sent(scores(1), "one.csv"), sent(scores(-1), "two.csv"), sent("item,score\nnone,1\n", "three.csv")]
    answer = of_scores(browser, study, *files, metric="plausibility")
    assert answer.status_code == 302, answer.context["form"].errors
    job = Job.objects.get()
    assert (done(job).state, job.done, job.of) == ("finished", 3, 3)
    runs = Run.objects.filter(study=study).select_related("model", "source")
    assert {(run.model.name, run.metric, run.source.imported_by) for run in runs} == {
        ("one", "plausibility", "mira"),
        ("two", "plausibility", "mira"),
    }
    assert [line.partition(":")[0] for line in job.summary] == ["one.csv", "two.csv", "refused"]
    assert str(folder_of(job)) not in "".join(job.summary)


def test_scores_are_read_of_the_sheet_and_in_the_encoding_that_are_chosen(browser, study):
    rows = [("item", "score"), ("target-1", 1), ("target-2", 2), ("target-3", -1.5)]
    book = workbook(Notes=[("of", "whom"), ("x", "y")], Scores=rows)
    text = "Größe,Maß\ntarget-1,1\ntarget-2,2\ntarget-3,3\n".encode("cp1250")
    of_scores(browser, study, ContentFile(book, name="book.xlsx"), sheet="Scores", metric="plausibility")
    assert done(Job.objects.latest("pk")).state == "finished", Job.objects.latest("pk").error
    more = {"encoding": "cp1250", "item": "Größe", "score": "Maß"}
    of_scores(browser, study, ContentFile(text, name="text.csv"), **more)
    assert done(Job.objects.latest("pk")).state == "finished", Job.objects.latest("pk").error
    assert {run.model.name: run.scored for run in Run.objects.filter(study=study)} == {"book": 3, "text": 3}


@pytest.fixture
def heard(monkeypatch):
    """What the rows of jobs are told, with a word after every line."""
    monkeypatch.setattr("corpus.workplace.TELLING", 1)
    said, report = [], JobProgress.report

    def listened(watched, step, done=0, of=0, unit=""):
        said.append((step, done, of, unit))
        report(watched, step, done, of, unit)

    monkeypatch.setattr(JobProgress, "report", listened)
    return said


def test_how_far_it_is_goes_by_lines_within_each_file(browser, study, heard):
    files = [sent(scores(1), "one.csv"), sent(scores(-1), "two.csv")]
    of_scores(browser, study, *files, metric="plausibility")
    job = done(Job.objects.get())
    assert job.state == "finished"
    for place, name in enumerate(("one.csv", "two.csv"), start=1):
        of_file = f": {name}, file {place} of 2"
        lines = [one for one in heard if one[0] == f"reading the lines{of_file}"]
        assert [count for _, count, _, _ in lines] == [1, 2, 3]
        assert {(of, unit) for *_, of, unit in lines} == {(4, "lines")}
        items = [one for one in heard if one[0] == f"finding what they say of items{of_file}"]
        assert [one[1:] for one in items] == [(1, 3, "items"), (2, 3, "items"), (3, 3, "items")]
        assert (f"storing 3 scores{of_file}", 0, 0, "") in heard
    assert heard[-1] == ("all files are read", 2, 2, "files")


def test_a_job_that_is_stopped_within_a_file_keeps_nothing_of_it(browser, study, heard, monkeypatch):
    report = JobProgress.report

    def stopped(watched, step, done=0, of=0, unit=""):
        if step.startswith("reading the lines: two.csv") and done == 2:
            stop_job(Job.objects.get())
        report(watched, step, done, of, unit)

    monkeypatch.setattr(JobProgress, "report", stopped)
    files = [sent(scores(1), "one.csv"), sent(scores(-1), "two.csv")]
    of_scores(browser, study, *files, metric="plausibility")
    assert done(Job.objects.get()).state == "stopped"
    assert [run.model.name for run in Run.objects.all()] == ["one"]
    assert heard[-1][:2] == ("reading the lines: two.csv, file 2 of 2", 2)


def test_a_file_that_is_refused_has_faults_by_line(browser, study):
    of_scores(browser, study, sent("item,score\ntarget-1,x\nnone,1\n", "a.csv"))
    job = done(Job.objects.get())
    assert (job.state, job.error) == ("failed", "a.csv: 1 problem; nothing was imported.")
    assert job.faults == [["a.csv", "line 2, column “score”", "'x' is not a number"]] and not Run.objects.exists()
    columns = reverse("score_columns", args=[study.slug, job.pk])
    assert columns in browser.get(reverse("job", args=[job.pk])).content.decode(), "columns can be chosen again"
    assert browser.get(columns).status_code == 200


def test_files_that_are_all_refused_are_faults(browser, study):
    files = [sent(f"item,score\nnone,{n}\n", f"{n}.csv") for n in (1, 2)]
    of_scores(browser, study, *files)
    job = done(Job.objects.get())
    assert (job.state, job.error) == ("failed", "All 2 files were refused. Nothing was imported.")
    assert ["1.csv" in job.faults[0][2], "2.csv" in job.faults[1][2]] == [True, True] and not Run.objects.exists()


@pytest.mark.parametrize(
    ("said", "field", "why"),
    [
        ({"columns": "nonsense"}, "columns", "'nonsense' is not WHAT=COLUMN"),
        ({"columns": "score.odd=score"}, "columns", "describes the item and the others describe options"),
        ({"text": "label", "label": ""}, "as-2", "Choose either the item or the sentence column."),
        ({"as-1": "item", "as-2": "score", "as-3": "score"}, "as-3", "Another column is “Score” already."),
        ({"score": "", "label": "", "prob": "score"}, "__all__", "Map one score per item or one number per option."),
        ({"name": "a\tb"}, "__all__", "The model’s name must be text on one line"),
        ({"family": "made up"}, "family", "Select a valid choice"),
    ],
)
def test_columns_that_make_no_sense_are_said_at_once(browser, study, said, field, why):
    answer = of_scores(browser, study, sent(scores(1), "a.csv"), **said)
    assert answer.status_code == 422
    assert why in answer.context["form"].errors[field][0]
    assert Job.objects.get().state == "prepared"


def test_scores_of_each_option_have_columns_to_choose(browser, study):
    """A number for each label of the study, as a model that was asked in words gives it, and lines without names."""
    scale = study.task.scale.values
    rows = [["target-1", *(0.1 + place / 10 for place in range(len(scale)))]]
    text = "\n".join(";".join(map(str, row)) for row in rows) + "\n"
    chosen = {"item": "1", "measured": "prob"} | {f"number.{one}": str(n) for n, one in enumerate(scale, start=2)}
    answer = of_scores(browser, study, sent(text, "p.csv"), header="", delimiter=";", **chosen)
    assert answer.status_code == 302, answer.context["form"].errors
    job = done(Job.objects.get())
    assert job.state == "finished", job.error
    run = Run.objects.get()
    assert (run.scored, run.unscored) == (1, 2)
    assert dict(run.source.reading["columns"])["prob.impossible"] == "2"
    assert (run.source.reading["header"], run.source.reading["delimiter"]) == (False, ";")


def test_what_the_reader_takes_by_itself_is_the_same_reading_as_by_command(browser, study, tmp_path):
    of_scores(browser, study, sent(scores(1), "m.csv"))
    assert done(Job.objects.get()).state == "finished"
    (tmp_path / "m.csv").write_text(scores(1))
    said = [study.slug, str(tmp_path / "m.csv"), "--name", "m", "--source", "our lab"]
    out = io.StringIO()
    call_command("import_scores", *said, stdout=out)
    assert "was imported before; nothing has changed" in out.getvalue()


def test_every_choice_of_how_scores_are_read_is_kept(browser, study):
    chosen = {"lower_is_better": "on", "ranks_from": "0", "skip_unknown": "on", "family": "causal", "name": "Huge"}
    of_scores(browser, study, sent(scores(1) + "none,,9\n", "a.csv"), **chosen)
    assert done(Job.objects.get()).state == "finished", Job.objects.get().error
    run = Run.objects.select_related("model", "source").get()
    assert (run.model.name, run.model.family, run.metric) == ("Huge", "causal", "score")
    read = run.source.reading
    assert (read["lower_is_better"], read["ranks_from"], read["skip_unknown"]) == (True, 0, True)
    assert run.scores.get(item__external_id="target-3").strength == -3


def test_a_papers_files_say_by_their_names_what_they_are(browser, study):
    sentences = study.items.filter(kind="target").values_list("content", flat=True)
    lines = "".join(f"{n}\t{content['modified']}\t-{n}.5\n" for n, content in enumerate(sentences, start=1))
    lines += "".join(f"{n}\t{content['original']}\t-{n}\n" for n, content in enumerate(sentences, start=1))
    answer = of_scores(browser, study, sent(lines, "ev1.gpt2-xl.sentence-LL.txt"), format="kauf")
    assert answer.headers["Location"] == reverse("job", args=[Job.objects.get().pk]), "nothing else is asked"
    job = done(Job.objects.get())
    assert browser.get(reverse("score_columns", args=[study.slug, job.pk])).status_code == 404
    assert job.state == "finished", (job.error, job.faults)
    assert (Run.objects.get().model.name, Run.objects.get().metric) == ("gpt2-xl", "sentence-LL")


def test_the_former_page_of_several_files_leads_to_the_one_there_is(browser, study):
    answer = browser.get(f"/studies/{study.slug}/runs/import/several/")
    assert answer.headers["Location"] == reverse("score_files", args=[study.slug])
