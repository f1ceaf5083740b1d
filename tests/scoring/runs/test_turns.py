"""Shares of runs that come, go and are started again: none has more than its turns, and none waits for ever."""

from itertools import count
from types import SimpleNamespace

import pytest

from annotation.models import Study
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs import turns
from tests.studies import open_small_study, plausibility_row
from work.queues import Queue

pytestmark = pytest.mark.django_db

NUMBERS = count()


@pytest.fixture
def studies(tmp_path, monkeypatch):
    """Three, and a worker each of whose chunks takes a second."""
    clock = count(0.0, 0.5)
    monkeypatch.setattr(turns, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(turns, "_turn", turns._Turn())
    return [open_small_study(tmp_path / slug, [plausibility_row(1)], slug=slug) for slug in ("one", "two", "three")]


def start(study: Study, chunks: int, by: str = "rosa") -> Run:
    kind = {"family": "causal", "method": "causal", "location": "hub", "source": "one/one"}
    model = LanguageModel.objects.create(key=f"model-{next(NUMBERS)}", **kind)
    return begun(
        Run.objects.create(study=study, model=model, metric="sum", state=Run.State.STOPPED, asked_by=by), chunks
    )


def begun(run: Run, chunks: int) -> Run:
    """As `plan` does."""
    run.turn, run.state = turns.entering(run), Run.State.QUEUED
    run.save()
    Chunk.objects.bulk_create(Chunk(run=run, item_ids=[]) for _ in range(chunks))
    return run


def scored() -> Run:
    """The run whose chunk is scored next."""
    pk = turns.whose_turn(Queue.SCORING)
    assert pk is not None
    run = Run.objects.get(chunks=pk)
    run.chunks.filter(pk=pk).delete()
    if not run.chunks.exists():
        run.state = Run.State.FINISHED
        run.save()
    return run


@pytest.mark.slow
@pytest.mark.parametrize("by", ["rosa", ""])
def test_studies_whose_short_runs_follow_each_other_leave_a_long_one_its_share(studies, by):
    one, *short = studies
    start(one, 120, by)
    for study in short:
        start(study, 2, by)
    had = []
    for _ in range(90):
        run = scored()
        had.append(run.study_id)
        if run.state == Run.State.FINISHED:
            start(run.study, 2, by)
    # A turn is two or three chunks.
    assert all(had.count(study.pk) >= 20 for study in studies)


@pytest.mark.slow
def test_a_run_that_is_stopped_and_started_does_not_go_before_those_that_wait(studies):
    runs = [start(study, 100) for study in studies]
    had = []
    for _ in range(90):
        run = scored()
        had.append(run.study_id)
        runs[0].refresh_from_db()
        begun(runs[0], 0)
    assert all(had.count(study.pk) >= 20 for study in studies)


@pytest.mark.slow
def test_what_nobody_waits_for_is_never_new(studies):
    for study in studies[:2]:
        start(study, 100)
    had = [scored()]
    start(studies[2], 100, by="")
    had += [scored() for _ in range(9)]
    assert [studies.index(run.study) for run in had] == [0, 1, 1, 1, 0, 0, 0, 2, 2, 2]


@pytest.mark.slow
def test_a_study_that_was_not_served_for_long_ends_a_turn_as_a_new_one_does(studies):
    one, two, three = studies
    start(three, 1)
    start(one, 100)
    start(two, 100)
    for _ in range(14):
        scored()
    start(three, 1)
    assert scored().study == three
