"""What a worker does with a chunk that goes wrong: numbers that are none, a chunk that is no longer its own."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.library.installation import install_baselines
from scoring.models import Chunk, Run, Score
from scoring.runs import asking, planning, starting, working
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError
from tests.either_database import found_by
from tests.studies import open_small_study, plausibility_row
from work import queue
from work.queue import recover


@pytest.mark.slow
def test_g8_one_number_that_is_not_finite_costs_one_item_and_no_chunk(tmp_path, either_url):
    found = found_by("tests.scoring.scorers.not_finite", str(tmp_path), url=either_url)
    assert found["vendor"] == either_url.split(":")[0]
    assert found["run"] == ["finished", "", 2, 1]
    assert found["reason"] == [["1", "the model returned a number that is not finite"]]
    assert found["remembered"] == 2


@pytest.fixture
def study(db, tmp_path, monkeypatch):
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    install_baselines()
    rows = [plausibility_row(n, reference="impossible" if n < 3 else "more_likely") for n in range(1, 9)]
    return open_small_study(tmp_path, rows)


@pytest.fixture
def meanwhile(monkeypatch):
    """While the worker scores, something happens, and then its model breaks."""

    def set_up(happens):
        def opened(*args, **options):
            monkeypatch.setattr(asking, "open_scorer", open_scorer)
            happens()
            raise ModelError("the disk is gone")

        monkeypatch.setattr(asking, "open_scorer", opened)

    return set_up


def chunk_of(run: Run) -> Chunk:
    return run.chunks.get()


def test_a_worker_that_holds_its_chunk_ends_the_run(study, meanwhile):
    run = start_run(study, find_model("majority"), "label")
    meanwhile(lambda: None)
    CHUNKS.work(chunk_of(run).pk, worker="one")
    run.refresh_from_db()
    assert (run.state, run.error, run.chunks.count()) == ("failed", "the disk is gone", 0)


def test_what_is_only_for_a_gpu_is_not_scored_on_a_processor(study, monkeypatch):
    """A worker believed that it has one, and torch found none."""
    run = start_run(study, find_model("random"), "label")
    Run.objects.update(device=Run.Device.GPU)

    def on_a_processor(*args, **options):
        scorer = open_scorer(*args, **options)
        monkeypatch.setattr(scorer, "provenance", lambda: {"device": "cpu"})
        return scorer

    monkeypatch.setattr(asking, "open_scorer", on_a_processor)
    CHUNKS.work(chunk_of(run).pk, worker="one")
    run.refresh_from_db()
    assert (run.state, Score.objects.count()) == ("failed", 0) and "torch found none" in run.error


@pytest.mark.parametrize("taken_by", ["nobody yet", "one", "two"])
def test_a_worker_that_lost_its_chunk_does_not_end_the_run(study, meanwhile, taken_by):
    """Its lease ran out: the chunk waits, or somebody has it, be it another process of the same name."""
    run = start_run(study, find_model("majority"), "label")
    pk = chunk_of(run).pk

    def lost():
        Chunk.objects.update(lease_expires_at=run.created_at)
        recover()
        if taken_by != "nobody yet":
            assert Chunk.objects.claim(pk, worker=taken_by, until=timezone.now() + Chunk.LEASE)

    meanwhile(lost)
    CHUNKS.work(pk, worker="one")
    run.refresh_from_db()
    assert (run.is_live, run.error, chunk_of(run).pk) == (True, "", pk)


def test_a_worker_for_an_earlier_start_does_not_end_the_later_one(study, meanwhile):
    """The run was started anew with another majority label, and is not held up by the chunk either."""
    run = start_run(study, find_model("majority"), "label")

    def started_anew():
        study.items.update(reference="impossible")
        study.items.filter(external_id="target-8").update(reference="less_likely")
        start_run(study, find_model("majority"), "label")

    meanwhile(started_anew)
    CHUNKS.work(chunk_of(run).pk, worker="one")
    run.refresh_from_db()
    assert (run.is_live, run.error, chunk_of(run).state) == (True, "", "waiting")
    CHUNKS.work(chunk_of(run).pk, worker="two")
    run.refresh_from_db()
    assert (run.state, run.scored) == ("finished", 8)
    assert set(run.scores.values_list("decision", flat=True)) == {"impossible"}


def test_items_are_locked_in_one_order(study):
    run = start_run(study, find_model("random"), "label")
    with CaptureQueriesContext(connection) as met:
        CHUNKS.work(chunk_of(run).pk, worker="one")
    [locking] = [one["sql"] for one in met if one["sql"].startswith('SELECT "annotation_item"."id" ')]
    assert locking.endswith(("ORDER BY 1 ASC", 'ORDER BY "annotation_item"."id" ASC'))
    assert Score.objects.count() == 8


def test_workers_with_gpus_take_more_words_at_once(study, monkeypatch, settings):
    monkeypatch.setattr(planning, "ON_GPU", ("baseline",))
    monkeypatch.setitem(planning.CHUNK_WORDS, "baseline", 1)
    assert start_run(study, find_model("random"), "label").chunks.count() == len(study.items.all())
    settings.SCORING_CHUNK_TIMES = 1000
    assert start_run(study, find_model("majority"), "label").chunks.count() == 1


@pytest.mark.slow
def test_a_run_of_many_items_starts_with_the_first_and_goes_on_by_itself(study, monkeypatch):
    """200,000 were cut, and 5,000 messages sent, while a page waited."""
    monkeypatch.setattr(planning, "MOST_CUT", 3)
    run = start_run(study, find_model("majority"), "label")
    assert [len(chunk.item_ids) for chunk in run.chunks.all()] == [3]
    assert (run.total, run.state) == (8, "queued")
    worked = 0
    while chunk := run.chunks.first():
        CHUNKS.work(chunk.pk, worker="one")
        worked += 1
    run.refresh_from_db()
    assert (worked, run.state, run.scored + run.unscored) == (3, "finished", 8)
    assert run.scores.values("item").distinct().count() == run.scores.count() == 8
