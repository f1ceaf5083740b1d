"""A file that was read, and is to be read otherwise by a worker: where that cannot be, it stays as it is read."""

import pytest
from django.urls import reverse

from corpus.formats import apart
from researcher.imports.head import how_of
from researcher.jobs.starting import stop_job
from researcher.jobs.watched import JobProgress
from researcher.jobs.working import JOBS, read_file
from researcher.models import Job
from tests.researcher.jobs.sources import done
from tests.researcher.new_study.renamed import RENAMED
from tests.researcher.new_study.sending import columns_of, fields_of
from work.kinds import MOST_ATTEMPTS
from work.leases import LeaseLost

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("queue")]
# Of an odd number of bytes, which is no UTF-16.
ODD = RENAMED if len(RENAMED.encode()) % 2 else f"{RENAMED}\n"
WRONG = {"read": "1", "encoding": "utf-16-le", "header": "on"}


@pytest.fixture
def asked_otherwise(client, monkeypatch):
    """A job that waits to be read in an encoding that it is not in, and the page of its columns."""
    where, page = columns_of(client, text=ODD)
    with monkeypatch.context() as hurried:
        hurried.setattr(apart, "PAGE_PATIENCE", 0.01)
        client.post(where, fields_of(page) | WRONG)
    job = Job.objects.get()
    assert job.state == "queued"
    return job, where


def held_by_a_worker(job):
    held = Job.objects.claim(job.pk, worker="test/0")
    assert held is not None
    return held


def is_as_it_was(client, job, where):
    job.refresh_from_db()
    page = client.get(where)
    assert (job.state, how_of(job.given).encoding, page.status_code) == ("prepared", "", 200)
    assert page.context["table"].encoding == "utf-8" and page.context["rows"]
    return page.content.decode()


def test_what_cannot_be_read_so_is_said_beside_its_columns_once(client, asked_otherwise):
    job, where = asked_otherwise
    done(job)
    assert client.get(reverse("job", args=[job.pk]), headers={"HX-Request": "true"})["HX-Redirect"] == where
    assert "The file cannot be read: " in is_as_it_was(client, job, where)
    page = client.get(where)
    assert "The file cannot be read: " not in page.content.decode()
    assert client.post(where, fields_of(page)).status_code == 302


def test_so_it_does_where_it_was_stopped_before_a_worker_had_it(client, asked_otherwise):
    job, where = asked_otherwise
    answer = client.post(reverse("job_stop", args=[job.pk]), follow=True)
    assert "Stopped. The file stays as it was read before." in answer.content.decode()
    is_as_it_was(client, job, where)


@pytest.mark.parametrize("encoding", ["utf-16-le", "iso-8859-1"])
def test_a_worker_that_was_stopped_reads_nothing_under_the_reader_s_hands(client, asked_otherwise, encoding):
    job, where = asked_otherwise
    Job.objects.update(given=job.given | {"encoding": encoding})
    held = held_by_a_worker(job)
    stop_job(job)
    with pytest.raises(LeaseLost):
        held.require_wanted()
    with pytest.raises(LeaseLost):
        read_file(held, JobProgress(held))
    is_as_it_was(client, job, where)


def test_a_worker_that_is_stopped_while_it_reads_leaves_the_table_as_it_was(client, asked_otherwise, monkeypatch):
    job, where = asked_otherwise
    Job.objects.update(given=job.given | {"encoding": "iso-8859-1"})
    held = held_by_a_worker(job)
    monkeypatch.setattr(JobProgress, "report", lambda *_: stop_job(Job.objects.get()))
    with pytest.raises(LeaseLost):
        read_file(held, JobProgress(held))
    is_as_it_was(client, job, where)


def test_so_it_does_where_reading_it_so_ends_every_worker(client, asked_otherwise):
    job, where = asked_otherwise
    Job.objects.update(attempts=MOST_ATTEMPTS)
    JOBS.work(job.pk, worker="test/0")
    assert f"The file was not read. It was cut off {MOST_ATTEMPTS} times" in is_as_it_was(client, job, where)
