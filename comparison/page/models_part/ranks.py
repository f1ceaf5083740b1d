"""The results' section on runs with ranks: each run over all items, and one of them by an attribute."""

from dataclasses import dataclass
from functools import cached_property

from pydantic import TypeAdapter

from comparison.frame.ranks import read_ranks
from comparison.frame.selected import Selected
from comparison.pictures.charts import MODEL, NEUTRAL, Dot, Spec, dot_plot
from comparison.statistics.strengths.ranks import RankRow, rank_row, rank_rows

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
        neutral = " Circles are items as they stand, triangles the neutral context." if self.run_has_neutral else ""
        return f"How often {self.name} ranks {self.first} higher, with 95 % intervals (Wilson).{neutral}"

    @property
    def has_neutral(self) -> bool:
        return any(row.neutral for _, _, row in self.runs)

    @property
    def run_has_neutral(self) -> bool:
        """Whether the run that is broken down was asked about a neutral context."""
        return any(row.neutral for key, _, row in self.runs if key == self.run)

    @cached_property
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
        found = {MODEL: "items as they stand, with 95 % interval"}
        return found | {NEUTRAL: "the neutral context, with 95 % interval"} if self.run_has_neutral else found


# Nothing to show is remembered as well.
RANKS: TypeAdapter[RankPage | None] = TypeAdapter(RankPage | None)


def read_rank_page(chosen: Selected) -> RankPage | None:
    """None where no run has ranks."""
    asked = chosen.selection
    return chosen.remembered(
        RANKS, chosen.of_items("ranks", asked.ranked, asked.run, *asked.taking), lambda: _computed(chosen)
    )


def _computed(chosen: Selected) -> RankPage | None:
    panel, selection = chosen.panel, chosen.selection
    scale = chosen.study.task.scale
    here = read_ranks(chosen.study, panel)
    if not here:
        return None
    ranked = next((run for run in here if run.key == (selection.ranked or selection.run)), here[0])
    taken = selection.taken(chosen.whole) if selection.by else None
    column = taken.of(panel).tolist() if taken else []
    order = taken.order if taken else ()
    rows = rank_rows(column, ranked.context, ranked.neutral, order=order, most=SHOWN_VALUES)
    # The scale's own words: a panel of merged classes has others.
    first, *others = map(scale.text, scale.values)
    return RankPage(
        first=first,
        others=" or ".join(others),
        runs=tuple((run.key, run.name, rank_row(ALL, run.context, run.neutral)) for run in here),
        run=ranked.key,
        name=ranked.name,
        by=selection.by,
        rows=rows,
        values=len(set(column)),
    )
