"""A study's runs as they stand, with how fast they go."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from annotation.models import Study
from scoring.models import Run

# A rate from the first moments would be mostly the loading of the model.
SHORTEST_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run; `per_second` is items done a second since it started, None where that says nothing."""

    run: Run
    per_second: float | None

    @property
    def rate(self) -> str:
        """`37 a second`, or slow ones by the minute."""
        if self.per_second is None:
            return ""
        if self.per_second >= 10:
            return f"{self.per_second:,.0f} a second"
        if self.per_second >= 1:
            return f"{self.per_second:.1f} a second"
        return f"{60 * self.per_second:.0f} a minute"

    @property
    def left(self) -> str:
        """About how long a live run still takes, in words."""
        if not self.run.is_live or not self.per_second:
            return ""
        seconds = (self.run.total - self.run.done) / self.per_second
        if seconds < 90:
            return f"about {max(1, round(seconds))} s left"
        return f"about {round(seconds / 60)} min left"


def read_runs(study: Study) -> list[RunLine]:
    """Models first, then baselines, each by name."""
    now = timezone.now()
    runs = study.runs.select_related("model").order_by("pk")
    lines = [RunLine(run, _rate(run, now)) for run in runs]
    return sorted(lines, key=lambda line: (line.run.model.family == "baseline", line.run.model.name, line.run.metric))


def _rate(run: Run, now: datetime) -> float | None:
    if run.started_at is None or not run.done:
        return None
    seconds = ((run.finished_at or now) - run.started_at).total_seconds()
    return run.done / seconds if seconds >= SHORTEST_SECONDS and (run.is_live or run.finished_at) else None
