"""Who is served first: studies take turns, and no small one waits for a large one. A real queue, no worker."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from celery import current_app
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.library.additions import ask
from scoring.library.installation import install_baselines
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs import planning, turns
from scoring.runs.expected import ahead
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run
from scoring.runs.turns import Live, before, next_of
from tests.studies import open_small_study, plausibility_row
from work.queue import messages_waiting, resend

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def study(tmp_path, queue, monkeypatch):
    install_baselines()
    # So that its messages go the way of models that take minutes.
    monkeypatch.setattr(LanguageModel, "gives_labels_only", False)
    monkeypatch.setattr(turns, "LABELS_ONLY", Q(pk=0))
    monkeypatch.setattr(turns, "_turn", turns._Turn())
    rows = [plausibility_row(n, reference="impossible") for n in (1, 2)]
    return open_small_study(tmp_path / "study", rows, scoring={"nonsubsective": ["Broken"], "metrics": []})


def taken_up(most: int = 100) -> list[str]:
    """The models whose chunks a worker takes, in that order, of as many messages."""
    found: list[str] = []
    with current_app.connection_for_read() as connection, connection.SimpleQueue(Chunk.QUEUE) as waiting:
        for _ in range(min(most, messages_waiting(Chunk.QUEUE))):
            message = waiting.get(block=False)
            message.ack()
            [kind, _] = message.payload[0]
            if kind != "scoring.Chunk":
                found.append(kind)
                continue
            # Each takes another worker, as if its turn were over.
            turns._turn.run = 0
            if (pk := turns.whose_turn(Chunk.QUEUE)) is not None:
                chunk = Chunk.objects.claim(pk, worker="one")
                assert chunk is not None
                found.append(chunk.run.model.key)
                chunk.delete()
    return found


def start(study, **models):
    for key, by in models.items():
        start_run(study, find_model(key), "label", asked_by=by)


def test_what_a_person_asked_for_goes_before_what_was_there_and_takes_turns_with_it(study):
    start(study, majority="", random="rosa", normative="ben")
    assert messages_waiting(Chunk.QUEUE) == 3
    assert taken_up() == ["random", "majority", "normative"]


def test_a_model_that_is_added_does_not_wait_for_runs(study):
    start(study, majority="", random="rosa")
    ask({"key": "mine"}, by="rosa")
    assert taken_up() == ["scoring.Addition", "random", "majority"]


def test_what_is_served_before_a_run_is_counted_as_it_is_handed_out(study):
    start(study, majority="", random="rosa", normative="ben")
    runs = {run.model.key: run for run in Run.objects.select_related("model")}
    # As taken_up() has it: random, majority, normative.
    assert {key: ahead(run) for key, run in runs.items()} == {"random": 0, "majority": 1, "normative": 2}
    runs["majority"].chunks.update(state=Chunk.State.CLAIMED)
    assert {key: ahead(run) for key, run in runs.items()} == {"random": 1, "normative": 2, "majority": 0}
    Run.objects.filter(pk=runs["random"].pk).update(state=Run.State.STOPPED)
    assert ahead(runs["normative"]) == 1


def test_messages_that_are_sent_again_keep_that_order(study):
    start(study, majority="", random="rosa")
    with current_app.connection_for_read() as connection, connection.SimpleQueue(Chunk.QUEUE) as waiting:
        waiting.clear()
    resend()
    assert taken_up() == ["random", "majority"]


def test_a_chunk_that_is_being_scored_stays_its_workers(study):
    start(study, majority="")
    [chunk] = Chunk.objects.all()
    Chunk.objects.claim(chunk.pk, worker="one", until=timezone.now() + Chunk.LEASE)
    start(study, random="rosa")
    assert taken_up() == ["random"]
    chunk.refresh_from_db()
    assert (chunk.state, chunk.worker, Run.objects.count()) == (Chunk.State.CLAIMED, "one", 2)


def live(**turns_of: tuple[int, int, int]) -> list[Live]:
    """Each with its study, its share and its last turn."""
    return [Live(pk, *found, True) for pk, found in enumerate(turns_of.values(), start=1)]


def served(runs: list[Live], times: int) -> list[int]:
    """The studies whose runs have so many turns, one after the other."""
    found = []
    for turn in range(100, 100 + times):
        one = next_of(runs)
        assert one is not None
        found.append(one.study)
        runs = [replace(run, turn=turn) if run is one else run for run in runs]
    return found


def test_a_study_of_many_runs_has_as_many_turns_as_one_of_a_single_run():
    runs = live(a=(1, 1, 0), b=(1, 1, 0), c=(1, 1, 0), d=(2, 2, 0))
    assert served(runs, 6) == [1, 2, 1, 2, 1, 2]


def test_all_that_nobody_waits_for_takes_turns_as_one_study_would():
    runs = live(a=(1, 0, 0), b=(2, 0, 0), c=(3, 3, 0))
    assert served(runs, 6) == [3, 1, 3, 2, 3, 1]


def test_a_study_that_comes_new_is_next_however_long_others_have_been_served():
    runs = live(a=(1, 1, 7), b=(2, 2, 8), c=(3, 3, 0))
    assert served(runs, 4) == [3, 1, 2, 3]
    assert before(runs, 2) == {1, 3} and before(runs, 3) == set()


def in_turn() -> Chunk:
    pk = turns.whose_turn(Chunk.QUEUE)
    assert pk is not None
    return Chunk.objects.get(pk=pk)


def test_a_turn_lasts_until_another_study_comes_new(study, tmp_path, monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr("scoring.runs.turns.time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    monkeypatch.setattr(planning, "CHUNK_WORDS", dict.fromkeys(planning.CHUNK_WORDS, 1))
    start(study, majority="rosa", random="rosa")
    assert [in_turn().run.model.key for _ in range(2)] == ["majority", "majority"]
    rows = [plausibility_row(n, reference="impossible") for n in (1, 2)]
    start(open_small_study(tmp_path / "new", rows, slug="new", scoring={"metrics": []}), random="ben")
    assert in_turn().run.study.slug == "new"


def test_whose_turn_it_is_costs_as_much_however_many_chunks_wait(study):
    start(study, majority="rosa")
    run = Run.objects.get()
    Chunk.objects.bulk_create(Chunk(run=run, item_ids=[]) for _ in range(10_000))
    with CaptureQueriesContext(connection) as asked:
        turns.whose_turn(Chunk.QUEUE)
    # One is for the models of the runs that wait, whether this worker takes them: asked again after ten seconds.
    assert len(asked) == 5
    first = run.chunks.filter(state=Chunk.State.WAITING).order_by("pk")[:1]
    assert "chunk_first" in first.explain() and "TEMP B-TREE" not in first.explain()
