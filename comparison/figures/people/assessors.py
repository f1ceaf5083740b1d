"""One annotator as a rater like a run, and two of them beside one another: a panel in, findings out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter

import numpy as np
from pydantic import TypeAdapter

from annotation.models import Study
from annotation.models.population import Words
from annotation.tasktypes.contract import Scale
from comparison.figures.figure import Figure
from comparison.figures.file import FIGURE_HEAD, Download, Row, estimated, origin
from comparison.figures.findings import MAJORITY, REFERENCE, Against, against_target, against_truth
from comparison.figures.models.classes import ways
from comparison.figures.table import BONETT_WRIGHT, DRAWN, WILSON, Column, Rater, Table
from comparison.frame.assessors import Assessor, AssessorColumn, assessor_columns
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected, select
from comparison.statistics.accuracy.ceiling import both_say
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.aggregation import majority
from comparison.statistics.agreement.between_annotators import with_reasons
from comparison.statistics.agreement.cohen import cohen
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.correlation import people_score, reference_score, spearman

ONE, TWO = "annotators", "two annotators"
OTHERS = "majority of the others"
OTHERS_MEAN = "mean of the others"
RATED_ON = "n counts items that both have rated"
OTHERS_SAID = "the majority labels of the others"

Called = Callable[[Assessor], str]


@dataclass(frozen=True, slots=True)
class OneAssessor:
    """`labels` items have their label; `others` is against the majority of all others.

    `rho` is of their ratings with the mean of the others', `rho_reference` with the reference.
    """

    assessor: Assessor
    labels: int
    others: Against
    reference: Against
    rho: Estimate
    rho_reference: Estimate

    def against(self, target: str) -> Against:
        return self.reference if target == REFERENCE else self.others


@dataclass(frozen=True, slots=True)
class TwoAssessors:
    """`together`: how often the two say the same, and κ, on the items that both labeled; then what they agree on."""

    one: Assessor
    other: Assessor
    together: Against
    others: Against
    reference: Against
    rho: Estimate


@dataclass(frozen=True, slots=True)
class Assessors:
    found: tuple[OneAssessor, ...]
    pairs: tuple[TwoAssessors, ...]


@dataclass(frozen=True, slots=True)
class OnClasses:
    """One assessor's accuracy in one way to count classes, against one target."""

    assessor: Assessor
    target: str
    words: str
    classes: int
    hits: Hits


def assessors(panel: Panel, chosen: Sequence[Assessor]) -> Assessors:
    columns = assessor_columns(panel, chosen)
    return Assessors(
        tuple(_one(panel, column) for column in columns),
        tuple(_two(panel, one, other) for one, other in combinations(columns, 2)),
    )


def on_classes(panel: Panel, scale: Scale, chosen: Sequence[Assessor]) -> Iterator[OnClasses]:
    """On the whole scale and on coarser ones. `panel` has the whole scale."""
    for column in assessor_columns(panel, chosen):
        for way in ways(scale):
            own = way.decisions(column.decided)
            for target in (MAJORITY, REFERENCE):
                truth = way.truth(way.decisions(panel.truth) if target == REFERENCE else way.majority(column.others))
                hits = accuracy(own, truth, sample=panel.sample)
                yield OnClasses(column.assessor, target, way.words, way.classes, hits)


def _one(panel: Panel, column: AssessorColumn) -> OneAssessor:
    return OneAssessor(
        assessor=column.assessor,
        labels=int((column.decided != MISSING).sum()),
        others=against_truth(panel, column.decided, majority(column.others), OTHERS_SAID),
        reference=against_target(panel, column.decided, REFERENCE),
        rho=_rho(panel, column.decided, people_score(column.others, ordered=panel.ordered)),
        rho_reference=_rho(panel, column.decided, reference_score(panel.truth, ordered=panel.ordered)),
    )


def _two(panel: Panel, one: AssessorColumn, other: AssessorColumn) -> TwoAssessors:
    agreed = both_say(one.decided, other.decided)
    # All without the one, and all without the other, less all: all without both.
    rest = one.others + other.others - panel.counts
    return TwoAssessors(
        one=one.assessor,
        other=other.assessor,
        together=Against(
            accuracy(one.decided, other.decided, sample=panel.sample),
            cohen(one.decided, other.decided, values=len(panel.values), sample=panel.sample),
        ),
        others=against_truth(panel, agreed, majority(rest), OTHERS_SAID),
        reference=against_target(panel, agreed, REFERENCE),
        rho=_rho(panel, one.decided, as_ratings(other.decided)),
    )


def _rho(panel: Panel, decided: Ints, other: Floats) -> Estimate:
    if not panel.ordered:
        return Estimate.none("labels have no order")
    return with_reasons(spearman(as_ratings(decided), other, sample=panel.sample))


def as_ratings(decided: Ints) -> Floats:
    return np.where(decided == MISSING, np.nan, decided + 1.0)


# --- The figure -------------------------------------------------------------------------------------


def _tables(chosen: Selected) -> Iterator[Table]:
    """By the names that the reader may see. Only of those who are asked for, or of a small study."""
    assessors = ASSESSORS.read(chosen)
    if assessors.found:
        yield _table_of_each(chosen, assessors)
    if assessors.pairs:
        yield _table_of_two(chosen, assessors)


def _table_of_each(chosen: Selected, assessors: Assessors) -> Table:
    people, with_references = chosen.study.people, chosen.outline.has_references
    if chosen.is_averaged:
        return Table(
            name="assessors",
            title=f"Single {people.many} as raters",
            columns=("Annotator", "Labels", "ρ, mean of the others", *(("ρ, reference",) if with_references else ())),
            rows=tuple(
                (_named(one, people), one.labels, one.rho, *((one.rho_reference,) if with_references else ()))
                for one in assessors.found
            ),
            rests_on=RATED_ON,
            method=BONETT_WRIGHT,
        )
    heads = (
        "Annotator",
        "Labels",
        "Accuracy, majority of the others",
        Column("κ, majority of the others", term="kappa"),
    )
    rows = tuple(
        (
            _named(one, people),
            one.labels,
            *_cells(one.others),
            *(_cells(one.reference) if with_references else ()),
        )
        for one in assessors.found
    )
    return Table(
        name="assessors",
        title=f"Single {people.many} as raters",
        columns=(*heads, *(("Accuracy, reference", "κ, reference") if with_references else ())),
        rows=rows,
        rests_on="n counts items that have a label from both the annotator and the target",
        method=f"{WILSON} (accuracy); {DRAWN} (κ)",
    )


def _named(one: OneAssessor, people: Words) -> Rater:
    return Rater(name=one.assessor.key, title=one.assessor.name, kind=people.kind)


def _table_of_two(chosen: Selected, assessors: Assessors) -> Table:
    if chosen.is_averaged:
        return Table(
            name="two-assessors",
            title=f"Pairs of {chosen.study.people.many}",
            columns=(Column("Annotators", term="two_assessors"), Column("ρ of their ratings", term="spearman")),
            rows=tuple((f"{two.one.name} and {two.other.name}", two.rho) for two in assessors.pairs),
            rests_on=RATED_ON,
            method=BONETT_WRIGHT,
        )
    with_references, agreed = chosen.outline.has_references, "Accuracy where they agree"
    heads = (
        Column("Annotators", term="two_assessors"),
        "The same label",
        "κ",
        f"{agreed}, majority of the others",
        "κ",
    )
    rows = tuple(
        (
            f"{two.one.name} and {two.other.name}",
            *_cells(two.together),
            *_cells(two.others),
            *(_cells(two.reference) if with_references else ()),
        )
        for two in assessors.pairs
    )
    return Table(
        name="two-assessors",
        title=f"Pairs of {chosen.study.people.many}",
        columns=(*heads, *((f"{agreed}, reference", "κ") if with_references else ())),
        rows=rows,
        rests_on="n counts items that both labeled and, where they agree, those that also have a target",
        method=f"{WILSON} (shares); {DRAWN} (κ)",
    )


def _cells(held: Against) -> tuple[Estimate, Estimate]:
    return held.hits.accuracy, held.kappa


def _lines(chosen: Selected) -> Iterator[Row]:
    """By their numbers, as in the judgments. How each stands to the others is in the report for all of them."""
    reported = {(OTHERS, "accuracy"), (OTHERS_MEAN, "spearman")}
    for line in _statistics(chosen, called=attrgetter("key")):
        if (line[3], line[4]) not in reported or line[0] == TWO:
            yield line


def _rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Under the names that an imported file gave them. Fewer classes too, where the scale has any."""
    chosen = select(study, selection)
    words = chosen.words  # before the first line goes out: an address that does not fit is refused
    one = study.people.one
    ASSESSORS.read(chosen)
    yield FIGURE_HEAD
    head = [*origin(study), words, len(chosen.outline.values)]

    def called(who: Assessor) -> str:
        return who.title(one)

    yield from ([*head, *line] for line in _statistics(chosen, called=called))
    for line in () if chosen.asked.coarse else on_classes(chosen.panel, study.task.scale, chosen.assessors):
        # The whole scale stands above.
        if line.classes != len(chosen.outline.values):
            rater = [ONE, called(line.assessor), "", OTHERS if line.target == MAJORITY else REFERENCE]
            counted = estimated(line.hits.accuracy, line.hits.correct, how=line.words)
            yield [*head[:-1], line.classes, *rater, "accuracy", *counted]


def _statistics(chosen: Selected, *, called: Called) -> Iterator[Row]:
    """From the section on; of ratings that are averaged, ρ comes first."""
    assessors = ASSESSORS.read(chosen)
    for each in assessors.found:
        name = called(each.assessor)
        if chosen.is_averaged:
            yield [ONE, name, "", OTHERS_MEAN, "spearman", *estimated(each.rho)]
            yield [ONE, name, "", REFERENCE, "spearman", *estimated(each.rho_reference)]
        for against, held in ((OTHERS, each.others), (REFERENCE, each.reference)):
            yield from _held_lines([ONE, name, "", against], held)
    for two in assessors.pairs:
        if chosen.is_averaged:
            yield [TWO, called(two.one), "", called(two.other), "spearman", *estimated(two.rho)]
        yield from _lines_of_two(two, called=called)


def _lines_of_two(two: TwoAssessors, *, called: Called) -> Iterator[Row]:
    """How the two stand to one another, and where they agree, what they agree on against the others' majority."""
    one, other = called(two.one), called(two.other)
    yield [TWO, one, "", other, "decide_alike", *estimated(two.together.hits.accuracy, two.together.hits.correct)]
    yield [TWO, one, "", other, "cohen_kappa", *estimated(two.together.kappa)]
    for against, held in ((OTHERS, two.others), (REFERENCE, two.reference)):
        yield from _held_lines([TWO, f"{one} and {other}, where they agree", "", against], held)


def _held_lines(head: Row, held: Against) -> Iterator[Row]:
    yield [*head, "accuracy", *estimated(held.hits.accuracy, held.hits.correct)]
    yield [*head, "cohen_kappa", *estimated(held.kappa)]


ASSESSORS = Figure(
    key="assessors",
    part="people",
    title="Single annotators",
    shape=TypeAdapter(Assessors),
    rests_on=lambda chosen: (chosen.assessors,),
    compute=lambda chosen, shown: assessors(chosen.panel, shown),
    tables=_tables,
    lines=_lines,
    download=Download(
        says="each {one} as a rater, and each pair",
        line="a statistic of one annotator as a rater, or of two",
        rows=_rows,
        is_shared=False,
        is_in_report=False,
    ),
)
