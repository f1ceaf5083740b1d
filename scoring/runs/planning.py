"""Cutting a run into chunks, and the settings that its scorer is given."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.conf import settings
from django.utils import timezone

from annotation.models import Item
from annotation.webhooks.outbox import Event, tell
from corpus.provenance import digest
from scoring.baselines import LABELING, label_baseline
from scoring.metrics import METRICS
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs.prompts import settings_of
from scoring.runs.turns import entering
from scoring.scorers.endpoint.calling import written

# Words in one chunk: a few seconds of work, so that progress moves and a kill costs little.
CHUNK_WORDS = {"masked": 600, "causal": 2000, "baseline": 20_000, "classifier": 2000, "endpoint": 100}
# Families whose chunks a GPU wants larger: settings.SCORING_CHUNK_TIMES.
ON_GPU = ("masked", "causal", "classifier")
# A counted baseline parses its sentences.
CHUNK_WORDS_COUNTED = 4000
PIECE = 500
# Items that are cut at once, which takes a part of a second; when they are scored, their worker cuts the next.
MOST_CUT = 10_000


def settle(run: Run) -> None:
    """Under the run's lock, as it is started: what its scorer is opened with from now on."""
    settled, version = _settings(run), METRICS[run.metric].version
    if run.scores.exists() and (settled, version) != (run.settings, run.metric_version):
        # Another majority label, another word list, another rule: what was scored before is another measure.
        run.scores.all().delete()
    run.settings, run.metric_version = settled, version


def plan(run: Run) -> list[Chunk]:
    """Under the run's lock: bring its counts up to date and cut what is not scored into chunks, at most MOST_CUT."""
    targets = run.study.items.filter(kind=Item.Kind.TARGET)
    run.total = targets.count()
    run.scored = run.scores.filter(unscored="").count()
    run.unscored = run.scores.exclude(unscored="").count()
    run.chunks.exclude(state=Chunk.State.CLAIMED).delete()
    claimed = {pk for ids in run.chunks.values_list("item_ids", flat=True) for pk in ids}
    # With the study, by which the relation knows its items: without, each would be asked for its own.
    unscored = targets.exclude(pk__in=run.scores.values("item")).only("pk", "study", "content").order_by("position")
    # Read in pieces: a study may have more items than fit in memory.
    rest = islice((item for item in unscored.iterator(chunk_size=PIECE) if item.pk not in claimed), MOST_CUT)
    chunks = Chunk.objects.bulk_create((Chunk(run=run, item_ids=ids) for ids in _cut(run, rest)), batch_size=PIECE)
    if chunks or claimed:
        if not run.is_live:
            # A part that a worker still holds since the stop makes it a run under way.
            run.state = Run.State.RUNNING if claimed else Run.State.QUEUED
            run.finished_at, run.turn = None, entering(run)
        run.error = ""
        run.provenance |= {"items_sha256": digest(list(targets.values_list("content_hash", flat=True)))}
    else:
        if run.state != Run.State.FINISHED:
            tell_ended(run, Run.State.FINISHED)
        run.state = Run.State.FINISHED
        run.finished_at = run.finished_at or timezone.now()
    run.save()
    return chunks


def tell_ended(run: Run, state: str) -> None:
    """In the caller's transaction, whoever wants to know that the run has come to its end."""
    facts = {"id": run.pk, "model": run.model.name, "metric": run.metric}
    counts = {"scored": run.scored, "unscored": run.unscored, "total": run.total}
    tell(run.study_id, Event.RUN_FINISHED, {"outcome": str(state), "run": facts | counts})


def _cut(run: Run, items: Iterable[Item]) -> Iterator[list[int]]:
    """Item ids in pieces of about CHUNK_WORDS words, of more where the workers have GPUs."""
    task, most = run.study.task, CHUNK_WORDS_COUNTED if run.model.is_counted else CHUNK_WORDS[run.model.family]
    if run.model.family in ON_GPU:
        most *= settings.SCORING_CHUNK_TIMES
    piece: list[int] = []
    words = 0
    for item in items:
        piece.append(item.pk)
        words += len(task.text(item.content).split())
        if words >= most:
            yield piece
            piece, words = [], 0
    if piece:
        yield piece


def _settings(run: Run) -> dict[str, Any]:
    """What the scorer must know, written down so that the run can be repeated."""
    if METRICS[run.metric].shape == "prompt":
        words = settings_of(run.study, metric=run.metric)
        if run.model.family == LanguageModel.Family.ENDPOINT:
            # The same name at another address may be another model.
            words["endpoint"] = written(settings.PROMPT_ENDPOINT)
        return words | ({"reading": run.model.reading} if run.model.reading else {})
    if run.model.method in LABELING:
        return label_baseline(run.model.method).settings_of(run.study)
    return {"reading": run.model.reading} if run.model.reading else {}
