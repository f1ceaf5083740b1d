"""The first look at a file that was sent: enough to know its columns by, and no more than a page can take."""

import time

import pytest
from django.urls import reverse

from corpus.errors import SourceError
from corpus.formats import apart
from researcher.imports import forms
from researcher.imports import head as looking
from researcher.imports.head import MOST_LINES, read_head
from researcher.jobs.starting import UNREAD
from researcher.models import Job
from tests.researcher.jobs.sources import done, sent

INSIDE = "{" + ",".join(f'"c{number}":"x"' for number in range(60_000)) + "}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("short.csv", "a\n" + "1\n" * 1_000_000),
        ("inside.jsonl", f'{{"a":{INSIDE}}}\n'),
        ("deep.jsonl", '{"a":' * 200_000 + "\n"),
        ("each.jsonl", "".join(f'{{"c{number}":1}}\n' for number in range(100_000))),
    ],
)
def test_a_look_takes_little_and_shows_no_more_columns_than_a_table_has(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    began = time.process_time()
    head = read_head(tmp_path / name)
    assert time.process_time() - began < 4
    assert len(head.lines) <= MOST_LINES
    assert len(head.columns) <= 1_000


@pytest.mark.slow
def test_a_table_of_too_many_columns_is_refused_at_the_first_look(tmp_path):
    (tmp_path / "wide.csv").write_text(",".join(["1"] * 500_000) + "\n")
    with pytest.raises(SourceError, match=r"^wide\.csv: 1 problem.*\n.*has more than 1,000 columns"):
        read_head(tmp_path / "wide.csv")


@pytest.mark.slow
def test_a_file_of_fewer_lines_is_looked_at_whole(tmp_path):
    (tmp_path / "small.csv").write_text("item,label\ni1,yes\ni2,no\n")
    head = read_head(tmp_path / "small.csv")
    assert (head.is_whole, len(head.lines), head.values("label")) == (True, 2, ["no", "yes"])
    (tmp_path / "long.csv").write_text("item,label\n" + "i1,yes\n" * MOST_LINES)
    assert not read_head(tmp_path / "long.csv").is_whole


LABELS = "item,annotator,label\ntarget-1,anna,2\n"


def upload(client, study, text, *, name="labels.csv"):
    return client.post(reverse("label_files", args=[study.slug]), {"uploads": [sent(text, name)], "source": "pilot"})


@pytest.mark.slow
def test_what_was_seen_of_a_file_is_kept_and_it_is_not_read_again_to_show_it(client, study, place, monkeypatch):
    columns = upload(client, study, LABELS)["Location"]
    monkeypatch.setattr(looking, "read_head", None)
    page = client.get(columns)
    assert page.context["head"].columns == ("item", "annotator", "label")
    assert page.context["head"].lines == [{"item": "target-1", "annotator": "anna", "label": "2"}]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl"])
def test_a_large_file_that_is_no_table_is_refused_when_it_is_sent(client, study, place, monkeypatch, name):
    """A file that is too large to be read apart for a page was taken, and then nothing could be done with it."""
    monkeypatch.setattr(forms, "MOST_BYTES", 10)
    answer = upload(client, study, "PK\x03\x04 and more", name=name)
    assert answer.status_code == 422
    assert "is a zip file that is not a workbook" in str(answer.context["form"].errors)
    assert not Job.objects.exists()
    assert not [*(place / "jobs").glob("*")]


@pytest.mark.slow
@pytest.mark.usefixtures("queue")
def test_one_that_takes_longer_to_read_is_looked_at_by_a_worker(client, study, place, monkeypatch):
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.01)
    answer = upload(client, study, "[" + '{"item": "target-1", "annotator": "anna", "label": "2"}' + "]", name="a.json")
    job = Job.objects.get()
    assert answer["Location"] == reverse("job", args=[job.pk])
    done(job)
    assert (job.state, job.error, job.faults) == ("prepared", "", [])
    assert (job.state, job.key) == ("prepared", "table")
    columns = reverse("label_columns", args=[study.slug, job.pk])
    assert client.get(columns).context["head"].columns == ("item", "annotator", "label")


@pytest.mark.slow
@pytest.mark.usefixtures("queue")
def test_one_that_a_worker_cannot_read_otherwise_stays_as_it_was_read(client, study, place):
    columns = upload(client, study, LABELS + "\n" * (1 - len(LABELS) % 2))["Location"]
    job = Job.objects.get()
    job.given |= {UNREAD: dict(job.given), "encoding": "utf-16-le"}
    job.state = "queued"
    job.save()
    done(job)
    assert (job.state, job.given["encoding"]) == ("prepared", "")
    page = client.get(columns)
    assert "The file cannot be read: " in page.content.decode()
    assert page.context["head"].columns == ("item", "annotator", "label")
