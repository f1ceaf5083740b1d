"""The data set as a download of the results: at once where the study is small, by a worker where it is large."""

import io
import zipfile

import pytest
from django.urls import reverse

from annotation.models import Study
from comparison import tasks
from comparison.frame import selected
from tests.comparison.dataset.labeled import labeled_study
from tests.queued import listened_to

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    settings.VAR_DIR = tmp_path / "var"


@pytest.fixture
def study(tmp_path):
    return labeled_study(tmp_path, items=30)


def download(client, study):
    return client.get(reverse("dataset", args=[study.slug]))


def names(answer):
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as found:
        return found.namelist()


@pytest.mark.slow
def test_a_small_study_is_there_at_once_and_marked_where_it_is_synthetic(logged_in, study):
    page = logged_in.get(reverse("results", args=[study.slug, "export"])).content.decode()
    assert reverse("dataset", args=[study.slug]) in page
    answer = download(logged_in, study)
    assert answer["Content-Disposition"] == 'attachment; filename="pilot-dataset.zip"'
    assert {"pilot-dataset/README.md", "pilot-dataset/items/train.parquet"} <= set(names(answer))
    Study.objects.update(population="synthetic")
    assert 'filename="pilot-synthetic-dataset.zip"' in download(logged_in, study)["Content-Disposition"]


@pytest.mark.slow
def test_a_large_one_is_made_by_a_worker(logged_in, study, monkeypatch):
    monkeypatch.setattr(selected, "QUICK", 10)
    asked = listened_to(monkeypatch)
    answer = download(logged_in, study)
    assert b"Creating: pilot-dataset.zip" in answer.content
    assert asked == [("data set", study.pk)]
    tasks.make_dataset(study.pk)
    assert "pilot-dataset/labels/train.jsonl" in names(download(logged_in, study))


def test_without_targets_there_is_none(logged_in, study):
    study.items.filter(kind="target").update(kind="practice")
    assert download(logged_in, study).status_code == 404
