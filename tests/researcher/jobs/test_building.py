"""A study built from text on a page: asked for, made by a worker's part, and the same as the command's."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Study
from researcher.jobs.queue import JOBS
from researcher.jobs.working import work
from researcher.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


@pytest.fixture(autouse=True)
def place(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    return settings.VAR_DIR


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_construction_is_asked_for_and_made(colleague, place, tmp_path):
    asked = {"per_cell": "2", "phenomenon": ["simple"], "slug": "pairs", "title": "Pairs", "seed": "3"}
    answer = colleague.post(reverse("construction", args=["agreement"]), asked)
    job = Job.objects.get()
    assert answer.headers["Location"] == reverse("job", args=[job.pk])
    assert not JOBS.is_empty()
    work(job.pk, worker="test/0")
    job.refresh_from_db()
    assert (job.state, job.error) == ("finished", "")
    study = Study.objects.get(slug="pairs")
    assert list(job.made.all()) == [study]
    command = ["--per-cell", "2", "--phenomenon", "simple", "--slug", "pairs", "--title", "Pairs", "--seed", "3"]
    call_command("build_study", "agreement", *command, "--no-load", "--out", str(tmp_path / "out"), verbosity=0)
    assert files_of(place / "studies" / "pairs") == files_of(tmp_path / "out")
