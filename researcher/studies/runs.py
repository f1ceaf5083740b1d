"""A study's runs as they stand, with how fast they go."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Q, Sum
from django.utils import timezone
from pydantic import TypeAdapter

from annotation.models import ItemRevision, Study
from annotation.models.study import Measure
from comparison.frame.cache.remembered import remembered
from researcher.studies.list import read_lines
from scoring.models import EndpointCall, Run, Score
from scoring.runs.taking import waits_of
from scoring.short_names import short_names
from work.progress import Progress, per_second

PER_PAGE = 50
# How a state is drawn: the class of its badge and its icon.
BADGES = {
    Run.State.QUEUED: ("draft", "clock"),
    Run.State.RUNNING: ("models", "play"),
    Run.State.FINISHED: ("ok", "check"),
    Run.State.FAILED: ("failed", "cross"),
    Run.State.STOPPED: ("draft", "stop"),
}
IMPORTED = ("draft", "file")
# What the table is narrowed to, by its word in the address.
SHOWN = {
    "": "All",
    "models": "Models",
    "baselines": "Baselines",
    "running": "In progress",
    "failed": "Failed",
}


@dataclass(frozen=True, slots=True)
class RunLine:
    """`per_second`: items done since it started, None if it says nothing; tokens, calls and cost are an endpoint's.

    `waits`: that no worker takes its model, in a sentence.
    """

    run: Run
    per_second: float | None
    calls: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)
    waits: str = ""

    @property
    def remark(self) -> str:
        """What went wrong, for a reader; empty where nothing did."""
        return self.run.error or ("no item could be scored" if self.run.done and not self.run.scored else "")

    @property
    def badge(self) -> tuple[str, str]:
        return IMPORTED if self.run.model.is_imported else BADGES[Run.State(self.run.state)]

    @property
    def state(self) -> str:
        return "Imported" if self.run.model.is_imported else self.run.get_state_display()

    @property
    def choice(self) -> str:
        """What a form sends so that it goes on."""
        return f"{self.run.model.key} {self.run.metric}"

    def is_among(self, shown: str) -> bool:
        of = {
            "models": not self.run.model.is_baseline,
            "baselines": self.run.model.is_baseline,
            "running": self.run.is_live,
            "failed": self.run.state == Run.State.FAILED,
        }
        return of.get(shown, True)

    @property
    def can_go_on(self) -> bool:
        return not self.run.model.is_imported and self.run.state in (Run.State.STOPPED, Run.State.FAILED)

    @property
    def progress(self) -> Progress:
        return Progress(done=self.run.done, of=self.run.total, per_second=self.per_second)

    @property
    def left(self) -> str:
        """About how long a live run still takes, in words."""
        return self.progress.left if self.run.is_live else ""

    @property
    def spending(self) -> str:
        """What the run has cost, and what it may cost: `1,240 calls, 620,000 tokens, cost 0.37 of at most 5.00`."""
        calls = f"{self.calls:,} call{'' if self.calls == 1 else 's'}"
        if self.tokens:
            calls += f", {self.tokens:,} token{'' if self.tokens == 1 else 's'}"
        if not self.calls or not settings.PROMPT_ENDPOINT_PRICE:
            return calls if self.calls else ""
        return f"{calls}, cost {self.cost:.2f} of at most {settings.PROMPT_ENDPOINT_CEILING:.2f}"


@dataclass(frozen=True, slots=True)
class Result:
    """How near a run comes, or in two words that it is not said, with the reason if there is one.

    `by_cut_points`: its labels are cut from scores; `by_rho`: it has no labels, and its scores are correlated. `what`
    the number is, as its row says where others are something else.
    """

    words: str
    what: str = ""
    by_cut_points: bool = False
    by_rho: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """By run; `items` are those that all compared runs have answered, on which their figures rest."""

    by_run: dict[int, Result]
    items: int = 0


@dataclass(frozen=True, slots=True)
class Chip:
    value: str
    name: str
    count: int
    is_on: bool


@dataclass(frozen=True)
class RunsPage:
    """`part` has those of `all` that the address asks for; `results` are None where they were not asked for."""

    all: list[RunLine]
    shown: str
    results: Results | None
    number: str = ""

    @cached_property
    def part(self) -> Page[RunLine]:
        among = [line for line in self.all if line.is_among(self.shown)]
        return Paginator(among, PER_PAGE).get_page(self.number)

    @property
    def lines(self) -> list[tuple[RunLine, str, Result | None]]:
        """With their short names."""
        names = short_names(line.run for line in self.all)
        found = [(line, names[line.run.pk]) for line in self.part]
        if self.results is None:
            return [(line, name, None) for line, name in found]
        by_run = self.results.by_run
        # Of a run in progress its state says why there is none.
        return [
            (line, name, Result("–") if line.run.is_live else by_run.get(line.run.pk, Result("–")))
            for line, name in found
        ]

    @property
    def chips(self) -> list[Chip]:
        counts = {value: sum(line.is_among(value) for line in self.all) for value in SHOWN}
        return [
            Chip(value, name, counts[value], value == self.shown)
            for value, name in SHOWN.items()
            if counts[value] or value in ("", self.shown)
        ]

    @property
    def is_live(self) -> bool:
        return any(line.run.is_live for line in self.all)

    @property
    def ended(self) -> int:
        """How many runs have ended: a page that shows results asks for new ones once there are more."""
        return sum(not line.run.is_live for line in self.all)

    @property
    def failed(self) -> list[RunLine]:
        """Those that can be resumed in one go."""
        return [line for line in self.all if line.run.state == Run.State.FAILED and line.can_go_on]

    @property
    def has_cut(self) -> bool:
        return any(result.by_cut_points for result in self._found)

    @property
    def has_rho(self) -> bool:
        """Whether some result is a correlation, be the measure another."""
        return any(result.by_rho for result in self._found)

    @property
    def _found(self) -> list[Result]:
        return list(self.results.by_run.values()) if self.results else []


def read_results(study: Study) -> Results:
    """By run, by the study's own measure. Of a large study as a worker last computed them."""
    [line] = read_lines([study])
    if line.standing is None:
        return Results({run: Result("Computing…") for run in study.runs.values_list("pk", flat=True)})
    runs = line.standing.verdict.runs
    found = {one.run: Result(one.rho.short, "ρ of scores", by_rho=True) for one in runs.heard}
    found |= {one.run: Result("Not compared", reason=one.reason) for one in runs.outside if one.run not in found}
    measure = str(Measure(line.standing.verdict.measure).label)
    found |= {one.run: Result(one.value.short, measure, bool(one.how)) for one in runs.placed}
    return Results(found, runs.items)


def read_runs(study: Study) -> list[RunLine]:
    """Models first, then baselines, each by name."""
    lines = as_lines(_counted(study))
    return sorted(lines, key=lambda line: (line.run.model.is_baseline, line.run.model.name, line.run.metric))


def as_lines(runs: Sequence[Run]) -> list[RunLine]:
    """Runs whose counts are right, with how fast they go and what they cost."""
    now = timezone.now()
    spent = (
        EndpointCall.objects.filter(run__in=runs)
        .values_list("run")
        .annotate(Count("pk"), Sum("tokens", default=0), Sum("cost"))
    )
    by_run = {run: (calls, tokens, cost) for run, calls, tokens, cost in spent}
    waits = waits_of(runs)
    free = (0, 0, Decimal(0))
    return [RunLine(run, _rate(run, now), *by_run.get(run.pk, free), waits.get(run.pk, "")) for run in runs]


def _counted(study: Study) -> list[Run]:
    """The runs; one that has ended counts the scores that it holds, since those of reworded items went with them."""
    runs = list(study.runs.select_related("model", "source").order_by("pk"))
    ended = [run for run in runs if not run.is_live]
    reworded = ItemRevision.objects.filter(study=study).aggregate(latest=Max("pk"))["latest"]
    states = [(run.pk, run.started_at, run.finished_at, run.done) for run in ended]
    # Counting two million scores takes half a second, at every new label if nothing remembered it.
    parts = ["scores held", study.pk, study.content_hash, reworded, states]
    held = remembered(HELD, parts, lambda: _held(ended)) if ended else {}
    for run in ended:
        run.scored, run.unscored = held.get(run.pk, (0, 0))
    return runs


def _held(runs: Sequence[Run]) -> dict[int, tuple[int, int]]:
    """By run, how many scores it has and how many reasons instead."""
    rows = Score.objects.filter(run__in=runs).order_by().values_list("run")
    counts = rows.annotate(scored=Count("pk", filter=Q(unscored="")), every=Count("pk"))
    return {run: (scored, every - scored) for run, scored, every in counts}


HELD = TypeAdapter(dict[int, tuple[int, int]])


def _rate(run: Run, now: datetime) -> float | None:
    # Those of a time before it was stopped tell nothing of how fast it goes now.
    if run.started_at is None or not (run.is_live or run.finished_at):
        return None
    return per_second(run.done - run.done_before, ((run.finished_at or now) - run.started_at).total_seconds())
