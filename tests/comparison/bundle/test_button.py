"""The report from the results: a button, a worker, a file behind a login."""

import io
import os
import time
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from comparison import exported, tasks
from comparison.bundle import making
from tests.comparison.cast import give_labels
from tests.comparison.page.visiting import address, words
from tests.queued import listened_to

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def place(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    return settings.VAR_DIR / "reports"


@pytest.fixture
def asked(monkeypatch):
    """What is put on the queue."""
    return listened_to(monkeypatch)


def export_part(client, study):
    return words(client.get(address(study, "export")))


def press(client, study):
    return client.post(reverse("report", args=[study.slug]))


def download(client, study):
    return client.get(reverse("report_file", args=[study.slug]))


@pytest.mark.slow
def test_its_address_without_htmx_leads_to_its_part_of_the_results(logged_in, study, asked):
    where = reverse("report", args=[study.slug])
    assert logged_in.get(where).url == f"{address(study, 'export')}#report"
    part = logged_in.get(where, headers=HTMX).content.decode()
    assert "Build report" in part
    assert "<html" not in part
    assert asked == []


@pytest.mark.slow
def test_from_the_button_to_the_file(logged_in, study, asked, place):
    assert "Build report" in export_part(logged_in, study)
    assert download(logged_in, study).status_code == 404
    assert press(logged_in, study).url == f"{address(study, 'export')}#report"
    assert asked == [("report", study.pk)]
    assert "You can leave this page. Waiting for a worker" in export_part(logged_in, study)
    press(logged_in, study)
    assert len(asked) == 1, "somebody is at it"
    tasks.make_report(study.pk)
    assert "Download report" in export_part(logged_in, study)
    answer = download(logged_in, study)
    assert answer["Content-Disposition"] == 'attachment; filename="small-report.zip"'
    assert answer["Content-Type"] == "application/zip"
    packed = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert "small-report/manifest.json" in packed.namelist()
    assert packed.testzip() is None


@pytest.mark.slow
def test_new_data_ask_for_a_new_report_and_the_old_one_goes(logged_in, study, place, nothing_in_it):
    tasks.make_report(study.pk)
    [old] = place.iterdir()
    neighbor = place / f"small-two-{'0' * 32}.zip"
    neighbor.touch()
    give_labels(study, [("target-6", "late", "less_likely")])
    said = export_part(logged_in, study)
    assert "The data have changed since the last report" in said
    assert download(logged_in, study).status_code == 404
    tasks.make_report(study.pk)
    assert not old.exists()
    assert neighbor.exists(), "another study's"
    assert len(list(place.iterdir())) == 2


@pytest.mark.slow
def test_a_synthetic_report_says_so_in_its_name(logged_in, synthetic_study, nothing_in_it):
    tasks.make_report(synthetic_study.pk)
    assert "marked synthetic" in export_part(logged_in, synthetic_study)
    assert 'filename="synthetic-synthetic-report.zip"' in download(logged_in, synthetic_study)["Content-Disposition"]


@pytest.mark.slow
def test_how_far_it_is(logged_in, bare_study, asked, monkeypatch):
    seen = []

    def look(page, folder):
        answer = logged_in.get(reverse("report", args=[bare_study.slug]), headers=HTMX)
        seen.append((words(answer), answer.content.decode()))

    monkeypatch.setattr(making, "STEPS", {"the first": look, "the second": look})
    press(logged_in, bare_study)
    tasks.make_report(bare_study.pk)
    (first, _), (second, drawn) = seen
    assert "0 of 2 steps done; now the first" in first
    assert "1 of 2 steps done; now the second" in second
    assert 'value="0.500"' in drawn
    assert 'hx-trigger="every 2s"' in drawn
    after = logged_in.get(reverse("report", args=[bare_study.slug]), headers=HTMX)
    assert "hx-trigger" not in after.content.decode()
    assert "Download report" in words(after)


@pytest.mark.slow
def test_a_failure_is_said_and_may_be_tried_again(logged_in, bare_study, asked, monkeypatch, place):
    monkeypatch.setattr(making, "STEPS", {"it": lambda page, folder: 1 / 0})
    press(logged_in, bare_study)
    with pytest.raises(ZeroDivisionError):
        tasks.make_report(bare_study.pk)
    said = export_part(logged_in, bare_study)
    assert "The report could not be built. Error: division by zero" in said
    assert "Build report" in said
    assert list(place.iterdir()) == [], "nothing half made stays"


@pytest.mark.slow
def test_data_that_change_meanwhile_are_not_mixed(logged_in, study, asked, monkeypatch, place):
    def late(page, folder):
        give_labels(study, [("target-6", "late", "less_likely")])

    monkeypatch.setattr(making, "STEPS", {"it": late})
    press(logged_in, study)
    tasks.make_report(study.pk)
    assert "Labels or scores of small changed while its report was built" in export_part(logged_in, study)
    assert list(place.iterdir()) == []


@pytest.mark.slow
def test_a_silent_queue_is_said(logged_in, bare_study):
    press(logged_in, bare_study)
    assert "The task queue cannot be reached" in export_part(logged_in, bare_study)


def test_a_login_is_asked_for(bare_study, asked):
    client = Client()
    for name in ("report", "report_file"):
        answer = client.get(reverse(name, args=[bare_study.slug]))
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("login"))
    assert press(client, bare_study)["Location"].startswith(reverse("login"))
    assert asked == []


def test_whose_a_file_is_tells_its_whole_name(bare_study, place):
    place.mkdir(parents=True)
    ours = place / f"bare-{'a' * 32}.zip"
    for name in (ours.name, f"bare-b-{'a' * 32}.zip", "bare-x.zip"):
        (place / name).touch()
    assert exported.reports_of(bare_study) == [ours]


def test_what_a_killed_worker_had_begun_is_removed_with_the_next(tmp_path):
    begun, at_it, made = (tmp_path / name for name in (".small-report-begun", ".small-report-now", "small-report.zip"))
    begun.mkdir()
    (begun / "made.zip").write_bytes(b"half")
    at_it.mkdir()
    made.write_bytes(b"whole")
    long_ago = time.time() - 2 * exported.UNFINISHED_SECONDS
    for path in (begun, made):
        os.utime(path, (long_ago, long_ago))
    exported.forget_unfinished(tmp_path)
    assert sorted(tmp_path.iterdir()) == [at_it, made]
