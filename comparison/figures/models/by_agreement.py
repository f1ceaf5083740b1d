"""Whether runs are right more often where all people agree than where they are divided."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import Download, Row, estimated
from comparison.figures.table import WILSON, Cell, Rater, Table
from comparison.frame.panel import NamedRun, Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import DIVIDED, MODEL, Dot, dot_plot
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.aggregation import AGREEING, UNANIMOUS
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate, difference

SAID = {MODEL: "items on which all agree", DIVIDED: "items on which people disagree"}


@dataclass(frozen=True, kw_only=True)
class OnAgreement(NamedRun):
    """One run on items of several labels: where all are alike, and where they are not; `apart` is the first less the
    second.
    """

    unanimous: Hits
    divided: Hits
    apart: Estimate


def by_agreement(panel: Panel, against: str) -> tuple[OnAgreement, ...]:
    """The runs that name labels. Items with one label are neither unanimous nor divided."""
    truth, unanimous = panel.true(against), panel.kinds == UNANIMOUS
    divided = (panel.counts.sum(axis=1) >= AGREEING) & ~unanimous
    lines = []
    for run in panel.runs:
        if (run.decided == MISSING).all():
            continue
        on, off = (
            accuracy(np.where(mask, run.decided, MISSING), truth, sample=panel.sample) for mask in (unanimous, divided)
        )
        apart = difference(on.accuracy, off.accuracy)
        lines.append(OnAgreement(**run.named(), unanimous=on, divided=off, apart=apart))
    return tuple(one for one in lines if one.unanimous.compared or one.divided.compared)


def _tables(chosen: Selected) -> Iterator[Table]:
    lines = BY_AGREEMENT.read(chosen)
    if lines:
        yield Table(
            name="by-agreement",
            title=f"Accuracy against {chosen.target_words}, by agreement among {chosen.study.people.many}",
            columns=("Run", "All agree", "Divided", "Difference"),
            rows=tuple(_cells(one) for one in lines),
            rests_on="n counts items with several labels and an answer of the run: with identical labels, with "
            "different labels, and both",
            method=f"{WILSON}; the interval of the difference combines both (square-and-add)",
        )


def _cells(one: OnAgreement) -> tuple[Cell, ...]:
    rater = Rater(name=one.name, title=one.title, family=one.family, is_baseline=one.is_baseline)
    return rater, one.unanimous.accuracy, one.divided.accuracy, one.apart


def _charts(chosen: Selected) -> dict[str, Chart]:
    dots = [
        Dot.of(one.title, one.title, kind, hits.accuracy)
        for one in BY_AGREEMENT.read(chosen)
        for kind, hits in ((MODEL, one.unanimous), (DIVIDED, one.divided))
    ]
    axis = f"Accuracy against {chosen.target_words}"
    title = synthetic(chosen.study.people)
    spec = dot_plot(dots, axis=axis, band=None, domain=(0, 1), title=title, legend=SAID)
    return Chart.of("by-agreement", spec, f"{axis}, by agreement, with 95 % intervals (Wilson).")


def _lines(chosen: Selected) -> Iterator[Row]:
    against = chosen.selection.against
    for one in BY_AGREEMENT.read(chosen):
        head, how = ["by agreement", one.name, one.family, against], one.cuts.words if one.cuts and one.is_cut else ""
        for name, hits in (("unanimous", one.unanimous), ("divided", one.divided)):
            yield [*head, f"accuracy_{name}", *estimated(hits.accuracy, hits.correct, how=how)]
        yield [*head, "accuracy_unanimous_less_divided", *estimated(one.apart, how=how)]


BY_AGREEMENT = Figure(
    key="by-agreement",
    part="overview",
    title="Are models better where people are sure?",
    shape=TypeAdapter(tuple[OnAgreement, ...]),
    rests_on=lambda chosen: (chosen.selection.against, chosen.selection.no_agreement),
    compute=lambda chosen, against, withheld: () if withheld else by_agreement(chosen.panel, against),
    tables=_tables,
    charts=_charts,
    lines=_lines,
    download=Download(
        says="how often each run is right where all {many} agree, and where they disagree",
        line="a run's accuracy on one kind of item; lines of the report",
    ),
)
