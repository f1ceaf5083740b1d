"""A worker's part: claim a chunk, score its items, write the scores once, close the run with the last chunk."""

import math

from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Item
from annotation.tasktypes.contract import ClozeNumbers, Numbers, ScoreRequest, SentenceNumbers, Unscorable, Unscored
from scoring.metrics import METRICS
from scoring.models import Chunk, Run, Score
from scoring.scorers import ModelError, Scorer, open_scorer

# A chunk that has ended its worker so often will do so again.
MOST_ATTEMPTS = 3


def work(chunk_id: int, *, worker: str) -> None:
    """Score one chunk, if it still waits for someone. Doing it twice does it once."""
    chunk = Chunk.objects.claim(chunk_id, worker=worker, until=timezone.now() + Chunk.LEASE)
    if chunk is None:
        return
    run = chunk.run
    if not run.is_live:
        chunk.delete()
        return
    if chunk.attempts > MOST_ATTEMPTS:
        _fail(run, f"A part of {len(chunk.item_ids)} items ended its worker {MOST_ATTEMPTS} times.")
        return
    try:
        scorer = open_scorer(run.model.spec, metric=run.metric, settings=run.settings)
        _mark_running(run, scorer)
        scores = score_items(run, scorer, list(Item.objects.filter(pk__in=chunk.item_ids).order_by("position")))
    except (ModelError, LookupError) as error:
        _fail(run, str(error))
        return
    except DatabaseError:
        # Not the run's fault: the chunk stays claimed and goes back when its lease runs out.
        raise
    except Exception as error:
        # A fault of ours or of a library: the run must not wait for ever, and the log must have it all.
        _fail(run, f"{type(error).__name__}: {error}")
        raise
    _write(chunk, scores)


def score_items(run: Run, scorer: Scorer, items: list[Item]) -> list[Score]:
    """One unsaved Score an item: the task type asks, the scorer answers, the task type reads."""
    task, shape = run.study.task, METRICS[run.metric].shape
    scores: list[Score] = []
    asked: list[tuple[Item, list[ScoreRequest]]] = []
    for item in items:
        try:
            asked.append((item, task.requests(item.content, shape)))
        except Unscorable as reason:
            scores.append(Score(run=run, item=item, unscored=str(reason)))
    results = iter(scorer.score([request for _, requests in asked for request in requests]))
    for item, requests in asked:
        mine = [next(results) for _ in requests]
        reasons = [result.reason for result in mine if isinstance(result, Unscored)]
        if reasons:
            scores.append(Score(run=run, item=item, unscored="; ".join(dict.fromkeys(reasons))))
            continue
        numbers: list[Numbers] = [result for result in mine if not isinstance(result, Unscored)]
        if not all(is_finite(one) for one in numbers):
            scores.append(Score(run=run, item=item, unscored="the model gave a number that is not finite"))
            continue
        readout = task.readout(item.content, shape, numbers)
        scores.append(
            Score(run=run, item=item, decision=readout.decision, strength=readout.strength, detail=readout.detail)
        )
    return scores


def is_finite(numbers: Numbers) -> bool:
    """Whether every number can be stored and compared."""
    match numbers:
        case SentenceNumbers(logprob=logprob):
            return math.isfinite(logprob)
        case ClozeNumbers(logprobs=logprobs):
            return all(math.isfinite(logprob) for logprob in logprobs)
    return True


def _mark_running(run: Run, scorer: Scorer) -> None:
    """The first chunk of a run says when it began and what it was measured with."""
    started = Run.objects.filter(pk=run.pk, state=Run.State.QUEUED)
    provenance = scorer.provenance() | {"metric": run.metric, "metric_version": METRICS[run.metric].version}
    started.update(state=Run.State.RUNNING, started_at=timezone.now(), provenance={**run.provenance, **provenance})


def _write(chunk: Chunk, scores: list[Score]) -> None:
    """Scores, counts and the chunk's end in one transaction. The run's lock makes the counts exact."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=chunk.run_id)
        there = set(run.scores.filter(item__in=[score.item_id for score in scores]).values_list("item", flat=True))
        new = [score for score in scores if score.item_id not in there]
        Score.objects.bulk_create(new, batch_size=200)
        unscored = sum(bool(score.unscored) for score in new)
        Run.objects.filter(pk=run.pk).update(
            scored=F("scored") + len(new) - unscored, unscored=F("unscored") + unscored
        )
        chunk.delete()
        run.refresh_from_db()
        # Stopped in its last chunk, it is finished all the same.
        unfinished = run.state != Run.State.FAILED and run.state != Run.State.FINISHED
        if unfinished and run.done >= run.total and not run.chunks.exists():
            Run.objects.filter(pk=run.pk).update(state=Run.State.FINISHED, finished_at=timezone.now())


def _fail(run: Run, error: str) -> None:
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)
        live = Run.objects.filter(pk=run.pk, state__in=[Run.State.QUEUED, Run.State.RUNNING])
        if live.update(state=Run.State.FAILED, error=error, finished_at=timezone.now()):
            run.chunks.all().delete()
