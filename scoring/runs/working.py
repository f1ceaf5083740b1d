"""A worker's part: score the items of a chunk, write the scores once, close the run with the last chunk."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Item
from annotation.tasktypes.contract import (
    ClozeNumbers,
    Numbers,
    ScoreRequest,
    Unscorable,
    Unscored,
)
from scoring.metrics import METRICS
from scoring.models import Chunk, Run, Score
from scoring.runs.asking import answers
from scoring.runs.planning import plan, tell_ended
from scoring.runs.prompts import in_words_of
from scoring.runs.turns import of_others, whose_turn
from scoring.scorers.contract import ModelError
from work.kinds import MOST_ATTEMPTS, Kind, TookTooLong, WornOut
from work.queue import send
from work.watching.counted import count


def score(chunk: Chunk) -> None:
    """Score its items and write the scores; of a run that was stopped, nothing is."""
    run = chunk.run
    if run.is_live:
        _write(chunk, score_items(run, list(Item.objects.filter(pk__in=chunk.item_ids).order_by("position"))))
    else:
        chunk.delete()


def fail(chunk: Chunk, error: Exception) -> None:
    if isinstance(error, WornOut):
        set_apart(chunk)
    elif isinstance(error, TookTooLong):
        _end_run(chunk, f"{len(chunk.item_ids)} items {error} to score")
    elif isinstance(error, REFUSALS):
        _end_run(chunk, str(error))
    else:
        # The run must not wait for ever.
        _end_run(chunk, f"{type(error).__name__}: {error}")


REFUSALS = (ModelError, LookupError)
CHUNKS = Kind(model=Chunk, do=score, fail=fail, refusals=REFUSALS, in_turn=whose_turn, of_others=of_others)


def set_apart(chunk: Chunk) -> None:
    """Find what ends the workers: every item of the chunk is tried alone; one that is alone is left unscored."""
    if not chunk.run.is_live:
        chunk.delete()
        return
    if len(chunk.item_ids) > 1:
        with transaction.atomic():
            # Two attempts are used up, so that one more crash is enough for each.
            parts = Chunk.objects.bulk_create(
                Chunk(run=chunk.run, item_ids=[pk], attempts=MOST_ATTEMPTS - 1) for pk in chunk.item_ids
            )
            chunk.delete()
        send(parts)
        return
    reason = f"scoring this item was cut off {MOST_ATTEMPTS} times, by its worker’s crash or by the database"
    _write(chunk, [Score(run=chunk.run, item_id=pk, unscored=reason) for pk in chunk.item_ids])


def score_items(run: Run, items: list[Item]) -> list[Score]:
    """One unsaved Score an item: the task type asks, the model or its memory answers, the task type reads."""
    task, metric = run.study.task, METRICS[run.metric]
    scores: list[Score] = []
    questions: list[tuple[Item, list[ScoreRequest]]] = []
    for item in items:
        try:
            requests = task.requests(item.content, metric.shape)
            questions.append((item, [metric.question(in_words_of(run.settings, one)) for one in requests]))
        except Unscorable as reason:
            scores.append(Score(run=run, item=item, unscored=str(reason)))
    answered = answers(run, dict.fromkeys(request for _, requests in questions for request in requests))
    for item, requests in questions:
        mine = [metric.seen(request, answered[request]) for request in requests]
        reasons = [result.reason for result in mine if isinstance(result, Unscored)]
        if reasons:
            scores.append(Score(run=run, item=item, unscored="; ".join(dict.fromkeys(reasons))))
            continue
        numbers = [result for result in mine if not isinstance(result, Unscored)]
        readout = task.readout(item.content, metric.shape, numbers)
        detail = metric.renamed(readout.detail | _unknown(numbers))
        scores.append(Score(run=run, item=item, decision=readout.decision, strength=readout.strength, detail=detail))
    return scores


def _unknown(numbers: Sequence[Numbers]) -> dict[str, int]:
    """How many tokens of the texts the vocabulary lacks, where it lacks any (docs/metrics.md, C7)."""
    count = sum(one.unknown for one in numbers if isinstance(one, ClozeNumbers))
    return {"unknown_tokens": count} if count else {}


def _write(chunk: Chunk, scores: list[Score]) -> None:
    """Scores, counts and the chunk's end in one transaction. The run's lock makes the counts exact.

    An item may have been reworded since it was read: it is another one now, and the last chunk sees to it.
    The same if the run was started anew with other settings meanwhile: these scores answer another question.
    """
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=chunk.run_id)
        if not _asks_the_same(run, chunk.run):
            scores = []
        item_ids = [score.item_id for score in scores]
        # In one order everywhere, so that no two wait for each other.
        locked = Item.objects.select_for_update().filter(pk__in=item_ids).order_by("pk")
        still = set(locked.values_list("pk", flat=True))
        still -= set(run.scores.filter(item__in=item_ids).values_list("item", flat=True))
        new = [score for score in scores if score.item_id in still]
        Score.objects.bulk_create(new, batch_size=200)
        unscored = sum(bool(score.unscored) for score in new)
        Run.objects.filter(pk=run.pk).update(
            scored=F("scored") + len(new) - unscored, unscored=F("unscored") + unscored
        )
        chunk.delete()
        run.refresh_from_db()
        chunks = _close(run)
    count("items_scored", len(new))
    if chunks:
        send(chunks)


def _close(run: Run) -> list[Chunk]:
    """After its last chunk a run is finished, or has items left that were not there when it was planned."""
    if run.chunks.exists():
        return []
    if run.is_live:
        return plan(run)
    # Stopped in its last chunk, it is finished all the same.
    if run.state == Run.State.STOPPED and run.done >= run.total:
        Run.objects.filter(pk=run.pk).update(state=Run.State.FINISHED, finished_at=timezone.now())
        tell_ended(run, Run.State.FINISHED)
    return []


def _asks_the_same(run: Run, claimed: Run) -> bool:
    """Whether the run is still the one that a chunk was claimed under."""
    return (run.settings, run.metric_version) == (claimed.settings, claimed.metric_version)


def _end_run(chunk: Chunk, error: str) -> None:
    """End the run, if the trouble is its own: not that of a worker that lost its chunk, or of an earlier start."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=chunk.run_id)
        if not run.is_live or not Chunk.objects.held_as(chunk).exists():
            return
        is_its_own = _asks_the_same(run, chunk.run)
        if is_its_own:
            Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED, error=error, finished_at=timezone.now())
            run.chunks.all().delete()
            tell_ended(run, Run.State.FAILED)
    if not is_its_own:
        # Nothing to write: what was asked is planned anew.
        _write(chunk, [])
