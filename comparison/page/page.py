"""The results of a study, part by part."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from annotation.adjudicating import has_adjudicated
from annotation.models import Study
from annotation.models.study import Measure
from comparison.figures.by_attribute.attribute import ByAttribute
from comparison.figures.by_attribute.between_values import BETWEEN_VALUES
from comparison.figures.by_attribute.shares import Labeler, labeler, labelers
from comparison.figures.figure import Chart
from comparison.figures.findings import FINDINGS, REFERENCE, Findings, RunFinding
from comparison.figures.people.yields import YIELD, Yield
from comparison.figures.registry import Read, checks, of_part
from comparison.frame.cache.computing import WorkerTask
from comparison.frame.filters.chips import Chip, chips
from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON, OF_A_RUN, RANGES, SURPRISAL
from comparison.frame.filters.selection import Selection, spelled
from comparison.frame.names import Shortened
from comparison.frame.outline import Attribute, Outline, RunNumbers
from comparison.frame.panel import NamedRun
from comparison.frame.selected import Selected
from comparison.page.breakdown import Breakdown, Rated, read_breakdown, read_rated
from comparison.page.checks import Check, about, listed, read_check
from comparison.page.drawn.squares import Look
from comparison.page.item_table import NUMBERS, ItemTable, read_table
from comparison.page.left_out import why_fewer
from comparison.page.listed_items import (
    ListedItem,
    ListedPair,
    Preset,
    Sort,
    labels_of,
    listed_items,
    listed_pair,
    read_presets,
    sorts,
)
from comparison.page.models import ModelsPage, read_models
from comparison.page.overview import Overview, read_overview
from comparison.page.people import People, read_people
from comparison.pictures.engine import DRAWING, Drawing, draw
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.parts import Verdict

# The figures of one part of the results, and then of the others.
COMPUTE = WorkerTask(name="figures")
# The figures that each part of the results shows, besides what stands on all of them.
FIGURES = {
    "overview": ("verdict", "yields", "findings", "overview", "files"),
    "people": ("yields", "findings", "verdict", "people", "files"),
    "models": ("findings", "verdict", "models", "listed", "files"),
    "items": ("table", "presets"),
    "breakdown": ("findings", "empty_bins", "drawings"),
    "export": (),
    "beside": (),
}
# And those that each check shows.
OF_A_CHECK = ("findings", "verdict", "check", "listed", "drawings")


def pages() -> tuple[str, ...]:
    """All of the results, as addresses have them."""
    return (*FIGURES, *(figure.key for figure in checks()))


# The figures that the template of their part places by itself; the others are folds at its end.
PLACED = {
    *("verdict", "distribution", "by-agreement"),
    *("yield", "findings", "agreement", "between-annotators", "same-item", "response-times", "assessors"),
    *("aggregations", "powered", "stopping", "next-items"),
    *("accuracy", "confusion", "score-ratings"),
    *("mean-ratings", "breakdown", "numbers", "between-values", "shares", "heatmap", "regression"),
}


@dataclass(frozen=True)
class Page:
    """Each figure is read when it is asked for: a part of the results costs what it shows."""

    chosen: Selected
    part: str = ""

    @property
    def study(self) -> Study:
        return self.chosen.study

    @property
    def outline(self) -> Outline:
        return self.chosen.outline

    @cached_property
    def shortened(self) -> Shortened:
        """Puts the short names of runs for the whole ones."""
        return Shortened.of(self.outline.runs)

    @property
    def selection(self) -> Selection:
        return self.chosen.selection

    @property
    def figures(self) -> Read:
        return Read(self.chosen)

    @property
    def folds(self) -> tuple[Check, ...]:
        """The figures of its part that have something to show, in the order in which they are read."""
        candidates = (read_check(figure, self.chosen) for figure in of_part(self.part) if figure.key not in PLACED)
        return tuple(one for one in candidates if one is not None)

    @property
    def has_menus(self) -> bool:
        """Whether each figure has its files behind a ⋯ of its own, so that no table of it names them again."""
        return self.part in {"overview", "models"} or self.part not in FIGURES

    @cached_property
    def check(self) -> Check | None:
        """That of this page; None where it has nothing to show."""
        return next((read_check(figure, self.chosen) for figure in of_part(self.part)), None)

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The keys of the checks that the rail names."""
        return listed(self.chosen)

    @property
    def needs(self) -> str:
        """What the check of this page needs."""
        return about(self.part).needs

    @property
    def verdict(self) -> Verdict:
        return self.chosen.verdict

    @cached_property
    def findings(self) -> Findings:
        return FINDINGS.read(self.chosen)

    @property
    def nothing_yet(self) -> bool:
        """Whether there is no run, or nothing to compare runs with."""
        return not self.findings.runs or not self.chosen.has_truth

    @property
    def items(self) -> int:
        """How many pass the filters."""
        return self.findings.items if self.selection.narrows else self.outline.items

    @property
    def yields(self) -> Yield:
        return YIELD.read(self.chosen)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The filters that are set."""
        return tuple(chips(self.chosen.asked, self.selection, self.outline))

    @property
    def why_fewer(self) -> str:
        """Why runs are compared on fewer items than pass the filters."""
        runs, against = self.findings.runs, self.selection.against
        return why_fewer(self.verdict.labels, self.verdict.runs, runs, against=against)

    @property
    def measures(self) -> list[tuple[str, str]]:
        """Those by which runs can be compared, with their names."""
        return [(key, str(Measure(key).label)) for key in self.outline.measures]

    @cached_property
    def has_adjudicated(self) -> bool:
        """Whether decisions on items without a majority can stand in for it."""
        return has_adjudicated(self.study)

    @cached_property
    def run(self) -> NamedRun | None:
        """The run that a reader looks at."""
        return self.outline.run(self.selection.run)

    @cached_property
    def beside(self) -> NamedRun | None:
        return self.outline.run(self.selection.beside)

    @cached_property
    def by(self) -> ByAttribute:
        return ByAttribute(self.chosen)

    @cached_property
    def by_value(self) -> Breakdown:
        """The pictures of the Breakdown."""
        return read_breakdown(self.chosen)

    @cached_property
    def rated(self) -> Rated | None:
        """The pictures of the Breakdown of ratings; None where runs are not compared with their means."""
        return read_rated(self.chosen)

    @property
    def differ_answer(self) -> str:
        """Whether the attribute matters."""
        return BETWEEN_VALUES.answer(self.chosen) or ""

    @property
    def differ_runs(self) -> list[tuple[str, str]]:
        """Each run's test over all values: its short name and its p."""
        shorts = {run.title: run.short for run in self.outline.runs}
        between = self.figures["between-values"]
        return [(shorts.get(one.name, one.name), one.held_words) for one in between.runs] if between else []

    @property
    def labelers(self) -> tuple[Labeler, ...]:
        """All who have labels, people first."""
        return labelers(self.outline, self.study.people)

    @property
    def labeler(self) -> Labeler | None:
        """Whose shares of labels are shown."""
        return labeler(self.chosen)

    @property
    def empty_bins(self) -> tuple[str, ...]:
        return self.by.empty_bins

    @cached_property
    def table(self) -> ItemTable:
        return read_table(self.chosen)

    @cached_property
    def presets(self) -> tuple[Preset, ...]:
        """What of the items is asked for most."""
        return read_presets(self.chosen)

    @cached_property
    def label_looks(self) -> tuple[Look, ...]:
        return labels_of(self.outline, self.study)

    @property
    def item_rows(self) -> list[ListedItem]:
        """The rows of the table, as they are shown."""
        by_reference = self.selection.against == REFERENCE
        rows = listed_items(
            self.study, self.table, self.runs_of_table, self.label_looks, against_reference=by_reference
        )
        return list(rows)

    @cached_property
    def pair(self) -> ListedPair | None:
        """Two runs as they are shown."""
        return listed_pair(self.chosen, self.label_looks)

    @property
    def is_of_ratings(self) -> bool:
        """Whether the labels are numbers, of which there is a mean."""
        return any(row.mean for row in self.table.rows)

    @property
    def is_averaged(self) -> bool:
        """Whether runs are compared with means of ratings, of which no single answer is right."""
        return self.chosen.measure == RHO

    @property
    def number_heads(self) -> list[tuple[str, str, str]]:
        """Of the table's numbers: the term that says what each is, its words, and of which run it is."""
        run, of_runs = self.run.short if self.run else "", (*OF_A_RUN, "strength")
        terms = ("divergence", *RANGES)
        numbers = self.table.numbers
        return [(one if one in terms else "", NUMBERS[one], run if one in of_runs else "") for one in numbers]

    @property
    def sorts(self) -> list[Sort]:
        """What the table can be sorted by."""
        return sorts(self.selection, self.outline, self.study.people)

    @property
    def runs_of_table(self) -> list[NamedRun]:
        """The columns of the table."""
        return [run for run in self.outline.runs if run.key in self.table.runs]

    @property
    def skew(self) -> str:
        """What to know of the coefficients where nearly all labels are one; empty otherwise."""
        used = self.findings.most_used
        return used.words(self.outline.words[self.outline.values[used.code]]) if used.is_skewed else ""

    @property
    def metrics(self) -> list[str]:
        """What the runs are of, each once."""
        return sorted({run.metric for run in self.outline.runs})

    @property
    def deciding(self) -> list[RunFinding]:
        """The columns of the breakdown."""
        return [run for run in self.findings.runs if run.has_labels]

    @property
    def attribute_filters(self) -> list[tuple[Attribute, str, list[tuple[str, str, int]]]]:
        """Each attribute with the value that is asked for and those to choose from, as the address has them."""
        return [
            (one, self.selection.value_of(one.name), [(spelled(value), value, n) for value, n in one.values])
            for one in self.outline.attributes
        ]

    @property
    def numbers(self) -> RunNumbers | None:
        """What the run that is looked at gives besides decisions."""
        return self.outline.numbers[self.run.key] if self.run else None

    @property
    def range_fields(self) -> list[tuple[str, str, str, str, str]]:
        """The ranges that can be asked for: name, label, what it is of, and as asked: least and most."""
        return _range_fields(self.selection, self.outline, self.run)

    @cached_property
    def models(self) -> ModelsPage:
        return read_models(self.chosen)

    @cached_property
    def overview(self) -> Overview:
        return read_overview(self.chosen)

    @cached_property
    def people(self) -> People | None:
        """None where nobody has labeled."""
        return read_people(self.chosen) if self.outline.has_labels else None

    @cached_property
    def charts_by_figure(self) -> dict[str, dict[str, Chart]]:
        """The charts of this part by figure and name."""
        return {figure.key: figure.charts(self.chosen) for figure in of_part(self.part)}

    @cached_property
    def charts(self) -> dict[str, Chart]:
        return {name: chart for charts in self.charts_by_figure.values() for name, chart in charts.items()}

    @property
    def files(self) -> None:
        """What downloads of a part that draws its pictures itself are made of: of a large study, no reader waits."""
        if self.chosen.is_large:
            self.charts  # noqa: B018

    @cached_property
    def drawings(self) -> dict[str, Drawing]:
        """Each drawn once: what is drawn is all that a drawing rests on."""

        def compute(names: list[str]) -> dict[str, Drawing]:
            return {name: draw(specs[name]) for name in names}

        specs = {name: self.shortened.spec(chart.spec) for name, chart in self.charts.items()}
        parts: dict[str, list[object]] = {name: ["drawing", spec] for name, spec in specs.items()}
        return self.chosen.each_remembered(DRAWING, parts, compute)


def _range_fields(selection: Selection, outline: Outline, run: NamedRun | None) -> list[tuple[str, str, str, str, str]]:
    """Those that can be asked for: name, label, what it is of, and as asked: least and most. `run`: looked at."""
    labels = {
        ENTROPY: f"Entropy of labels, 0 to {outline.entropy_most:.3g} bits" if outline.has_labels else "",
        JENSEN_SHANNON: "Jensen–Shannon divergence of the run from labels, 0 to 1 bit" if outline.has_labels else "",
        SURPRISAL: "Surprisal in the run, bits",
    }
    names = [name for name in RANGES if name not in OF_A_RUN or any(outline.giving(name, key) for key in outline.keys)]
    ends = {name: [getattr(selection, f"{name}_{side}") for side in ("min", "max")] for name in names}
    return [(name, labels[name], _of(name, outline, run), *ends[name]) for name in names if labels[name]]


def _of(number: str, outline: Outline, run: NamedRun | None) -> str:
    """What the run that is looked at has of this number, in words."""
    if number not in OF_A_RUN or run is None:
        return ""
    has = outline.numbers[run.key]
    if number == JENSEN_SHANNON:
        return f"of {run.name}: {has.shares}" if has.shares else f"{run.name} does not give every label a probability"
    return f"−log₂ of the text’s probability, {run.name}" if has.options else f"{run.name} gives no log-probabilities"


def read_part(chosen: Selected, part: str, *, report: Callable[[str], None] = lambda words: None) -> Page:
    """The page with one part's figures read. SelectionError, NotComputed as `Selected` has them; `report` is told."""
    page = Page(chosen, part)
    names, figures = ("items", *FIGURES.get(part, OF_A_CHECK)), of_part(part)
    steps = len(names) + len(figures)
    for step, name in enumerate(names):
        report(f"{step} of {steps} steps done")
        getattr(page, name)
    for step, figure in enumerate(figures, len(names)):
        report(f"{step} of {steps} steps done")
        figure.read(chosen)
    return page
