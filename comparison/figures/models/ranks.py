"""How high runs rank the right word in their whole vocabulary: over all items, and one of them by an attribute."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.figures.figure import Chart, Figure
from comparison.figures.file import ORIGIN, Download, Row, origin
from comparison.figures.models.answers import spread
from comparison.frame.filters.selection import Selection
from comparison.frame.probabilities import read_ranks
from comparison.frame.selected import Selected, select
from comparison.pictures.charts import MODEL, NEUTRAL, Dot, dot_plot
from comparison.pictures.vega_lite import Spec
from comparison.statistics.strengths.ranks import RankRow, no_ranks, rank_row, rank_rows

HEADER = [
    *ORIGIN, "items_selected", "run", "attribute", "value", "items", "context", "statistic", "estimate", "low", "high",
    "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip
# More values than this are read in the download.
SHOWN_VALUES = 30
ALL = "all items"


@dataclass(frozen=True)
class RankPage:
    """`rows` are those of `run`, by `by`; `first` and `others` are the roles."""

    first: str
    others: str
    runs: tuple[tuple[str, str, RankRow], ...]
    run: str
    name: str
    by: str
    rows: tuple[RankRow, ...]
    values: int

    @property
    def caption(self) -> str:
        neutral = " Circles: items in context; triangles: neutral context." if self.run_has_neutral else ""
        return f"How often {self.name} ranks {self.first} higher, with 95 % intervals (Wilson).{neutral}"

    @property
    def has_neutral(self) -> bool:
        return any(row.neutral for _, _, row in self.runs)

    @property
    def run_has_neutral(self) -> bool:
        """Whether the run that is broken down was asked about a neutral context."""
        return any(row.neutral for key, _, row in self.runs if key == self.run)

    @property
    def figure(self) -> Spec | None:
        whole = next(row for key, _, row in self.runs if key == self.run)
        dots = []
        for row in self.rows or (whole,):
            name = f"{row.value} ({row.items:,})"
            dots.append(Dot.of(name, self.name, MODEL, row.context.accuracy))
            if row.neutral is not None:
                dots.append(Dot.of(name, f"{self.name}, neutral context", NEUTRAL, row.neutral.accuracy))
        axis = f"Share of items where {self.first} ranks higher"
        return dot_plot(dots, axis=axis, band=None, domain=(0, 1), title=self.name, legend=self.legend)

    @property
    def legend(self) -> dict[str, str]:
        """What each kind of dot is, for a figure that has left its page."""
        entries = {MODEL: "items in context, with 95 % interval"}
        return entries | {NEUTRAL: "neutral context, with 95 % interval"} if self.run_has_neutral else entries


def _compute(chosen: Selected, *_: object) -> RankPage | None:
    """None where no run has ranks. What it rests on is all in the selection."""
    panel, selection = chosen.panel, chosen.selection
    scale = chosen.study.task.scale
    ranked_runs = read_ranks(chosen.study, panel)
    if not ranked_runs:
        return None
    ranked = next((run for run in ranked_runs if run.key == (selection.ranked or selection.run)), ranked_runs[0])
    attribute = selection.taken(chosen.whole) if selection.by else None
    column = attribute.of(panel).tolist() if attribute else []
    order = attribute.order if attribute else ()
    rows = rank_rows(column, ranked.context, ranked.neutral, order=order, most=SHOWN_VALUES)
    # The scale's own words: a panel of merged classes has others.
    first, *others = map(scale.text, scale.values)
    return RankPage(
        first=first,
        others=" or ".join(others),
        runs=tuple((run.key, run.name, rank_row(ALL, run.context, run.neutral)) for run in ranked_runs),
        run=ranked.key,
        name=ranked.name,
        by=selection.by,
        rows=rows,
        values=len(set(column)),
    )


def _answer(chosen: Selected) -> str | None:
    page = RANKS.read(chosen)
    if page is None:
        return None
    shares = spread(row.context.accuracy for _, _, row in page.runs)
    return f"Share of items where “{page.first}” ranks above “{page.others}”: {shares}."


def _charts(chosen: Selected) -> dict[str, Chart]:
    page = RANKS.read(chosen)
    return {} if page is None else Chart.of("ranks", page.figure, page.caption)


def _rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the attribute that is named, or of all: every value, however rare, or bin. Runs without ranks say so."""
    chosen = select(study, selection.with_classes(""))
    panel = chosen.rows  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), chosen.asked.words()]
    ranked = {run.key: run for run in read_ranks(study, panel)}
    for column in panel.runs:
        run = ranked.get(column.key)
        if run is None:
            yield from _lines([*head, column.name, "", ""], rank_row("", no_ranks(len(panel.items)), None))
            continue
        yield from _lines([*head, run.name, "", ""], rank_row("", run.context, run.neutral))
        for name in [selection.by] if selection.by else panel.attributes:
            attribute = replace(selection, by=name).taken(chosen.whole)
            for row in rank_rows(attribute.of(panel), run.context, run.neutral, order=attribute.order):
                yield from _lines([*head, run.name, name, row.value], row)


def _lines(head: Row, row: RankRow) -> Iterator[Row]:
    for context, figures in row.contexts:
        for statistic, estimate, count in figures.named:
            cells = [
                estimate.value,
                estimate.low,
                estimate.high,
                estimate.n,
                estimate.unit,
                count,
                estimate.undefined,
                estimate.remarks,
            ]
            yield [*head, row.items, context, statistic, *cells]


RANKS: Figure[RankPage | None] = Figure(
    key="ranks",
    part="models",
    title="Rank of the target word",
    shape=TypeAdapter(RankPage | None),
    rests_on=lambda chosen: (chosen.selection.ranked, chosen.selection.run, *chosen.selection.taking),
    compute=_compute,
    answer=_answer,
    charts=_charts,
    download=Download(
        title="Ranks",
        says="accuracy, MRR and rank difference of runs that give ranks, by attribute",
        line="a statistic of ranks, over all items (no `attribute`) or for one value of an attribute",
        rows=_rows,
    ),
)
