"""Models by metrics, as a grid to tick: what fits, what is done already, and how long the rest will take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.db.models import QuerySet

from annotation.models import Study
from comparison.frame.cache.item_sums import read_kinds
from comparison.statistics.estimate import percent
from comparison.statistics.verdict.taking_part import AS_WIDE
from corpus.errors import counted
from scoring.library.language import foreign
from scoring.metrics import METRICS, Metric
from scoring.models import LanguageModel, ModelFamily, Run
from scoring.runs.expected import Pace, Paces, read_paces
from scoring.runs.fitting import Fit, Fits, choices_for, defaults_for


class WhereForm(forms.Form):
    """Where the runs are to be scored, as they declare it; what resumes a run sends nothing, and it stays."""

    device = Run._meta.get_field("device").formfield(required=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """A model and a metric that fit, over `items` targets. `run` is theirs, if any; `named`: by the study."""

    model: LanguageModel
    metric: Metric
    run: Run | None
    named: bool
    pace: Pace | None
    items: int
    # How many of the items it can score; those that were looked through stand for all.
    fit: Fit

    @property
    def is_partial(self) -> bool:
        """Whether so few items fit that the run would not be compared with the others."""
        return self.fit.share < AS_WIDE

    @property
    def fit_words(self) -> str:
        if self.fit.share == 1:
            return ""
        if self.fit.asked == self.items:
            return f"fits {self.fit.fitting:,} of {counted(self.items, 'item')}"
        return f"fits about {percent(self.fit.share)} of {counted(self.items, 'item')}"

    @property
    def value(self) -> str:
        """What its box sends: both keys; neither has a space."""
        return f"{self.model.key} {self.metric.key}"

    @property
    def is_done(self) -> bool:
        return self.run is not None and self.run.state == Run.State.FINISHED and self.run.done >= self.items

    @property
    def is_live(self) -> bool:
        return self.run is not None and self.run.is_live

    @property
    def seconds(self) -> float | None:
        """How long what is left of it will take; None where nothing like it has run here."""
        left = 0 if self.is_done else self.items - (self.run.done if self.run else 0)
        return None if self.pace is None else self.pace.seconds * max(0, left)

    @property
    def is_missing(self) -> bool:
        return not self.is_done and not self.is_live

    @property
    def has_failed(self) -> bool:
        return self.run is not None and self.run.state == Run.State.FAILED

    @property
    def left(self) -> int:
        """Items that it would score."""
        return max(0, self.items - (self.run.done if self.run else 0))

    @property
    def is_paid(self) -> bool:
        """Whether its calls are paid for."""
        return self.model.family == ModelFamily.ENDPOINT and bool(settings.PROMPT_ENDPOINT_PRICE)

    @property
    def says(self) -> str:
        """What stands beside the box."""
        if self.run is not None and (self.is_done or self.is_live):
            return self.run.get_state_display().lower()
        return ", ".join(filter(None, (self.fit_words, self._time)))

    @property
    def _time(self) -> str:
        time = in_words(self.seconds)
        if self.is_paid:
            time = f"{time}, at most {settings.PROMPT_ENDPOINT_CEILING:.2f}".removeprefix(", ")
        if self.run is not None and self.run.done:
            return f"resumes at {self.run.done:,}" + (f", {time}" if time else "")
        return time


@dataclass(frozen=True, slots=True)
class GridRow:
    """`cells` in the order of the grid's metrics; None where the metric does not fit the model."""

    model: LanguageModel
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """Cells that are ticked together. `is_on`: they are."""

    value: str
    name: str
    cells: tuple[Cell, ...]
    is_on: bool

    @property
    def ticked(self) -> frozenset[str]:
        return frozenset(cell.value for cell in self.cells)

    @property
    def takes(self) -> str:
        """How long all of them take, one after another, as far as that is known."""
        known = [cell.seconds for cell in self.cells if cell.seconds is not None]
        if not known:
            return "time not known yet" if self.cells else ""
        time = in_words(sum(known))
        return time if len(known) == len(self.cells) else f"{time} for {len(known)} of them"

    @property
    def left(self) -> int:
        return sum(cell.left for cell in self.cells)

    @property
    def runs(self) -> str:
        return counted(len(self.cells), "run")

    @property
    def button(self) -> str:
        return f"Start {self.runs}" if self.cells else "Start runs"


# What can be ticked at once, by its word in the address: its name, and which missing cells are of it.
PICKS: Mapping[str, tuple[str, Callable[[Cell], bool]]] = {
    "defaults": ("Study defaults", lambda cell: cell.named),
    "models": ("All models", lambda cell: not cell.model.is_baseline and not cell.is_partial),
    "baselines": ("All baselines", lambda cell: cell.model.is_baseline and not cell.is_partial),
    "missing": ("Everything missing", lambda cell: not cell.is_partial),
    "none": ("None", lambda cell: False),
}


@dataclass(frozen=True, slots=True)
class Grid:
    """`foreign` says which models were trained on other languages than that of the items; empty if none is known."""

    metrics: tuple[Metric, ...]
    rows: tuple[GridRow, ...]
    foreign: str = ""

    @property
    def cells(self) -> list[Cell]:
        return [cell for row in self.rows for cell in row.cells if cell is not None]

    @property
    def missing(self) -> list[Cell]:
        """What the study names and is neither done nor in progress."""
        return [cell for cell in self.cells if cell.named and cell.is_missing]

    def picks(self, shown: str) -> list[Pick]:
        """The suggestions that still have something to start, and the one that the address asks for."""
        return [
            Pick(value, name, tuple(cell for cell in self.cells if cell.is_missing and is_in(cell)), value == shown)
            for value, (name, is_in) in PICKS.items()
        ]


def read_grid(study: Study, *, among: QuerySet[LanguageModel]) -> Grid:
    """Of the models `among` those that may be used; the metrics that at least one of them has on this study."""
    choices = choices_for(study, among=among)
    fitting = {metric.key for _, metrics in choices for metric in metrics}
    metrics = tuple(metric for metric in METRICS.values() if metric.key in fitting)
    runs = {(run.model_id, run.metric): run for run in study.runs.all()}
    named = {(model.pk, metric.key) for model, metric in defaults_for(study, among=among)}
    asked = _Asked(runs, named, read_paces(), read_kinds(study)["target"], Fits(study))
    rows = tuple(
        GridRow(model, tuple(asked.cell(model, metric) if metric in has else None for metric in metrics))
        for model, has in sorted(choices, key=lambda choice: (choice[0].is_baseline, choice[0].name))
    )
    return Grid(metrics, rows, foreign(study.stimuli_speak, [row.model for row in rows]))


@dataclass(frozen=True, slots=True)
class _Asked:
    runs: Mapping[tuple[int, str], Run]
    named: set[tuple[int, str]]
    paces: Paces
    items: int
    fits: Fits

    def cell(self, model: LanguageModel, metric: Metric) -> Cell:
        key = (model.pk, metric.key)
        pace, fit = self.paces.of(model, metric), self.fits.of(model, metric)
        return Cell(model, metric, self.runs.get(key), key in self.named, pace, self.items, fit)


def in_words(seconds: float | None) -> str:
    """
    >>> in_words(0.4), in_words(75), in_words(600), in_words(9_000), in_words(None)
    ('about 1 s', 'about 75 s', 'about 10 min', 'about 2.5 h', '')
    """
    if seconds is None:
        return ""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5_400 else f"about {seconds / 3_600:.1f} h"
