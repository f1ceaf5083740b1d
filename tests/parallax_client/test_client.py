"""From a frame to a study and back, as a program does it."""

import subprocess
import sys
from collections import Counter

import httpx
import pandas as pd
import pytest

from annotation.models import Act, Item, Study
from api.models import make_token
from comparison.frame import selected
from comparison.tasks import compute
from parallax_client import Client, ParallaxError, TimedOut, asking
from parallax_client.asking import ROWS
from tests.api.asking import ALL
from tests.house.sources import ROOT
from tests.queued import listened_to

FRAME = pd.DataFrame(
    {
        "nr": [1, 2, 3],
        "first": ["A key opens doors.", "A lamp gives light.", "A cup holds tea."],
        "second": ["A false key opens doors.", "A broken lamp gives light.", "A red cup holds tea."],
        "word": ["false", "broken", "red"],
        "length": [4, 4.0, None],
    }
)
COLUMNS = {
    "id": "nr", "original": "first", "modified": "second", "modifier": "word", "attribute.length": "length",
}  # fmt: skip


@pytest.fixture
def made(client_of):
    return client_of().create_study(FRAME, slug="pairs", title="Pairs", task="plausibility", columns=COLUMNS)


def test_a_frame_becomes_a_study_and_comes_back(made):
    assert (made.slug, made.state) == ("pairs", "draft")
    stored = Study.objects.get()
    assert (stored.title, stored.metrics, stored.labels_per_item) == ("Pairs", ["pll", "causal"], 3)
    back = made.items()
    assert list(back["id"]) == ["1", "2", "3"]
    assert list(back["original"]) == list(FRAME["first"])
    assert list(back["modified"]) == list(FRAME["second"])
    assert list(back["attribute.length"])[:2] == ["4", "4"]
    assert pd.isna(back["attribute.length"][2])


@pytest.mark.slow
def test_what_becomes_of_a_study(made):
    assert made.open().state == "open"
    assert made.link().startswith("http://testserver/")
    assert made.link() == made.link()
    assert made.link("batch", max_starts=2) != made.link()
    assert made.close().state == "closed"
    assert made.archive().facts["archived_at"]
    assert made.restore().reload().facts["archived_at"] is None


@pytest.mark.slow
def test_setup_is_read_and_changed(made):
    assert made.setup()["collection"]["labels_per_item"] == 3
    assert made.change({"collection.labels_per_item": 7})["collection"]["labels_per_item"] == 7
    with pytest.raises(ParallaxError) as refused:
        made.change({"collection.labels_per_item": 0})
    assert [fault.field for fault in refused.value.faults] == ["collection.labels_per_item"]


def test_faults_are_told_by_line_and_field(client_of):
    wrong = FRAME.assign(word=["false", "absent", "red"])
    with pytest.raises(ParallaxError) as refused:
        client_of().create_study(wrong, slug="pairs", task="plausibility", columns=COLUMNS)
    [fault] = refused.value.faults
    assert (refused.value.status, fault.line, fault.field) == (422, 2, "content.modifier")
    assert "line 2, content.modifier" in str(refused.value)
    assert not Study.objects.exists()
    with pytest.raises(KeyError, match="no column 'words'"):
        client_of().create_study(FRAME, slug="pairs", task="plausibility", columns=COLUMNS | {"modifier": "words"})


def test_a_token_without_the_scope_is_told_which_it_lacks(client_of, study):
    reads = client_of("read")
    assert reads.token()["scopes"] == ["read"]
    with pytest.raises(ParallaxError, match="lacks the scope collect"):
        reads.study("small").close()
    with pytest.raises(ParallaxError, match="no study"):
        reads.study("other")
    with pytest.raises(ValueError, match="no study's name"):
        reads.study("../token")


@pytest.mark.slow
def test_rows_come_whole_however_many_pages_they_have(client_of, study, monkeypatch):
    monkeypatch.setattr("parallax_client.asking.ROWS", 5)
    assert ROWS == 10_000
    found = client_of().study("small")
    assert len(found.items()) == 7
    assert len(found.labels()) == 12
    assert len(found.labels()[["item", "annotator"]].drop_duplicates()) == 12
    assert len(found.scores()) == 12
    assert len(found.scores(found.runs()["id"][0])) == 6
    assert len(found.sittings()) == 2
    assert [one.slug for one in client_of().studies()] == ["small"]


@pytest.mark.slow
def test_labels_and_scores_are_imported(client_of, study):
    found = client_of().study("small")
    labels = pd.DataFrame({"item": ["target-1", "target-2"], "annotator": [7, 7], "label": "impossible"})
    assert found.import_labels(labels, source="mine")["labels"] == 2
    assert len(found.labels()) == 14
    scores = pd.DataFrame({"item": [f"target-{n}" for n in range(1, 7)], "score": range(6), "label": "impossible"})
    run = found.import_scores(scores, model="BERT", metric="mine", source="my machine")
    assert (run["scored"], run["is_imported"]) == (6, True)


@pytest.mark.slow
def test_results_are_frames_and_sentences(client_of, study):
    found = client_of().study("small")
    figures = found.statistics()
    assert {"statistic", "value", "low", "high", "n", "undefined"} <= set(figures.columns)
    verdict = found.verdict()
    assert "parrot" in str(verdict)
    assert list(verdict.runs()["value"]) == [1.0, 0.0]
    assert len(found.export("judgments")) == 12
    assert set(found.export("report")["statistic"]) == set(figures["statistic"])
    assert len(found.statistics({"q": "Lamp number 1"})) < len(figures) * 2
    with pytest.raises(ParallaxError, match="ignored: majorty"):
        found.statistics({"majorty": "x"})


@pytest.mark.slow
def test_figures_of_a_large_study_are_waited_for(client_of, study, monkeypatch):
    sent = listened_to(monkeypatch)
    monkeypatch.setattr(selected, "QUICK", 3)
    found = client_of().study("small")
    with pytest.raises(TimedOut, match="waiting for a worker"):
        found.verdict(wait=0)
    # The worker, while the client waits.
    monkeypatch.setattr("parallax_client.asking.time.sleep", lambda seconds: compute(*sent[0][1:]))
    assert "parrot" in str(found.verdict(wait=60))


@pytest.mark.slow
def test_runs_are_waited_for(client_of, study):
    run = study.runs.first()
    type(run).objects.filter(pk=run.pk).update(state="running")
    with pytest.raises(TimedOut, match="1 runs of small"):
        client_of().study("small").wait(timeout=0)
    type(run).objects.filter(pk=run.pk).update(state="finished")
    assert len(client_of().study("small").wait(timeout=0)) == 2


def test_who_asks_too_often_waits_as_long_as_the_server_says(client_of, study, settings, monkeypatch):
    settings.API_REQUESTS_PER_MINUTE = 2
    waits = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        settings.API_REQUESTS_PER_MINUTE = 100

    monkeypatch.setattr("parallax_client.asking.time.sleep", wait)
    client = client_of()
    for _ in range(7):
        assert client.token()["user"] == "ada"
    assert len(waits) == 1
    assert 1 <= waits[0] <= 60


@pytest.mark.slow
def test_the_client_knows_neither_django_nor_pandas_before_it_is_asked_for_a_frame():
    said = "import sys, parallax_client; print(sorted({'django', 'pandas', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", said], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class LosesTheLine(httpx.BaseTransport):
    """Brings every request to the server, and loses so many answers of each address on the way back."""

    def __init__(self, server: httpx.BaseTransport, lost: int) -> None:
        self.server, self.lost, self.sent = server, lost, Counter[str]()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self.server.handle_request(request)
        self.sent[f"{request.method} {request.url.path}"] += 1
        if self.sent[f"{request.method} {request.url.path}"] <= self.lost:
            raise httpx.ReadError("The line was lost.", request=request)
        return answer


@pytest.mark.slow
def test_what_is_made_is_made_once_though_the_answer_is_lost(application, ada, monkeypatch):
    monkeypatch.setattr(asking, "PAUSES", (0, 0))
    line = LosesTheLine(httpx.WSGITransport(application), lost=2)
    token = make_token(ada, name="client", scopes=ALL)
    client = Client("http://testserver", token.secret, transport=line)
    made = client.create_study(FRAME, slug="pairs", title="Pairs", task="plausibility", columns=COLUMNS)
    more = FRAME.assign(nr=[4, 5, 6])
    assert made.add_items(more, COLUMNS) == 3
    assert (Study.objects.count(), Item.objects.count()) == (1, 6)
    assert line.sent == {"POST /api/v1/studies": 3, "POST /api/v1/studies/pairs/items": 3}
    assert sorted(Act.objects.values_list("deed", flat=True)) == ["items added", "made"]


def test_a_line_that_stays_lost_is_said(application, ada, monkeypatch):
    monkeypatch.setattr(asking, "PAUSES", (0, 0))
    line = LosesTheLine(httpx.WSGITransport(application), lost=9)
    client = Client("http://testserver", make_token(ada, name="client", scopes=ALL).secret, transport=line)
    with pytest.raises(httpx.ReadError):
        client.create_study(FRAME, slug="pairs", task="plausibility", columns=COLUMNS)
    assert line.sent == {"POST /api/v1/studies": 3}
