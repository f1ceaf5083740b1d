"""One annotator as a rater like a run, and two of them beside one another: a panel in, findings out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter

from pydantic import TypeAdapter

from annotation.models import Study
from annotation.tasktypes.contract import Scale
from comparison.figures.figure import Figure
from comparison.figures.file import FIGURE_HEAD, Download, Row, estimated, origin
from comparison.figures.findings import MAJORITY, REFERENCE, Against, against_target, against_truth
from comparison.figures.models.classes import ways
from comparison.figures.table import DRAWN, WILSON, Column, Rater, Table
from comparison.frame.assessors import Assessor, AssessorColumn, assessor_columns
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected, select
from comparison.statistics.accuracy.ceiling import both_say
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.aggregation import majority
from comparison.statistics.agreement.cohen import cohen
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate

ONE, TWO = "annotators", "two annotators"
OTHERS = "majority of the others"
OTHERS_SAID = "the majority labels of the others"

Called = Callable[[Assessor], str]


@dataclass(frozen=True, slots=True)
class OneAssessor:
    """`labels` items have their label; `others` is against the majority of all others."""

    assessor: Assessor
    labels: int
    others: Against
    reference: Against

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
    )


# --- The figure -------------------------------------------------------------------------------------


def _tables(chosen: Selected) -> Iterator[Table]:
    """By the names that the reader may see. Only of those who are asked for, or of a small study."""
    found = ASSESSORS.read(chosen)
    if found.found:
        yield _table_of_each(chosen, found)
    if found.pairs:
        yield _table_of_two(chosen, found)


def _table_of_each(chosen: Selected, found: Assessors) -> Table:
    people, with_references = chosen.study.people, chosen.outline.has_references
    heads = (
        "Annotator",
        "Labels",
        "Accuracy, majority of the others",
        Column("κ, majority of the others", term="kappa"),
    )
    rows = tuple(
        (
            Rater(name=one.assessor.key, title=one.assessor.name, kind=people.kind),
            one.labels,
            *_cells(one.others),
            *(_cells(one.reference) if with_references else ()),
        )
        for one in found.found
    )
    return Table(
        name="assessors",
        title=f"Single {people.many} as raters",
        columns=(*heads, *(("Accuracy, reference", "κ, reference") if with_references else ())),
        rows=rows,
        rests_on="n counts items that have a label from both the annotator and the target",
        method=f"{WILSON} (accuracy); {DRAWN} (κ)",
    )


def _table_of_two(chosen: Selected, found: Assessors) -> Table:
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
        for two in found.pairs
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
    """By their numbers, as in the judgments. How often each gives the others' majority stands there for all of them."""
    found = ASSESSORS.read(chosen)
    for one in found.found:
        lines = _lines_of_one(one, called=attrgetter("key"))
        yield from (line for line in lines if (line[3], line[4]) != (OTHERS, "accuracy"))
    for two in found.pairs:
        yield from _lines_of_two(two, called=attrgetter("key"))


def _rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Under the names that an imported file gave them. Fewer classes too, where the scale has any."""
    chosen = select(study, selection)
    words = chosen.words  # before the first line goes out: an address that does not fit is refused
    found, one = ASSESSORS.read(chosen), study.people.one
    yield FIGURE_HEAD
    head = [*origin(study), words, len(chosen.outline.values)]

    def called(who: Assessor) -> str:
        return who.title(one)

    for each in found.found:
        yield from ([*head, *line] for line in _lines_of_one(each, called=called))
    for two in found.pairs:
        yield from ([*head, *line] for line in _lines_of_two(two, called=called))
    for line in () if chosen.asked.coarse else on_classes(chosen.panel, study.task.scale, chosen.assessors):
        # The whole scale stands above.
        if line.classes != len(chosen.outline.values):
            rater = [ONE, called(line.assessor), "", OTHERS if line.target == MAJORITY else REFERENCE]
            counted = estimated(line.hits.accuracy, line.hits.correct, how=line.words)
            yield [*head[:-1], line.classes, *rater, "accuracy", *counted]


def _lines_of_one(found: OneAssessor, *, called: Called) -> Iterator[Row]:
    """From the section on."""
    for against, held in ((OTHERS, found.others), (REFERENCE, found.reference)):
        yield from _held_lines([ONE, called(found.assessor), "", against], held)


def _lines_of_two(found: TwoAssessors, *, called: Called) -> Iterator[Row]:
    """How the two stand to one another, and where they agree, what they agree on against the others' majority."""
    one, other = called(found.one), called(found.other)
    yield [TWO, one, "", other, "decide_alike", *estimated(found.together.hits.accuracy, found.together.hits.correct)]
    yield [TWO, one, "", other, "cohen_kappa", *estimated(found.together.kappa)]
    for against, held in ((OTHERS, found.others), (REFERENCE, found.reference)):
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
    download=Download(says="each {one} as a rater, and each pair", rows=_rows, is_shared=False, is_in_report=False),
)
