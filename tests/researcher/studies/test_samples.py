"""What somebody sees who has no study of their own yet."""

import re

import pytest
from django.conf import settings
from django.urls import reverse

from annotation.models import Membership, Study
from annotation.studyfile import read_study
from config.local.prepare import PUBLISHED
from researcher.studies.home import SAMPLES
from tests.comparison.page.visiting import unopened


@pytest.fixture
def sample(study):
    """The labeled study under the name of the sample that leads."""
    Study.objects.filter(pk=study.pk).update(slug=SAMPLES[0])
    study.refresh_from_db()
    return study


def steps(client) -> list[tuple[str, str]]:
    page = client.get(reverse("studies")).content.decode()
    return re.findall(r"<li>\s*<h2>([^<]+)</h2>.*?href=\"([^\"]+)\"", page, re.DOTALL)


def test_the_samples_are_those_that_are_loaded():
    folders = (settings.BASE_DIR / "stimuli" / "samples").glob("*/study.toml")
    assert set(SAMPLES) == {PUBLISHED, *(read_study(path.parent).slug for path in folders)}
    assert SAMPLES[0] == PUBLISHED


@pytest.mark.slow
def test_with_samples_alone_there_are_three_steps(client, sample):
    assert steps(client) == [
        ("Look at a finished study", reverse("results", args=[sample.slug])),
        ("Answer a few items yourself", reverse("setup_preview_at", args=[sample.slug, "target"])),
        ("Bring your own items", reverse("new_study")),
    ]
    assert unopened(client.get(reverse("studies"))) <= 130, "and a row for each of three more samples"
    for _, address in steps(client):
        assert client.get(address).status_code == 200


def test_without_any_study_there_is_one(client):
    assert steps(client) == [("Bring your own items", reverse("new_study"))]


@pytest.mark.slow
def test_one_who_may_only_look_is_not_sent_to_the_preview(client, sample):
    Membership.objects.update(role="analyst")
    assert [title for title, _ in steps(client)] == ["Look at a finished study", "Bring your own items"]


@pytest.mark.slow
def test_a_study_of_one_s_own_ends_it(client, sample, draft):
    assert steps(client) == []
    assert len(client.get(reverse("studies")).context["rows"]) == 2


@pytest.mark.slow
def test_searching_ends_it_too(client, sample):
    assert steps(client)
    assert "<h1>Studies</h1>" in client.get(reverse("studies"), {"q": "small"}).content.decode()
