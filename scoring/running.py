"""Starting and stopping runs: what fits what, cutting a run into chunks, putting them on the queue."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError

from annotation.itemfile import digest
from annotation.models import Item, Study
from scoring.associations.places import CONTENT, is_there
from scoring.chat import has_template
from scoring.metrics import METRICS, Metric, metrics_of
from scoring.models import Chunk, LanguageModel, Run
from scoring.scorers import ModelError
from scoring.scorers.calling import address, written
from scoring.training.recipes import RECIPES

# Words in one chunk: a few seconds of work, so that progress moves and a kill costs little.
CHUNK_WORDS = {"masked": 600, "causal": 2000, "baseline": 20_000, "classifier": 2000, "endpoint": 100}
# A counted baseline parses its sentences.
CHUNK_WORDS_COUNTED = 4000
RANDOM_SEED = 1
PIECE = 500
SCORING_QUEUE, UPKEEP_QUEUE = "scoring", "upkeep"


class CannotRun(ValueError):
    """Why this run cannot be started. str() is a sentence that says what would fit."""


class QueueSilent(CannotRun):
    """The run is stored, but its messages could not be sent; they go out when a worker starts."""


def find_model(key: str) -> LanguageModel:
    """The model of that key; CannotRun, listing those there are, if it is unknown."""
    model = LanguageModel.objects.filter(key=key).first() if key.isprintable() else None
    if model is None:
        runnable = LanguageModel.objects.filter(is_imported=False)
        known = ", ".join(runnable.values_list("key", flat=True)) or "none; run manage.py fetch_models"
        raise CannotRun(f"There is no model {key!r}. There are: {known}.")
    return model


def choices_for(study: Study) -> list[tuple[LanguageModel, list[Metric]]]:
    """Every model with the metrics that it can be run with on this study."""
    choices = []
    for model in LanguageModel.objects.filter(is_imported=False):
        fitting = [metric for metric in metrics_of(model.family, model.scorer) if _misfit(study, model, metric) is None]
        if fitting:
            choices.append((model, fitting))
    return choices


def defaults_for(study: Study) -> list[tuple[LanguageModel, Metric]]:
    """The runs that a study asks for: its own metrics on every model that has them, and the baselines."""
    unknown = [key for key in study.metrics if key not in METRICS]
    if unknown:
        raise CannotRun(f"{study.slug} declares {', '.join(unknown)}. Metrics are: {', '.join(METRICS)}.")
    wanted = {*study.metrics, "label"}
    return [(model, metric) for model, fitting in choices_for(study) for metric in fitting if metric.key in wanted]


def start_run(study: Study, model: LanguageModel, metric: Metric | str) -> Run:
    """Start the run, take it up again, or return it as it is if nothing is left to score.

    The same study, model and metric are always the same run. Raises CannotRun; QueueSilent if the run is
    stored but the queue does not answer.
    """
    key = metric if isinstance(metric, str) else metric.key
    if model.is_imported:
        raise CannotRun(f"{model.name} is known here by imported scores only; it cannot be run.")
    if key not in METRICS:
        raise CannotRun(f"There is no metric {key!r}. There are: {', '.join(METRICS)}.")
    misfit = _misfit(study, model, METRICS[key])
    if misfit is not None:
        raise CannotRun(misfit)
    with transaction.atomic():
        run, _ = Run.objects.get_or_create(
            study=study, model=model, metric=key, defaults={"metric_version": METRICS[key].version}
        )
        run = Run.objects.select_for_update().get(pk=run.pk)
        _tell(run)
        chunks = plan(run)
    send(chunks)
    return run


def stop_run(run: Run) -> None:
    """Score no further. What is scored stays, and starting again goes on from there."""
    with transaction.atomic():
        locked = Run.objects.select_for_update().get(pk=run.pk)
        if locked.is_live:
            locked.state = Run.State.STOPPED
            locked.save(update_fields=["state"])
            locked.chunks.filter(state=Chunk.State.WAITING).delete()
    run.refresh_from_db()


def recover(*, worker: str | None = None, crashed: bool = True) -> int:
    """Give lost chunks back to the queue; returns how many.

    Lost are chunks whose lease has run out and, when a worker process starts, those that the process
    before it in the same place had claimed. `crashed` is False where that process was stopped in good order,
    which does not count against the chunk.
    """
    orphans = list(Chunk.objects.orphaned(worker=worker).select_related("run__model").order_by("pk"))
    claimed = Chunk.objects.filter(pk__in=[chunk.pk for chunk in orphans], state=Chunk.State.CLAIMED)
    if not crashed:
        claimed.filter(attempts__gt=0).update(attempts=F("attempts") - 1)
    claimed.update(state=Chunk.State.WAITING, worker="")
    send(orphans)
    return len(orphans)


def resend() -> None:
    """Put every waiting chunk on the queue: the queue may have been emptied since. A message too many is harmless."""
    live = [Run.State.QUEUED, Run.State.RUNNING]
    waiting = Chunk.objects.filter(state=Chunk.State.WAITING, run__state__in=live)
    send(list(waiting.select_related("run__model").order_by("pk")))


def keep_moving() -> None:
    """What upkeep does for runs: take back lost chunks, and fill a queue that was emptied under us."""
    recover()
    if messages_waiting() == 0:
        resend()


def messages_waiting(queue: str = SCORING_QUEUE) -> int:
    """How many messages for workers are on a queue; those that a worker has taken do not count."""
    with current_app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        try:
            return int(channel.queue_declare(queue=queue, passive=True).message_count)
        except ChannelError:
            # Redis drops an empty queue, and a queue that is not there cannot be counted.
            return 0


def _misfit(study: Study, model: LanguageModel, metric: Metric) -> str | None:
    """Why this model and metric cannot be run on the study, as a sentence; None if they can."""
    if not metric.fits(model.family, model.scorer):
        has = ", ".join(fitting.key for fitting in metrics_of(model.family, model.scorer)) or "none yet"
        return f"{model.name} is a {model.get_family_display()}, which has no {metric.key}. It has: {has}."
    if metric.shape == "prompt" and model.family == LanguageModel.Family.CAUSAL and has_template(model.spec) is False:
        return f"{model.name} has no chat template, so it cannot be asked in words. Instruct models have one."
    if model.family == LanguageModel.Family.ENDPOINT:
        return _endpoint_misfit(model)
    if model.is_counted and not is_there(Path(model.spec.source), model.files.get(CONTENT, "")):
        return (
            f"{model.name} was counted from what its store no longer holds: files were added since, or it was removed."
        )
    if model.family == LanguageModel.Family.CLASSIFIER and (reads := _trained_on(model)) != study.task_type:
        return f"{model.name} was trained on {reads}, and the items of {study.slug} are of the type {study.task_type}."
    if model.source == "majority" and not _has_labels(study):
        return f"{study.slug} has neither references nor labels that count yet, so no label is the most common."
    if model.source == "normative" and study.task_type != "plausibility":
        return "The normative rule is about modifiers, so it needs a plausibility study."
    if model.source == "normative" and not study.nonsubsective:
        return (
            f"{study.slug} names no non-subsective adjectives, which the normative rule needs "
            "(study.toml: [scoring] nonsubsective; import_study adept: --nonsubsective FILE)."
        )
    return None


def _endpoint_misfit(model: LanguageModel) -> str | None:
    if model.source not in settings.PROMPT_ENDPOINT_MODELS:
        return f"The settings name no endpoint with {model.source} (PROMPT_ENDPOINT, PROMPT_ENDPOINT_MODELS)."
    try:
        address(settings.PROMPT_ENDPOINT)
    except ModelError as error:
        return f"{error}."
    return None


def _trained_on(model: LanguageModel) -> str:
    """The task type whose items a classifier knows, in words."""
    known = RECIPES.get(model.settings.get("recipe", ""))
    return known.task_type if known else "items that its row does not name"


def _tell(run: Run) -> None:
    """Under the run's lock, as it is started: what its scorer is told from now on."""
    told, version = _settings(run), METRICS[run.metric].version
    if run.scores.exists() and (told, version) != (run.settings, run.metric_version):
        # Another majority label, another word list, another rule: what was scored before is another measure.
        run.scores.all().delete()
    run.settings, run.metric_version = told, version


def plan(run: Run) -> list[Chunk]:
    """Under the run's lock: bring its counts up to date and cut what is not scored into chunks."""
    targets = run.study.items.filter(kind=Item.Kind.TARGET)
    run.total = targets.count()
    run.scored = run.scores.filter(unscored="").count()
    run.unscored = run.scores.exclude(unscored="").count()
    run.chunks.exclude(state=Chunk.State.CLAIMED).delete()
    claimed = {pk for ids in run.chunks.values_list("item_ids", flat=True) for pk in ids}
    unscored = targets.exclude(pk__in=run.scores.values("item")).only("pk", "content").order_by("position")
    # Read in pieces: a study may have more items than fit in memory.
    rest = (item for item in unscored.iterator(chunk_size=PIECE) if item.pk not in claimed)
    chunks = Chunk.objects.bulk_create((Chunk(run=run, item_ids=ids) for ids in _cut(run, rest)), batch_size=PIECE)
    if chunks or claimed:
        if not run.is_live:
            # A part that a worker still holds since the stop makes it a run under way.
            run.state = Run.State.RUNNING if claimed else Run.State.QUEUED
            run.finished_at = None
        run.error = ""
        run.provenance |= {"items_sha256": digest(list(targets.values_list("content_hash", flat=True)))}
    else:
        run.state = Run.State.FINISHED
        run.finished_at = run.finished_at or timezone.now()
    run.save()
    return chunks


def _cut(run: Run, items: Iterable[Item]) -> Iterator[list[int]]:
    """Item ids in pieces of about CHUNK_WORDS words."""
    task, most = run.study.task, CHUNK_WORDS_COUNTED if run.model.is_counted else CHUNK_WORDS[run.model.family]
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
    """What the scorer must be told, written down so that the run can be repeated."""
    if METRICS[run.metric].shape == "prompt":
        told = {"instructions": run.study.instructions}
        if run.model.family == LanguageModel.Family.ENDPOINT:
            # The same name at another address may be another model.
            told["endpoint"] = written(settings.PROMPT_ENDPOINT)
        return told
    match run.model.source if run.model.family == LanguageModel.Family.BASELINE else "":
        case "majority":
            return _majority(run.study)
        case "normative":
            return {"nonsubsective": run.study.nonsubsective}
        case "random":
            return {"seed": RANDOM_SEED}
    return {}


def _majority(study: Study) -> dict[str, Any]:
    """The most common label, of what it is the most common (`of`), and how often: `count` of `n`."""
    of, counts = _label_counts(study)
    if not counts:
        return {"label": None, "reason": "the study has neither references nor labels, so none is the most common"}
    # Among equally common labels the first on the scale, so that the run can be repeated.
    values = study.task.scale.values
    label = max(values, key=lambda value: (counts[value], -values.index(value)))
    return {"label": label, "of": of, "n": counts.total(), "count": counts[label]}


def _has_labels(study: Study) -> bool:
    """Whether any target has a reference, or a label that counts."""
    known = Q(reference__isnull=False) | Q(counted__gt=0)
    return study.items.filter(known, kind=Item.Kind.TARGET).exists()


def _label_counts(study: Study) -> tuple[str, Counter[str]]:
    """How often each label is a target's reference; in a study without references, how often people gave it."""
    targets = study.items.filter(kind=Item.Kind.TARGET)
    references = targets.filter(reference__isnull=False).order_by().values_list("reference").annotate(Count("pk"))
    if counts := Counter(dict(references)):
        return "references", counts
    for tally in targets.filter(counted__gt=0).values_list("tally", flat=True).iterator():
        counts.update(tally)
    return "labels", +counts


def send(chunks: list[Chunk]) -> None:
    """Messages for chunks that are committed. QueueSilent if the queue does not take them."""
    from scoring.tasks import score_chunk

    try:
        for chunk in chunks:
            # A baseline that gives labels takes no time and must not wait behind models that take minutes.
            quick = chunk.run.model.gives_labels_only
            score_chunk.apply_async((chunk.pk,), queue=UPKEEP_QUEUE if quick else SCORING_QUEUE)
    except OperationalError as error:
        raise QueueSilent(
            f"The queue does not answer ({error}). The run is stored and starts when a worker does."
        ) from error
    Chunk.objects.filter(pk__in=[chunk.pk for chunk in chunks]).update(sent_at=timezone.now())
