"""How long a run will take, by how long runs of its like have taken here; and how many are served before it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import F

from scoring.metrics import Metric
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs.turns import before, live_runs

# Runs that were over sooner tell more of loading the model than of items.
SHORTEST_SECONDS = 1.0
# The latest that are looked at of all that have ended.
MOST_RUNS = 2_000


def ahead(run: Run) -> int:
    """The other runs that a worker is at, or takes up before this one; 0 where it is under way itself."""
    if run.state != Run.State.QUEUED or run.chunks.filter(state=Chunk.State.CLAIMED).exists():
        return 0
    runs = live_runs(labels_only=run.model.gives_labels_only)
    if not any(one.pk == run.pk and one.waits for one in runs):
        return 0
    held = Chunk.objects.filter(run__in=[one.pk for one in runs], state=Chunk.State.CLAIMED).order_by()
    return len(before(runs, run.pk) | set(held.values_list("run", flat=True).distinct()))


def waits_for(runs: int) -> str:
    """
    >>> waits_for(1), waits_for(3)
    ('waits for 1 run ahead of it', 'waits for 3 runs ahead of it')
    """
    return f"waits for {runs:,} run{'' if runs == 1 else 's'} ahead of it"


@dataclass(frozen=True, slots=True)
class Pace:
    """Median seconds an item, over `runs` that have ended; `alike` where they were of other models of its kind."""

    seconds: float
    runs: int
    alike: bool


class Paces:
    """What runs of this installation, of whatever study, say of the time that others will take."""

    def __init__(self, ended: Sequence[tuple[int, str, str, float]]) -> None:
        self._own: dict[tuple[int, str], list[float]] = defaultdict(list)
        self._alike: dict[tuple[str, str], list[float]] = defaultdict(list)
        for model, family, metric, seconds in ended:
            self._own[model, metric].append(seconds)
            self._alike[family, metric].append(seconds)

    def of(self, model: LanguageModel, metric: Metric) -> Pace | None:
        """Of runs of this model and metric, else of the metric and models of this family; None where none were."""
        if own := self._own.get((model.pk, metric.key)):
            return Pace(median(own), len(own), alike=False)
        if alike := self._alike.get((model.family, metric.key)):
            return Pace(median(alike), len(alike), alike=True)
        return None


def read_paces() -> Paces:
    """Read from the latest runs that have ended with scores."""
    ended = Run.objects.filter(state=Run.State.FINISHED, started_at__isnull=False, finished_at__isnull=False)
    rows = ended.order_by("-pk").values_list(
        "model", "model__family", "metric", "started_at", "finished_at", F("scored") + F("unscored") - F("done_before")
    )[:MOST_RUNS]
    return Paces(
        [
            (model, family, metric, seconds / items)
            for model, family, metric, started, finished, items in rows
            if started and finished and items > 0
            if (seconds := (finished - started).total_seconds()) >= SHORTEST_SECONDS
        ]
    )
