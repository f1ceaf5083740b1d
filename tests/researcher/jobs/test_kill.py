"""A real worker is killed in the middle of a job: the next one goes on, and the study is the command's to the byte."""

import os
import signal

import pytest

from tests.installation import Installation
from tests.researcher.jobs.sources import CORPUS, files_of

pytestmark = pytest.mark.slow

ASK = """
import sys, django
django.setup()
from pathlib import Path
from django.core.files.base import ContentFile
from accounts.models import User
from researcher.jobs.starting import prepare_job, start_job
mira = User.objects.create_user("mira")
text = ContentFile(Path(sys.argv[1]).read_bytes(), name="talk.txt")
job = prepare_job("construction", "intensifiers", owner=mira, given={"slug": "talk"}, files={"corpus": [text]})
start_job(job)
"""
STATE = "SELECT state, error FROM researcher_job"


def kill(worker):
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def test_a_killed_worker_loses_nothing(tmp_path, valkey_url):
    var = tmp_path / "var"
    var.mkdir()
    installation = Installation(var, valkey_url)
    text = tmp_path / "talk.txt"
    text.write_text("".join(line + f" And that was day {day}.\n" for day in range(130) for line in CORPUS.splitlines()))
    asked = installation.run("-c", ASK, str(text))
    assert asked.returncode == 0, asked.stderr
    worker = installation.worker("jobs")
    try:
        # The first line says what is looked for, the next is the first block that is finished.
        installation.wait_for(lambda: any(p.read_bytes().count(b"\n") > 1 for p in var.glob("jobs/*/work/*.jsonl")))
        kill(worker)
        assert installation.row(STATE)["state"] == "running"
        worker = installation.worker("jobs")
        installation.wait_for(lambda: installation.row(STATE)["state"] in ("finished", "failed"))
        # Its folder goes after that.
        installation.wait_for(lambda: not any(var.glob("jobs/*")))
    finally:
        kill(worker)
    assert installation.row(STATE) == {"state": "finished", "error": ""}
    made = files_of(var / "studies" / "talk")
    out = tmp_path / "out"
    where = ["--corpus", str(text), "--slug", "talk", "--no-load", "--out", str(out), "--processes", "1"]
    installation.call(["build_study", "intensifiers", *where])
    assert made == files_of(out)
    assert not any(var.glob("jobs/*"))
