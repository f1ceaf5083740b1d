"""What a kind of file declares is there: its command, its pages; and people's names go with its files."""

from datetime import timedelta

import pytest
from django.core.management import get_commands
from django.urls import reverse
from django.utils import timezone

from researcher.imports.registry import KINDS
from researcher.jobs.working import drop_old_jobs
from researcher.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("place")]


def test_what_is_wrong_with_labels_may_name_people():
    assert KINDS["labels"].names_people


def test_every_kind_has_its_command_and_its_pages():
    assert KINDS.keys() <= set(Job.Kind.values)
    for key, kind in KINDS.items():
        assert kind.key == key and kind.command in get_commands()
        assert reverse(f"{kind.address}_files", args=["small"]) and reverse(
            f"{kind.address}_columns", args=["small", 1]
        )
        assert reverse(kind.page, args=["small"])


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_faults_that_may_name_people_are_erased_with_the_files(researcher, kind):
    faults = [["one.csv", "line 2.annotator", "anna is twice there"]]
    long_ago = timezone.now() - timedelta(days=2)
    job = Job.objects.create(
        kind=kind.key,
        key="table",
        owner=researcher,
        state="failed",
        finished_at=long_ago,
        touched_at=long_ago,
        faults=faults,
    )
    drop_old_jobs()
    job.refresh_from_db()
    assert job.faults == ([] if kind.names_people else faults)
