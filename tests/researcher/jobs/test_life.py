"""A job's life: who sees it, stopped, lost with its worker, taken up again, and erased."""

import errno
import os
import re
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management.color import no_style
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from annotation.models import Study
from corpus.errors import Fault
from corpus.sweep import STEP
from researcher.jobs import working
from researcher.jobs.folder import folder_of, plain
from researcher.jobs.page import JobPage
from researcher.jobs.starting import MOST_LIVE
from researcher.jobs.watched import JobProgress, JobRefused
from researcher.jobs.working import JOBS, drop_old_jobs, in_words, order_of
from researcher.models import Job
from scoring.corpus_passes.part import CorpusPart, PartFailed
from stimuli.making.own_process import Refused, Subprocess
from tests.forked import PATIENCE
from tests.researcher.jobs.sources import CORPUS, asked, done, sent
from work.kinds import MOST_ATTEMPTS
from work.leases import LeaseLost
from work.queue import keep_moving, messages_waiting, recover

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


@pytest.fixture
def job(mira) -> Job:
    return Job.objects.create(
        kind="construction", key="agreement", owner=mira, given={"per_cell": "1", "phenomenon": ["simple"]}
    )


def claimed(job, worker="test/0"):
    held = Job.objects.claim(job.pk, worker=worker, until=timezone.now() + Job.LEASE)
    assert held is not None
    return held


@pytest.mark.slow
def test_a_job_is_seen_by_who_asked_for_it(browser, job, client):
    for name in ("job", "job_stop", "job_again"):
        address = reverse(name, args=[job.pk])
        assert client.post(address).status_code == (405 if name == "job" else 404)
    assert client.get(reverse("job", args=[job.pk])).status_code == 404
    assert f'href="{reverse("job", args=[job.pk])}"' not in client.get(reverse("jobs")).content.decode()
    assert browser.get(reverse("job", args=[job.pk])).status_code == 200
    assert f'href="{reverse("job", args=[job.pk])}"' in browser.get(reverse("jobs")).content.decode()


@pytest.mark.slow
def test_a_stopped_job_is_left_alone(browser, job):
    watched = JobProgress(claimed(job))
    watched.report("reading", 1, 10, "files")
    browser.post(reverse("job_stop", args=[job.pk]))
    with pytest.raises(LeaseLost):
        watched.report("reading", 2, 10, "files")
    with pytest.raises(LeaseLost):
        watched.finish([])
    with pytest.raises(LeaseLost):
        watched.fail(JobRefused("too late"))
    job.refresh_from_db()
    assert (job.state, job.error, job.done) == ("stopped", "", 1)
    JOBS.work(job.pk, worker="test/1")
    assert not Study.objects.exists()


@pytest.mark.slow
def test_progress_has_a_count_a_rate_and_the_time_left(browser, job):
    held = claimed(job)
    JobProgress(held).report("reading the text", 0, 30_000_000, "B")
    Job.objects.filter(pk=job.pk).update(done=10_000_000, step_at=timezone.now() - timedelta(seconds=10))
    job.refresh_from_db()
    now = JobPage(job, job.step_at + timedelta(seconds=10)).progress
    assert (now.count, now.rate, now.left) == ("10.0 of 30.0 MB", "1.00 MB a second", "about 20 s left")
    page = browser.get(reverse("job", args=[job.pk]), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in page and 'hx-trigger="every 1s"' in page
    assert re.search(r"10.0 of 30.0 MB, [\d.]+ MB a second, about \d+ (s|min) left", " ".join(page.split()))
    whole = browser.get(reverse("job", args=[job.pk])).content.decode()
    assert '<noscript><meta http-equiv="refresh"' in whole and "You can close this page." in whole


@pytest.mark.slow
def test_a_lost_job_waits_again_and_is_not_tried_for_ever(job):
    for attempt in range(MOST_ATTEMPTS):
        claimed(job)
        assert recover(worker="test/0") == 1
        job.refresh_from_db()
        assert (job.state, job.attempts) == ("queued", attempt + 1)
    JOBS.work(job.pk, worker="test/0")
    job.refresh_from_db()
    assert job.state == "failed" and f"was cut off {MOST_ATTEMPTS} times" in job.error


@pytest.mark.slow
def test_a_queue_that_was_emptied_is_filled(job):
    assert messages_waiting(Job.QUEUE) == 0
    keep_moving()
    assert messages_waiting(Job.QUEUE) == 1


@pytest.mark.slow
def test_what_somebody_brings_waits_behind_no_build(job, mira):
    """Hours of somebody's construction kept a short list of items, which is a matter of seconds."""
    brought = [Job.objects.create(kind=kind, owner=mira) for kind in ("folder", "items", "labels", "scores")]
    built = [job, Job.objects.create(kind="dataset", owner=mira)]
    assert {one.queue for one in built} == {"jobs"} and {one.queue for one in brought} == {"large"}
    assert {one.limit for one in built} == {Job.LIMIT} and max(one.limit for one in brought) < Job.LIMIT
    keep_moving()
    assert (messages_waiting("jobs"), messages_waiting("large")) == (2, 4)
    keep_moving()
    assert (messages_waiting("jobs"), messages_waiting("large")) == (2, 4)


@pytest.mark.slow
@pytest.mark.parametrize("state", ["prepared", "failed"])
def test_files_whose_columns_are_being_chosen_are_kept(mira, state):
    long_ago = timezone.now() - timedelta(days=2)
    job = Job.objects.create(kind="items", owner=mira, state=state, finished_at=long_ago, touched_at=long_ago)
    Job.objects.update(created_at=long_ago)
    folder_of(job).mkdir(parents=True)
    job.given["chosen"] = "as-1=sentence"
    job.keep_given()
    assert drop_old_jobs() == 0
    assert folder_of(job).exists() and Job.objects.exists()
    Job.objects.update(touched_at=long_ago)
    assert drop_old_jobs() == 1


@pytest.mark.slow
def test_a_fault_of_ours_is_written_down_and_raised(job):
    """The row names a construction that is gone since."""
    Job.objects.filter(pk=job.pk).update(given={"gone_since": "1"}, sources={"join": ["gone"]})
    with pytest.raises(LookupError):
        JOBS.work(job.pk, worker="test/0")
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "Internal error. See the worker’s log.")


def test_a_full_disk_is_said_in_words(job, monkeypatch):
    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(working.DOERS, "construction", full)
    with pytest.raises(OSError, match="No space left"):
        JOBS.work(job.pk, worker="test/0")
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "The server’s disk is full. Start it again once there is room.")


@pytest.mark.slow
def test_nobody_fills_the_queue_for_all_others(browser, mira):
    Job.objects.bulk_create([Job(kind="construction", key="agreement", owner=mira) for _ in range(MOST_LIVE)])
    answer = browser.post(reverse("construction", args=["agreement"]), {"per_cell": "1"})
    assert answer.status_code == 422
    assert f"You have {MOST_LIVE} jobs in progress" in answer.content.decode()


@pytest.mark.slow
def test_files_are_erased_a_day_after_a_job_is_over(browser, job):
    over = asked(browser, "construction", "intensifiers", {"file-corpus": sent(CORPUS, "a.txt")})
    waits = asked(browser, "construction", "intensifiers", {"file-corpus": sent(CORPUS, "a.txt")})
    long_ago = timezone.now() - timedelta(days=2)
    Job.objects.filter(pk__in=[over.pk, waits.pk]).update(created_at=long_ago, touched_at=long_ago)
    Job.objects.filter(pk=over.pk).update(state="failed", finished_at=long_ago)
    assert drop_old_jobs() == 1
    assert not folder_of(over).exists() and folder_of(waits).exists()
    answer = browser.post(reverse("job_again", args=[over.pk]), follow=True)
    assert "Send them again" in answer.content.decode()


def _count_from_one():
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_by_name_sql(no_style(), [{"table": "researcher_job", "column": "id"}]):
            cursor.execute(sql)


@pytest.mark.slow
def test_a_new_job_reads_nothing_of_an_older_one_of_its_number(browser, mira, study):
    """The number comes again where a transaction was rolled back, or a database restored beside the same folder."""
    _count_from_one()
    number = Job.objects.create(kind="labels", key="table", owner=mira).pk
    Job.objects.all().delete()
    _count_from_one()
    for name in ("head.json", "made.json", "files/labels/pilot.csv"):
        left = folder_of(Job(pk=number)) / name
        left.parent.mkdir(parents=True, exist_ok=True)
        left.write_text('{"name": "of another", "lines": [], "is_whole": true}')
    file = sent("item,annotator,label\ntarget-1,anna,less_likely\n", "labels.csv")
    answer = browser.post(reverse("label_files", args=[study.slug]), {"uploads": [file], "source": "a pilot"})
    job = Job.objects.get()
    assert job.pk == number
    assert browser.get(answer.headers["Location"]).context["head"].name == "labels.csv"
    names = sorted(path.name for path in folder_of(job).rglob("*") if path.is_file())
    assert names == ["head.json", "labels.csv"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("a\\b.TXT", "b.txt"),
        ("….csv", "_.csv"),
        (" . ", "file"),
        ("my talk.txt", "my talk.txt"),
    ],
)
def test_a_name_leads_nowhere(name, kept):
    assert plain(name) == kept


@pytest.mark.slow
def test_a_job_that_is_stopped_ends_its_process_and_goes_on_later(browser, place):
    """It is stopped the moment the pass over the text begins; what it starts again makes the study."""
    text = (CORPUS + "\n") * 20
    job = asked(browser, "construction", "intensifiers", {"file-corpus": sent(text, "a.txt"), "slug": "talk"})
    held = claimed(job)
    with Subprocess(order_of(held), folder=folder_of(held)) as apart:
        group = apart.process
        for told in apart.progress(seconds=1.0):
            if told is not None and told.step == STEP:
                break
        assert group.poll() is None
    assert group.poll() == -signal.SIGKILL
    assert recover(worker="test/0") == 1
    assert done(Job.objects.get(pk=job.pk)).state == "finished"
    assert Study.objects.filter(slug="talk").exists()


def test_a_pass_is_shared_only_where_nothing_was_sent(job, settings, tmp_path):
    settings.CORPUS_STORE = str(tmp_path / "store")
    settings.CORPUS_FOLDERS = {"talks": tmp_path}
    job.key, job.given, job.sources = "adjectives", {}, {"corpus": ["talks"]}
    assert order_of(job).shared and order_of(job).store
    job.files = [{"option": "conceptnet", "name": "words.txt"}]
    assert (order_of(job).shared, order_of(job).store) == ((), "")


def test_a_refusal_does_not_say_where_a_server_has_its_files(job):
    CorpusPart.objects.create(name="part", order={}, state="failed", error="On far: /srv/talks/a.txt is another file.")
    with pytest.raises(PartFailed, match="On far: /srv/talks/a.txt") as failed:
        CorpusPart.objects.require_not_failed("part")
    faults = [Fault("line 3", "It is in '/srv/talks/b.txt'.")]
    own = in_words(job, Refused("s3://bucket/talks/a.txt changed.", "a.txt", faults))
    assert str(in_words(job, failed.value)) == "a.txt is another file."
    assert (str(own), own.faults) == ("a.txt changed.", [Fault("line 3", "It is in 'b.txt'.")])


# Starts a job's process, says its number, and waits.
STARTER = """
import sys, time
from pathlib import Path
from stimuli.making.own_process import Order, Subprocess
place = Path(sys.argv[1])
order = Order(kind="construction", key="intensifiers", given={"corpus": [str(place / "a.txt")]}, folder=place / "work",
              models=place, made=place / "made.json")
with Subprocess(order, folder=place) as apart:
    print(apart.process.pid, flush=True)
    time.sleep(3600)
"""


@pytest.mark.slow
def test_it_ends_with_a_worker_that_is_killed(tmp_path):
    (tmp_path / "a.txt").write_text((CORPUS + "\n") * 300)
    starter = subprocess.Popen([sys.executable, "-c", STARTER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    child = int(starter.stdout.readline())
    starter.kill()
    starter.wait()
    deadline = time.monotonic() + PATIENCE
    while _runs(child):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
