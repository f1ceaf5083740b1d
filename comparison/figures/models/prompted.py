"""Runs that were asked in words: what the order of the options did, and whether asking and measuring agree."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.figure import Chart, Figure, State
from comparison.figures.file import Row, estimated
from comparison.figures.models.answers import spread
from comparison.frame.panel import NamedRun, Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.pictures.charts import BASELINE, MODEL, Band, Dot, dot_plot
from comparison.pictures.vega_lite import Spec
from comparison.statistics.accuracy.hits import NOTHING_SHARED, Hits, accuracy, kappa
from comparison.statistics.bias import PositionBias, position_bias
from comparison.statistics.counts import Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.strengths.correlation import FEWEST, are_alike, spearman
from corpus.errors import counted
from scoring.metrics import METRICS
from scoring.models import Score

EVEN = Estimate(0.0)
NOT_SCORED = "the other run has no scores yet"
NO_DECISIONS = "no item has answers from both runs"
PLACES = (
    "Mean probability of each position minus the mean over all positions of the same options, with 95 % intervals. "
    "Without bias every position is at 0."
)
ALIKE = (
    "How often another run gives the same label as {}, with 95 % intervals (Wilson). "
    "Circles are models, diamonds baselines."
)


@dataclass(frozen=True, slots=True)
class Beside:
    """An asked run beside another; `name` marks degrees by cut points. `is_same_model`: only the wording differs."""

    name: str
    is_same_model: bool
    is_baseline: bool
    same: Hits
    kappa: Estimate
    strength: Estimate


@dataclass(frozen=True, slots=True)
class PromptedRun:
    key: str
    name: str
    family: str
    bias: PositionBias
    beside: tuple[Beside, ...]

    @property
    def places_chart(self) -> str:
        """What the figure is called on the page and in a download's name."""
        return f"places-{self.key}"

    @property
    def comparison_chart(self) -> str:
        return f"asked-{self.key}"

    @property
    def measured(self) -> tuple[Beside, ...]:
        """The same model's other runs: whether asking and measuring agree."""
        return tuple(other for other in self.beside if other.is_same_model)

    @property
    def verdict(self) -> str:
        """What the interval of the first place's lead says; empty where it has none."""
        lead = self.bias.lead
        if lead.low is None or lead.high is None:
            return ""
        if lead.low > 0:
            return "it favors the first option"
        return "it favors the last option" if lead.high < 0 else "no effect is shown"


def prompted_runs(panel: Panel) -> tuple[PromptedRun, ...]:
    """The asked runs of a panel, each with its bias on the panel's items and beside every other run."""
    return tuple(
        PromptedRun(run.key, run.name, run.family, _bias(run, panel), beside(run, panel))
        for run in panel.runs
        if is_prompted(run)
    )


def is_prompted(run: NamedRun) -> bool:
    metric = METRICS.get(run.metric)
    # Replies that are read as text have no letters' log-probabilities.
    return metric is not None and metric.shape == "prompt" and metric.is_logprob


def beside(run: RunColumn, panel: Panel) -> tuple[Beside, ...]:
    """One run beside the others: the same model's first, since there only the way of asking differs."""
    others = sorted((other for other in panel.runs if other.key != run.key), key=lambda other: other.model != run.model)
    return tuple(_compared(run, other, values=len(panel.values), sample=panel.sample) for other in others)


def _compared(run: RunColumn, other: RunColumn, *, values: int, sample: Sample) -> Beside:
    reason = NO_DECISIONS if other.scored.any() else NOT_SCORED
    same = accuracy(run.decided, other.decided, sample=sample)
    return Beside(
        name=other.title,
        is_same_model=other.model == run.model,
        is_baseline=other.is_baseline,
        same=replace(same, accuracy=_because(same.accuracy, reason)),
        kappa=_because(kappa(run.decided, other.decided, values=values, sample=sample), reason),
        strength=_together(run.strengths, other.strengths, sample) if other.scored.any() else Estimate.none(NOT_SCORED),
    )


def _because(estimate: Estimate, reason: str) -> Estimate:
    """In the words of two runs: neither of them is taken as true."""
    return replace(estimate, undefined=reason) if estimate.undefined == NOTHING_SHARED else estimate


def _together(one: Floats, other: Floats, sample: Sample) -> Estimate:
    both = np.isfinite(one) & np.isfinite(other)
    n = int(both.sum())
    if n < FEWEST:
        return Estimate.none(f"fewer than {FEWEST} items have scores from both runs", n=n)
    if are_alike(one[both]) or are_alike(other[both]):
        return Estimate.none("every item has the same score", n=n)
    return spearman(one, other, sample=sample)


def _bias(run: RunColumn, panel: Panel) -> PositionBias:
    place_of = {item: place for place, item in enumerate(panel.items)}
    rows = Score.objects.filter(run_id=int(run.key), unscored="").order_by("item__position")
    read = rows.values_list("item__external_id", "detail")
    by_item = {place_of[item]: detail["orders"] for item, detail in read if item in place_of}
    values = sorted({value for orders in by_item.values() for value in orders[0]["order"]})
    codes = {value: code for code, value in enumerate(values)}
    order_codes = np.array(
        [[[codes[value] for value in one["order"]] for one in orders] for orders in by_item.values()], int
    )
    logprobs = np.array([[one["logprobs"] for one in orders] for orders in by_item.values()], dtype=np.float64)
    is_asked = np.isin(np.arange(len(panel.items)), list(by_item))
    return position_bias(order_codes, logprobs, sample=panel.sample.where(is_asked))


def _lines(chosen: Selected) -> Iterator[Row]:
    """What the order of the options did to each run, and how it stands to the other runs."""
    for run in ASKED.read(chosen):
        head = ["position bias", run.name, run.family, ""]
        for place, mean, above in run.bias.rows:
            yield [*head, f"place_{place}", *estimated(mean)]
            yield [*head, f"place_{place}_above", *estimated(above)]
        yield [*head, "first_less_last", *estimated(run.bias.lead)]
        yield [*head, "same_in_every_order", *estimated(run.bias.steady)]
        yield [*head, "on_letters", *estimated(run.bias.on_letters)]
        for other in run.beside:
            head = ["asking and measuring", run.name, run.family, other.name]
            yield [*head, "decide_alike", *estimated(other.same.accuracy, other.same.correct)]
            yield [*head, "cohen_kappa", *estimated(other.kappa)]
            yield [*head, "spearman_strength", *estimated(other.strength)]


def _places(run: PromptedRun) -> Spec | None:
    """None where there is nothing to draw."""
    dots = [Dot.of(f"Position {number}", run.name, MODEL, above) for number, _, above in run.bias.rows]
    ends = [abs(end) for above in run.bias.above for end in (above.value, above.low, above.high) if end is not None]
    # Half a unit holds nearly every model; the rest get the whole one rather than a cut-off dot.
    reach = 0.5 if max(ends, default=0.0) <= 0.5 else 1.0
    return dot_plot(
        dots,
        axis="Mean probability above an even share",
        band=Band(EVEN, MODEL, "without bias"),
        domain=(-reach, reach),
        title=f"{run.name}, n = {counted(run.bias.lead.n, 'item')}",
    )


def _alike(run: PromptedRun) -> Spec | None:
    dots = [
        Dot.of(other.name, other.name, BASELINE if other.is_baseline else MODEL, other.same.accuracy)
        for other in run.beside
    ]
    title = f"The same label as {run.name}"
    return dot_plot(dots, axis="Share of items with the same label", band=None, domain=(0, 1), title=title)


def _charts(chosen: Selected) -> dict[str, Chart]:
    charts: dict[str, Chart] = {}
    for run in ASKED.read(chosen):
        charts |= Chart.of(run.places_chart, _places(run), PLACES)
        charts |= Chart.of(run.comparison_chart, _alike(run), ALIKE.format(run.name))
    return charts


def _answer(chosen: Selected) -> str | None:
    runs = ASKED.read(chosen)
    return f"Same answer in every option order: {spread(run.bias.steady for run in runs)}." if runs else None


def _state(chosen: Selected) -> State | None:
    """How many runs are shown to favor the first or the last option."""
    leads = [run.bias.lead for run in ASKED.read(chosen)]
    off = sum((one.low or 0.0) > 0 or (one.high or 0.0) < 0 for one in leads if one.low is not None)
    return State("warn", f"Order matters in {off:,} of {len(leads):,}") if off else State("open", "Not shown")


ASKED = Figure(
    key="asked",
    part="models",
    title="Prompted vs. scored",
    shape=TypeAdapter(tuple[PromptedRun, ...]),
    compute=lambda chosen: prompted_runs(chosen.panel),
    answer=_answer,
    state=_state,
    charts=_charts,
    lines=_lines,
)
