"""Runs started and stopped together."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import Study
from scoring.metrics import Metric
from scoring.models import LanguageModel, Run
from scoring.runs.starting import start_run, stop_run
from work.queue import QueueSilent


@dataclass(frozen=True, slots=True)
class Started:
    """`runs` are on the queue or had nothing left to score; `silent` is what was said of those that are only stored."""

    runs: list[Run]
    silent: list[QueueSilent]

    @property
    def live(self) -> list[Run]:
        return [run for run in self.runs if run.is_live]


def start_runs(study: Study, wanted: Iterable[tuple[LanguageModel, Metric | str]], *, asked_by: str = "") -> Started:
    """Start each, or take it up again, as `start_run` does, which raises CannotRun: what came before it goes on."""
    started = Started([], [])
    for model, metric in wanted:
        try:
            started.runs.append(start_run(study, model, metric, asked_by=asked_by))
        except QueueSilent as error:
            started.silent.append(error)
    return started


def stop_runs(study: Study) -> list[Run]:
    """Stop all that are under way. What is scored stays."""
    live = [run for run in study.runs.select_related("model") if run.is_live]
    for run in live:
        stop_run(run)
    return live
