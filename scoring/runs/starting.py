"""Starting and stopping runs, one or several together."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Study
from scoring.metrics import METRICS, Metric
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs.fitting import CannotRun, misfit
from scoring.runs.planning import plan, settle
from scoring.runs.taking import needs_gpu
from work.queue import QueueSilent, send


def start_run(study: Study, model: LanguageModel, metric: Metric | str, *, asked_by: str = "", device: str = "") -> Run:
    """Start the run, take it up again, or return it as it is if nothing is left to score.

    The same study, model and metric are always the same run, and `asked_by` (a researcher's name; empty for the command
    line) is who asked for it first. `device` is a Run.Device; empty: as it was. Raises CannotRun; QueueSilent if the
    run is stored but the queue does not answer.
    """
    key = metric if isinstance(metric, str) else metric.key
    if model.is_imported:
        raise CannotRun(f"{model.name} has only imported scores and cannot be run here.")
    if key not in METRICS:
        raise CannotRun(f"There is no metric {key!r}. Available: {', '.join(METRICS)}.")
    reason = misfit(study, model, METRICS[key])
    if reason is not None:
        raise CannotRun(reason)
    with transaction.atomic():
        new = {"metric_version": METRICS[key].version, "asked_by": asked_by}
        run, is_new = Run.objects.get_or_create(study=study, model=model, metric=key, defaults=new)
        run = Run.objects.select_for_update().get(pk=run.pk)
        was_live = run.is_live and not is_new
        settle(run)
        chunks = plan(run)
        # What is finished stays as it was scored.
        if device and run.is_live:
            run.device = device if needs_gpu(model) else Run.Device.ANY
            run.save(update_fields=["device"])
        if chunks and not was_live:
            record(study, Deed.RUN_STARTED, run, facts={"items": run.total - run.scored - run.unscored})
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
            record(locked.study, Deed.RUN_STOPPED, locked, facts={"scored": locked.scored, "of": locked.total})
    run.refresh_from_db()


@dataclass(frozen=True, slots=True)
class Started:
    """`runs` are on the queue or had nothing left to score; `silent` is what was said of those that are only stored."""

    runs: list[Run]
    silent: list[QueueSilent]

    @property
    def live(self) -> list[Run]:
        return [run for run in self.runs if run.is_live]


def start_runs(
    study: Study, pairs: Iterable[tuple[LanguageModel, Metric | str]], *, asked_by: str = "", device: str = ""
) -> Started:
    """Start each, or take it up again, as `start_run` does, which raises CannotRun: what came before it goes on."""
    started = Started([], [])
    for model, metric in pairs:
        try:
            started.runs.append(start_run(study, model, metric, asked_by=asked_by, device=device))
        except QueueSilent as error:
            started.silent.append(error)
    return started


def stop_runs(study: Study) -> list[Run]:
    """Stop all that are under way. What is scored stays."""
    live = [run for run in study.runs.select_related("model") if run.is_live]
    for run in live:
        stop_run(run)
    return live
