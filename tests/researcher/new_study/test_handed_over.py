"""What takes longer than a page waits is a worker's: a long folder or table, and a file that takes long to read."""

import io
import zipfile

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.lifecycle import unpacked
from annotation.models import Study
from corpus.formats import apart
from researcher.jobs.starting import MOST_LIVE
from researcher.jobs.working import JOBS
from researcher.models import Job
from tests.researcher.jobs.sources import done, workbook
from tests.researcher.new_study.sending import as_roles, columns_of, fields_of, upload
from tests.studies import plausibility_rows, write_study
from work.kinds import MOST_ATTEMPTS
from work.queue import recover

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("queue")]
MANY = 5_002


def long_table(wrong=()):
    lines = (f"i{1 if n in wrong else n},It rains on day {n}.,3\n" for n in range(MANY))
    return "id,sentence,freq\n" + "".join(lines)


@pytest.fixture
def folder(tmp_path):
    """The zip file of a study of three items."""
    made = write_study(tmp_path / "small", plausibility_rows(3), slug="small")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as out:
        for file in made.iterdir():
            out.write(file, file.name)
    return data.getvalue()


def send_folder(client, data):
    return client.post(reverse("study_upload"), {"folder": SimpleUploadedFile("small.zip", data)})


def page_of(client, job):
    return client.get(reverse("job", args=[job.pk])).content.decode()


def test_a_folder_of_many_items_is_stored_by_a_worker(client, folder, monkeypatch):
    monkeypatch.setattr(unpacked, "MOST_AT_ONCE", 2)
    answer = send_folder(client, folder)
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, reverse("job", args=[job.pk]))
    assert (job.kind, job.state) == ("folder", "queued")
    assert not Study.objects.exists()
    done(job)
    assert (job.state, job.error) == ("finished", "")
    assert Study.objects.get().items.count() == 3
    page = page_of(client, job)
    assert "Study folder: small.zip" in page and "loaded." in page
    assert "small: 3 items added, 0 changed, 0 unchanged" in page


def test_so_is_one_that_takes_longer_to_read_and_what_is_wrong_with_it_is_said_there(client, monkeypatch):
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.01)
    send_folder(client, b"no zip file")
    job = done(Job.objects.get())
    assert job.state == "failed"
    assert "is not a readable zip file" in page_of(client, job)


def test_nobody_has_more_of_them_than_jobs(client, folder, monkeypatch):
    monkeypatch.setattr(unpacked, "MOST_AT_ONCE", 2)
    for _ in range(MOST_LIVE):
        assert send_folder(client, folder).status_code == 302
    answer = send_folder(client, folder)
    assert (answer.status_code, Job.objects.count()) == (422, MOST_LIVE)
    assert "You have 5 jobs in progress" in answer.content.decode()


def test_a_table_that_takes_longer_to_read_leads_to_its_columns_when_it_is_read(client, monkeypatch):
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.01)
    answer = upload(client)
    job = Job.objects.get()
    assert answer["Location"] == reverse("job", args=[job.pk])
    columns = reverse("new_study_columns", args=[job.pk])
    assert client.get(columns).status_code == 404, "nothing to choose before it is read"
    assert "Reading the file" in page_of(client, job) or "Waiting for a worker" in page_of(client, job)
    assert done(job).state == "prepared"
    moved = client.get(reverse("job", args=[job.pk]), headers={"HX-Request": "true"})
    assert moved["HX-Redirect"] == columns
    page = client.get(columns)
    assert page.status_code == 200
    assert client.post(columns, fields_of(page)).status_code == 302
    assert Study.objects.get().items.exists()


def test_one_that_cannot_be_read_says_so_where_it_was_waited_for(client, monkeypatch):
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.01)
    upload(client, b"PK\x03\x04 and more", name="a.csv")
    job = done(Job.objects.get())
    assert job.state == "failed"
    page = page_of(client, job)
    assert "a.csv cannot be read." in page and "is a zip file that is not a workbook" in page
    assert "Change columns" not in page and "Restart" in page


def test_another_encoding_that_takes_longer_is_read_by_a_worker_too(client, monkeypatch):
    where, page = columns_of(client)
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.01)
    answer = client.post(where, fields_of(page) | {"read": "1", "encoding": "iso-8859-1", "header": "on"})
    job = Job.objects.get()
    assert answer["Location"] == reverse("job", args=[job.pk])
    assert done(job).state == "prepared"
    assert client.get(where).context["reading"].how_before.encoding == "iso-8859-1"


def test_readings_are_no_attempts_at_what_comes_after_them(client, monkeypatch):
    """After as many readings as a job has attempts, it was given up when the study was to be made."""
    where, page = columns_of(client, text=long_table(), task="rating")
    job = Job.objects.get()
    chosen = fields_of(page)
    for encoding in ("iso-8859-1", "utf-8", "iso-8859-1"):
        with monkeypatch.context() as hurried:
            hurried.setattr(apart, "PAGE_PATIENCE", 0.01)
            client.post(where, chosen | {"read": "1", "encoding": encoding, "header": "on"})
        assert done(job).state == "prepared"
    client.post(where, chosen)
    done(job)
    assert (job.state, job.error, job.attempts) == ("finished", "", 1)


def test_a_file_that_crashes_its_readers_is_given_up(client, monkeypatch):
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.01)
    upload(client)
    job = Job.objects.get()
    for _ in range(MOST_ATTEMPTS):
        assert Job.objects.claim(job.pk, worker="test/0") is not None
        assert recover(worker="test/0") == 1
    JOBS.work(job.pk, worker="test/0")
    job.refresh_from_db()
    assert job.state == "failed" and f"was cut off {MOST_ATTEMPTS} times" in job.error


def test_only_the_owner_of_a_job_is_led_to_its_columns(client, monkeypatch):
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.01)
    upload(client)
    job = done(Job.objects.get())
    client.force_login(get_user_model().objects.create_superuser("root"))
    for headers in ({}, {"HX-Request": "true"}):
        shown = client.get(reverse("job", args=[job.pk]), headers=headers)
        assert (shown.status_code, "HX-Redirect" in shown) == (200, False)
        assert reverse("new_study_columns", args=[job.pk]) not in shown.content.decode()


def test_a_long_table_is_made_a_study_by_a_worker(client):
    where, page = columns_of(client, text=long_table(), task="rating")
    answer = client.post(where, fields_of(page))
    job = Job.objects.get()
    assert answer["Location"] == reverse("job", args=[job.pk])
    assert not Study.objects.exists()
    done(job)
    assert (job.state, job.error) == ("finished", "")
    assert Study.objects.get().items.count() == MANY
    assert "created as a draft" in page_of(client, job)


def test_what_is_wrong_with_its_rows_stands_beside_its_columns_and_can_be_left_out(client):
    where, page = columns_of(client, text=long_table(wrong={5_001}), task="rating")
    client.post(where, fields_of(page))
    job = done(Job.objects.get())
    assert job.state == "failed"
    shown = page_of(client, job)
    assert f"line {MANY + 1}" in shown and "Change columns" in shown
    page = client.get(where)
    assert f"line {MANY + 1}" in page.content.decode()
    assert "Leave out 1 row" in page.content.decode()
    assert client.post(where, fields_of(page) | {"skip_faulty": "on"}).status_code == 302
    assert done(job).state == "finished"
    assert Study.objects.get().items.count() == MANY - 1


def refused_by_a_worker(client, **sent):
    """The page of columns of a long table in which one sentence is missing, and its job."""
    where, page = columns_of(client, task="rating", **sent)
    client.post(where, fields_of(page))
    job = done(Job.objects.get())
    assert job.state == "failed"
    page = client.get(where)
    assert page.context["faulty_count"] == 1
    return job, where, page


def gap(n):
    return "" if n == 5_001 else f"It rains on day {n}."


def test_problems_are_those_of_the_columns_that_are_chosen_now(client):
    lines = (f"i{n},{gap(n)},The sun shines on day {n}.\n" for n in range(MANY))
    job, where, page = refused_by_a_worker(client, text="id,sentence,other\n" + "".join(lines))
    before, other = fields_of(page), as_roles(page, sentence="other")
    retitled = client.post(where, before | {"title": "Days", "show": "1"})
    assert (retitled.context["faulty_count"], retitled.context["faults_count"]) == (1, 1)
    changed = client.post(where, other | {"show": "1"})
    assert (changed.context["faulty_count"], changed.context["faults_count"]) == (0, 0)
    assert "Leave out 1 row" not in client.get(where).content.decode()
    assert "Leave out 1 row" in client.post(where, before | {"show": "1"}).content.decode()
    client.post(where, other)
    assert done(job).state == "finished"


def test_problems_of_one_sheet_are_none_of_another(client):
    short = [["id", "sentence"], ["a", "It snows."], ["b", ""]]
    long = [["id", "sentence"], *([f"i{n}", gap(n)] for n in range(MANY))]
    _, where, page = refused_by_a_worker(client, text=workbook(long=long, short=short), name="a.xlsx")
    client.post(where, fields_of(page) | {"read": "1", "sheet": "short"})
    page = client.get(where)
    assert page.context["table"].sheet == "short"
    assert list(page.context["faults"]) and "line 5003" not in page.content.decode()
    assert page.context["faulty_count"] == 1 and page.context["sound"] == 1
