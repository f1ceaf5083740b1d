"""Workers that take some models only: each does its own, and what nobody takes waits and says so."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from celery import current_app
from django.core.management import call_command
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from api.models import make_token
from api.routes.shapes import RunOut
from researcher.management.commands.doctor import untaken
from scoring.library.installation import install_baselines
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs import taking
from scoring.runs.turns import of_others, whose_turn
from scoring.runs.working import CHUNKS
from scoring.scoring_workers import ScoringWorker
from tests.studies import open_small_study, plausibility_row
from work import kinds
from work import taking as work_taking
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
    monkeypatch.setattr(taking.REASONS, "_looked", {})
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
    monkeypatch.setattr(work_taking, "messages_waiting", lambda queue: 0)
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


@pytest.mark.parametrize(("place", "refused"), [("cpu", ""), ("cuda", "it has a GPU, and int8 is for processors only")])
def test_int8_is_left_to_workers_without_a_gpu(settings, monkeypatch, place, refused):
    settings.SCORING_MODELS = []
    monkeypatch.setattr(taking, "device", lambda: place)
    model = LanguageModel(**HUB, key="theirs", dtype="int8")
    assert taking.refusal(model) == refused
    assert not taking.needs_gpu(model)


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

    def be_done(chunk: Chunk) -> None:
        chunk.delete()

    monkeypatch.setitem(kinds.KINDS, label, replace(CHUNKS, do=be_done))
    other()

    def told(run: str) -> int:
        caplog.clear()
        do.apply((label, chunks(runs[run])[0]), routing_key=Queue.SCORING)
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


@pytest.mark.slow
def test_a_run_that_wants_a_gpu_waits_for_a_worker_with_one(runs, sent, client, admin_user, settings, monkeypatch):
    """Which alone takes it; its page, the system and doctor say so, and other runs of the model go on."""
    settings.SCORING_MODELS = []
    runs["theirs"].delete()
    asked, sentence = runs["mine"], "Waits: no running worker with a GPU takes The mine."
    Run.objects.update(device=Run.Device.GPU)
    Chunk.objects.update(cut_at=Now() - timedelta(minutes=1))
    monkeypatch.setattr(taking, "device", lambda: "cpu")
    taking.say()
    assert whose_turn(Queue.SCORING) is None and sent == [] and of_others(Queue.SCORING) is None
    assert [*Chunk.objects.takeable()] == []
    asked.refresh_from_db()
    assert RunOut.of(asked).waits == sentence and RunOut.of(asked).device == "gpu"
    client.force_login(admin_user)
    for page in (reverse("run", args=[asked.study.slug, asked.pk]), reverse("system")):
        assert client.get(page).content.decode().count(sentence) == 1, page
    assert [*untaken()] == [
        f"No running worker takes The mine on a GPU, for which runs wait: 1 ({place()}: it has no GPU)."
    ]
    with_gpu = other(theirs="it is too large")
    ScoringWorker.objects.filter(pk=with_gpu.pk).update(device="mps")
    assert RunOut.of(asked).waits == "" and [*untaken()] == []
    assert (chunk := of_others(Queue.SCORING)) is not None and chunk.run == asked
    ScoringWorker.objects.filter(pk=with_gpu.pk).update(refuses={"mine": "it is too large"})
    assert RunOut.of(asked).waits == sentence
    monkeypatch.setattr(taking, "device", lambda: "cuda")
    taking.say()
    assert whose_turn(Queue.SCORING) in chunks(asked) and sent == chunks(asked)
    assert RunOut.of(asked).waits == ""


@pytest.mark.slow
def test_where_a_run_is_scored_is_asked_for_once_and_stays(runs, sent, client, admin_user):
    """By page, command and API; what can use no GPU takes none, and resuming asks for nothing."""
    study = runs["mine"].study
    Run.objects.all().delete()
    install_baselines()
    client.force_login(admin_user)
    new, start = reverse("runs_new", args=[study.slug]), reverse("run_start", args=[study.slug])

    def asked(model: str) -> str:
        return Run.objects.get(model__key=model).device

    assert "only on a GPU" not in client.get(new).content.decode(), "no worker has one"
    ScoringWorker.objects.create(place="elsewhere/0", device="cuda", said_at=Now())
    assert "only on a GPU" in client.get(new).content.decode()
    client.post(start, {"choice": ["mine causal", "random label"], "device": "gpu"})
    assert (asked("mine"), asked("random")) == ("gpu", "any")
    client.post(start, {"choice": "mine causal"})
    assert asked("mine") == "gpu", "it is resumed as it was"
    client.post(start, {"choice": "mine causal", "device": "mars"})
    assert asked("mine") == "gpu"
    call_command("score", study.slug, "--model", "mine", "--metric", "causal", "--device", "any", "--no-wait")
    assert asked("mine") == "any"
    token = make_token(admin_user, name="programs", scopes=["score"]).secret
    body = {"runs": [{"model": "mine", "metric": "causal"}], "device": "gpu"}
    client = Client(headers={"Authorization": f"Bearer {token}"})
    answer = client.post(f"/api/v1/studies/{study.slug}/runs", body, content_type="application/json")
    assert (answer.status_code, answer.json()["data"][0]["device"], asked("mine")) == (202, "gpu", "gpu")


def test_a_wish_for_a_gpu_is_taken_back_on_the_page_that_took_it(runs, sent, client, admin_user):
    """Though no worker has one. What is finished stays as it was scored, and an LSTM can have the wish."""
    run = runs["mine"]
    Run.objects.filter(pk=run.pk).update(device="gpu", state=Run.State.STOPPED, metric="causal")
    client.force_login(admin_user)
    new, start = (reverse(name, args=[run.study.slug]) for name in ("runs_new", "run_start"))
    assert '<option value="gpu" selected>' in client.get(new).content.decode()
    client.post(start, {"choice": "mine causal", "device": "any"})
    run.refresh_from_db()
    assert (run.device, run.is_live) == ("any", True) and 'value="gpu"' not in client.get(new).content.decode()
    run.chunks.all().delete()
    run.scores.create(item=run.study.items.get(), unscored="it is too long")
    client.post(start, {"choice": "mine causal", "device": "gpu"})
    run.refresh_from_db()
    assert (run.device, run.is_live) == ("any", False)
    assert taking.needs_gpu(LanguageModel(method="lstm"))


@pytest.mark.parametrize(
    ("visible", "found"), [(None, "cuda"), ("0", "cuda"), ("1,-1", "cuda"), ("", "cpu"), ("-1", "cpu"), ("-1,0", "cpu")]
)
def test_a_worker_that_must_see_no_gpu_has_none(monkeypatch, tmp_path, visible, found):
    monkeypatch.setattr(taking, "GPU", tmp_path)
    monkeypatch.setattr(taking, "version", lambda name: "2.13.0+cu126")
    monkeypatch.delenv("SCORING_DEVICE", raising=False)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert taking.device.__wrapped__() == found


@pytest.mark.slow
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
