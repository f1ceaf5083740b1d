"""Workers that take some models only: each does its own, and what nobody takes waits and says so."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from celery import current_app
from django.db.models.functions import Now
from django.urls import reverse

from api.routes.shapes import RunOut
from researcher.management.commands.doctor import untaken
from scoring.models import Chunk, LanguageModel, Run, ScoringWorker
from scoring.runs import taking
from scoring.runs.turns import of_others, whose_turn
from scoring.runs.working import CHUNKS
from tests.studies import open_small_study, plausibility_row
from work import kinds
from work.place import place
from work.queue import resend
from work.queues import Queue
from work.tasks import do

pytestmark = pytest.mark.django_db

OF_FILES = {"location": "models", "files": {"model.safetensors": "00"}}
HUB = {"family": "causal", "method": "causal", "location": "hub"}


@pytest.fixture
def runs(tmp_path, monkeypatch) -> dict[str, Run]:
    """Of two models, two chunks each; this worker takes but the first."""
    monkeypatch.setattr(taking, "_looked", {})
    study = open_small_study(tmp_path / "study", [plausibility_row(1)])
    found = {}
    for key in ("mine", "theirs"):
        model = LanguageModel.objects.create(key=key, name=f"The {key}", source=f"one/{key}", **HUB)
        found[key] = Run.objects.create(study=study, model=model, metric="sum")
        Chunk.objects.bulk_create(Chunk(run=found[key], item_ids=[]) for _ in range(2))
    return found


@pytest.fixture
def sent(monkeypatch) -> list[int]:
    """Chunks whose messages were sent; no message waits anywhere."""
    found: list[int] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: found.append(args[1]))
    monkeypatch.setattr(taking, "messages_waiting", lambda queue: 0)
    monkeypatch.setattr(kinds, "PAUSE_SECONDS", 0.0)
    return found


@pytest.fixture(autouse=True)
def mine_only(settings):
    settings.SCORING_MODELS = ["MINE*"]


def chunks(run: Run) -> list[int]:
    return [*run.chunks.order_by("pk").values_list("pk", flat=True)]


def other(**refuses: str) -> ScoringWorker:
    return ScoringWorker.objects.create(place="elsewhere/0", device="cpu", refuses=refuses, said_at=Now())


@pytest.mark.parametrize(
    ("changed", "model", "reason"),
    [
        ({}, {}, "its SCORING_MODELS does not name it"),
        ({"SCORING_MODELS": ["the *"]}, {}, ""),
        ({"SCORING_MODELS": ["The theirs [v2]"]}, {"name": "The theirs [V2]"}, ""),
        ({"SCORING_MODELS": []}, {}, ""),
        ({"SCORING_MODELS": [], "SCORING_DTYPES": ["bfloat16"]}, {}, "its SCORING_DTYPES does not name float32"),
        (
            {"SCORING_MODELS": []},
            {"location": "models", "files": {"a": "b"}},
            "its files are not here, and no MODEL_STORE is set",
        ),
        (
            {"SCORING_MODELS": [], "MODEL_STORE": "/nowhere"},
            {"location": "models", "files": {"a": "b"}},
            "its files are neither here nor in the model store",
        ),
        ({"SCORING_MODELS": []}, {"location": "store"}, "its counts are not here"),
        ({"SCORING_MODELS": []}, {"location": "endpoint"}, "its PROMPT_ENDPOINT_MODELS does not name it"),
    ],
)
def test_what_a_worker_takes(settings, changed, model, reason):
    for name, value in changed.items():
        setattr(settings, name, value)
    model = {"key": "theirs", "name": "The theirs", "source": "one", **HUB, **model}
    assert taking.refusal(LanguageModel(**model)) == reason


def test_a_worker_has_turns_of_what_it_takes_alone(runs):
    assert whose_turn(Queue.SCORING) in chunks(runs["mine"])
    runs["mine"].chunks.all().delete()
    assert whose_turn(Queue.SCORING) is None


def test_a_message_is_left_to_a_worker_that_takes_what_waits(runs, sent):
    runs["mine"].chunks.all().delete()
    first, _ = chunks(runs["theirs"])
    CHUNKS.work(first, worker=place(), queue=Queue.SCORING)
    assert sent == [], "nobody else is known"
    other()
    CHUNKS.work(first, worker=place(), queue=Queue.SCORING)
    assert sent == [first]
    assert of_others(Queue.UPKEEP) is None
    ScoringWorker.objects.update(said_at=Now() - timedelta(minutes=1))
    CHUNKS.work(first, worker=place(), queue=Queue.SCORING)
    assert sent == [first]
    assert runs["theirs"].chunks.filter(state=Chunk.State.WAITING, attempts=0).count() == 2


def test_only_messages_that_were_for_this_worker_leave_a_line(runs, sent, monkeypatch, caplog):
    """A worker without work is handed one a second while others' runs wait."""
    label = Chunk._meta.label
    monkeypatch.setitem(kinds.KINDS, label, replace(CHUNKS, do=lambda chunk: chunk.delete()))
    other()

    def told(run: str) -> int:
        caplog.clear()
        do.apply([label, chunks(runs[run])[0]], routing_key=Queue.SCORING)
        return sum(record.name == "celery.app.trace" for record in caplog.records)

    with caplog.at_level(logging.INFO):
        assert [told("mine"), told("mine"), told("theirs"), told("theirs")] == [1, 1, 0, 0]
    assert len(sent) == 2
    assert not logging.getLogger("celery.worker.strategy").isEnabledFor(logging.INFO)


def test_what_it_takes_and_has_no_message_is_sent_and_what_nobody_takes_is_not(runs, sent):
    taking.say()
    assert sent == [], "what was cut just now is on its way"
    Chunk.objects.update(cut_at=Now() - timedelta(minutes=1))
    taking.say()
    assert sent == chunks(runs["mine"])
    sent.clear()
    resend()
    assert sent == chunks(runs["mine"])
    other(mine="it is too large")
    sent.clear()
    resend()
    assert sorted(sent) == [pk for run in runs.values() for pk in chunks(run)]


def test_that_a_run_waits_for_a_worker_is_said_everywhere(runs, sent, client, admin_user):
    sentence = "Waits: no running worker takes The theirs."
    assert RunOut.of(runs["theirs"]).waits == "", "nothing is known"
    taking.say()
    client.force_login(admin_user)
    slug = runs["mine"].study.slug
    pages = [reverse("runs", args=[slug]), reverse("run", args=[slug, runs["theirs"].pk]), reverse("system")]
    for page in pages:
        assert client.get(page).content.decode().count(sentence) == 1, page
    assert sentence not in client.get(reverse("run", args=[slug, runs["mine"].pk])).content.decode()
    assert RunOut.of(runs["theirs"]).waits == sentence
    why = f"({place()}: its SCORING_MODELS does not name it)"
    assert [*untaken()] == [f"No running worker takes The theirs, for which runs wait: 1 {why}."]
    other()
    assert all(sentence not in client.get(page).content.decode() for page in pages)
    assert RunOut.of(runs["theirs"]).waits == ""
