"""Who is served first: what a person asked for does not wait behind the runs of samples. A real queue, no worker."""

import pytest
from celery import current_app
from django.utils import timezone

from scoring.library.additions import ask
from scoring.library.installation import install_baselines
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs.expected import ahead
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run
from tests.studies import open_small_study, plausibility_row
from work.queue import messages_waiting, resend

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def study(tmp_path, queue, monkeypatch):
    install_baselines()
    # So that its messages go the way of models that take minutes.
    monkeypatch.setattr(LanguageModel, "gives_labels_only", False)
    rows = [plausibility_row(n, reference="impossible") for n in (1, 2)]
    return open_small_study(tmp_path / "study", rows, scoring={"nonsubsective": ["Broken"], "metrics": []})


def taken_up(most: int = 100) -> list[str]:
    """The models whose chunks a worker is handed, in that order."""
    found: list[str] = []
    with current_app.connection_for_read() as connection, connection.SimpleQueue(Chunk.QUEUE) as waiting:
        for _ in range(min(most, messages_waiting(Chunk.QUEUE))):
            message = waiting.get(block=False)
            message.ack()
            [kind, pk] = message.payload[0]
            found.append(Chunk.objects.get(pk=pk).run.model.key if kind == "scoring.Chunk" else kind)
    return found


def start(study, **models):
    for key, by in models.items():
        start_run(study, find_model(key), "label", asked_by=by)


def test_what_a_person_asked_for_goes_before_what_was_there_and_in_the_order_of_asking(study):
    start(study, majority="", random="rosa", normative="ben")
    assert messages_waiting(Chunk.QUEUE) == 3
    assert taken_up() == ["random", "normative", "majority"]


def test_a_model_that_is_added_does_not_wait_for_runs(study):
    start(study, majority="", random="rosa")
    ask({"key": "mine"}, by="rosa")
    assert taken_up() == ["scoring.Addition", "random", "majority"]


def test_what_is_served_before_a_run_is_counted_as_it_is_handed_out(study):
    start(study, majority="", random="rosa", normative="ben")
    runs = {run.model.key: run for run in Run.objects.select_related("model")}
    # As taken_up() has it: random, normative, majority. Labels are here by the queue of models that take minutes.
    LanguageModel.objects.update(location="store", source="here")
    assert {key: ahead(run) for key, run in runs.items()} == {"random": 0, "normative": 1, "majority": 2}
    runs["majority"].chunks.update(state=Chunk.State.CLAIMED)
    assert {key: ahead(run) for key, run in runs.items()} == {"random": 1, "normative": 2, "majority": 0}
    Run.objects.filter(pk=runs["random"].pk).update(state=Run.State.STOPPED)
    assert ahead(runs["normative"]) == 1


def test_messages_that_are_sent_again_keep_that_order(study):
    start(study, majority="", random="rosa")
    assert taken_up() == ["random", "majority"]
    resend()
    assert taken_up() == ["random", "majority"]


def test_a_chunk_that_is_being_scored_stays_its_workers(study):
    start(study, majority="")
    assert taken_up(1) == ["majority"]
    [chunk] = Chunk.objects.all()
    Chunk.objects.claim(chunk.pk, worker="one", until=timezone.now() + Chunk.LEASE)
    start(study, random="rosa")
    assert taken_up() == ["random"]
    chunk.refresh_from_db()
    assert (chunk.state, chunk.worker, Run.objects.count()) == (Chunk.State.CLAIMED, "one", 2)
