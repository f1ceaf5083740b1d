"""Everything that the comparison page shows, read in one flow."""

from dataclasses import dataclass
from functools import cached_property

from annotation.models import Study
from annotation.models.population import Words
from comparison.frame.judging import strength_target, strength_words
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.progress import Yield, read_yield
from comparison.frame.reading import read_panel
from comparison.frame.remembered import data_version
from comparison.frame.selection import Selection, fitted
from comparison.page.asked_part import AskedPart, asked_parts
from comparison.page.asked_runs import read_asked
from comparison.page.charts import BASELINE, MODEL, Band, Dot, Line, Spec, dot_plot
from comparison.page.classes import ClassTable, class_table
from comparison.page.findings import Findings, RunFinding
from comparison.page.further import Further, read_further
from comparison.page.item_table import ItemTable, item_table
from comparison.page.reading import read_findings, read_verdict
from comparison.statistics.accuracy.breakdown import Group, breakdown
from comparison.statistics.accuracy.confusion import Row, confusion
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.aggregation.majority import LabelRow
from comparison.statistics.between_runs.mcnemar import Paired, paired
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.cut_points import CutRow
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.parts import Verdict

# More groups than this are read in the download.
SHOWN_GROUPS = 25


@dataclass(frozen=True, slots=True)
class Figures:
    """Chart specifications; None where there is nothing to draw."""

    accuracy: Spec | None
    strength: Spec | None
    breakdown: Spec | None


@dataclass(frozen=True)
class Page:
    """`panel` is of all items, `selected` of those that pass the filters; `version` is the data's."""

    study: Study
    selection: Selection
    panel: Panel
    selected: Panel
    version: list[object]
    items: int
    yields: Yield
    findings: Findings
    verdict: Verdict
    classes: ClassTable | None
    run: RunColumn | None
    confusion: tuple[Row, ...]
    beside: RunColumn | None
    paired: Paired | None
    groups: tuple[Group, ...]
    group_count: int
    table: ItemTable
    asking: tuple[AskedPart, ...]
    figures: Figures

    @cached_property
    def further(self) -> Further:
        """Read by the part that shows it: it costs more than all else."""
        return read_further(self.study, self.selected, self.selection, version=self.version)

    @property
    def skew(self) -> str:
        """What to know of the coefficients where nearly all labels are one; empty otherwise."""
        used = self.findings.most_used
        return used.words(self.panel.words[self.panel.values[used.code]]) if used.is_skewed else ""

    @property
    def label_rows(self) -> list[tuple[str, LabelRow]]:
        """Each label's counts under the words that people saw."""
        return [(self.panel.words[row.value], row) for row in self.findings.counts.by_label]

    @property
    def deciding(self) -> list[RunFinding]:
        """The columns of the breakdown."""
        return [run for run in self.findings.runs if run.has_labels]

    @property
    def cuts(self) -> list[tuple[RunFinding, list[CutRow]]]:
        """The runs whose strengths were cut into degrees, with where each degree begins."""
        words = [self.panel.words[value] for value in self.panel.values]
        return [(run, run.cuts.rows(words)) for run in self.findings.runs if run.cuts and not run.cuts.undefined]

    @property
    def group_rows(self) -> list[tuple[Group, list[Hits]]]:
        return [(group, [group.runs[run.key] for run in self.deciding]) for group in self.groups]

    @property
    def accuracy_caption(self) -> str:
        text = f"How often each run gives {self.target_words}, with 95 % intervals (Wilson)."
        one = self.study.people.one
        band = (
            f"; the band is one {one} held against the same labels"
            if self.findings.band(self.selection.against).value is not None
            else ""
        )
        lines = " Dotted lines are chance and the best constant label." if self.verdict.runs.placed else ""
        return f"{text} Circles are models, diamonds baselines{band}.{lines}"

    @property
    def breakdown_caption(self) -> str:
        people = self.study.people
        where = f"where {people.many} have labeled, {people.one_of_them} (square)"
        return f"The run chosen above (circle, or diamond for a baseline) and, {where}; 95 % intervals."

    @property
    def strength_target(self) -> str:
        """What strengths are held against: published numbers where a study has nothing else."""
        return _strength_target(self.panel, self.selection)

    @property
    def strength_words(self) -> str:
        return strength_words(self.strength_target, self.study.people)

    @property
    def strength_compared(self) -> str:
        """What of labels and references a strength is set against."""
        people, first = self.study.people, self.panel.values[0]
        if self.study.task.scale.ordered:
            return f"the mean degree of {people.labels} (1 is {first}) and the degree of the reference"
        return f"the share of {people.labels}, and the references, that are {first}"

    @property
    def rated(self) -> list[RunFinding]:
        """The runs whose strength goes with something."""
        return [run for run in self.findings.runs if run.is_rated]

    @property
    def has_truth(self) -> bool:
        """Whether there is anything to hold a run against."""
        return bool(self.panel.has_labels or self.panel.has_references or self.panel.has_published)

    @property
    def target_words(self) -> str:
        return "the reference" if self.selection.against == "reference" else "the majority label"


def _strength_target(panel: Panel, selection: Selection) -> str:
    return strength_target(panel.counts, panel.truth, panel.published, against=selection.against)


def read_page(study: Study, asked: Selection) -> Page:
    """The page for what the address asks; SelectionError if it names what the study lacks."""
    whole = read_panel(study, coarse=asked.coarse)
    selection = fitted(asked, whole)
    panel = whole.where(selection.mask(whole)) if selection.narrows else whole
    version = data_version(study)
    found = read_findings(study, panel, selection, version=version)
    reached = read_verdict(study, panel, selection, version=version)
    truth = panel.truth if selection.against == "reference" else panel.majority
    run = panel.run(selection.run)
    beside = panel.run(selection.beside) or _another(panel, run)
    groups: tuple[Group, ...] = ()
    group_count = 0
    if selection.by and len(panel.items) and (panel.has_labels or panel.compared):
        column = panel.attributes[selection.by]
        decided = {one.key: one.decided for one in panel.runs}
        groups = breakdown(column, panel.counts, truth, decided, most=SHOWN_GROUPS, sample=panel.sample)
        group_count = len(set(column))
    return Page(
        study=study,
        selection=selection,
        panel=whole,
        selected=panel,
        version=version,
        items=len(panel.items),
        yields=read_yield(study),
        findings=found,
        verdict=reached,
        classes=None if selection.coarse else class_table(panel, study.task.scale, against=selection.against),
        run=run,
        confusion=confusion(run.decided, truth, [panel.words[value] for value in panel.values]) if run else (),
        beside=beside,
        paired=paired(run.decided, beside.decided, truth, sample=panel.sample) if run and beside else None,
        groups=groups,
        group_count=group_count,
        table=item_table(panel, selection),
        asking=asked_parts(read_asked(panel)),
        figures=_figures(study, selection, found, reached, groups, run, _strength_target(whole, selection)),
    )


def _another(panel: Panel, run: RunColumn | None) -> RunColumn | None:
    """The first other run that gives labels, to set beside the one that a reader looks at."""
    deciding = (one for one in panel.runs if (one.decided != MISSING).any())
    return next((one for one in deciding if run is None or one.key != run.key), None)


def _figures(
    study: Study,
    selection: Selection,
    found: Findings,
    reached: Verdict,
    groups: tuple[Group, ...],
    run: RunColumn | None,
    rated_against: str,
) -> Figures:
    against = selection.against
    people = study.people
    mark = f"Labels of {people.many}" if people.are_synthetic else ""
    rated_words = strength_words(rated_against, people)
    label = f"One {people.one} against the " + ("reference" if against == "reference" else "majority of the others")
    return Figures(
        accuracy=dot_plot(
            [_dot(one, one.against(against).hits.accuracy, row=one.title) for one in _ranked(found, against)],
            axis=f"Accuracy against {against}",
            band=Band(found.band(against), people.many, label),
            domain=(0, 1),
            title=mark,
            lines=_lines(reached),
        ),
        strength=dot_plot(
            [_dot(one, one.strength(rated_against), row=one.name) for one in found.runs],
            axis=f"Spearman’s ρ of strength with {rated_words.removeprefix('the ')}",
            band=None,
            domain=(-1, 1),
            title=mark,
        ),
        breakdown=dot_plot(
            [dot for group in groups for dot in _group_dots(group, run, people, against)],
            axis=f"Accuracy against {against}",
            band=None,
            domain=(0, 1),
            title=mark,
        ),
    )


def _lines(reached: Verdict) -> list[Line]:
    """What tells nothing: chance, and the best constant label. They are of accuracies."""
    runs, words = reached.runs, reached.words
    if not runs.placed or reached.measure != ACCURACY:
        return []
    chance = [Line(runs.chance, "chance")]
    return (
        chance if runs.constant is None else [*chance, Line(runs.constant.value, f"always {words[runs.constant.code]}")]
    )


def _ranked(found: Findings, against: str) -> list[RunFinding]:
    return sorted(found.runs, key=lambda run: -(run.against(against).hits.accuracy.value or 0.0))


def _group_dots(group: Group, run: RunColumn | None, people: Words, against: str) -> list[Dot | None]:
    """The chosen run and, against a majority, one person; each value of the attribute is a row."""
    row = f"{group.value} ({group.items:,})"
    dots = [Dot.of(row, f"One {people.one}", people.many, group.ceiling)] if against == "majority" else []
    if run is not None:
        kind = BASELINE if run.is_baseline else MODEL
        dots.append(Dot.of(row, run.title, kind, group.runs[run.key].accuracy))
    return dots


def _dot(run: RunFinding, estimate: Estimate, *, row: str) -> Dot | None:
    return Dot.of(row, row, BASELINE if run.is_baseline else MODEL, estimate)
