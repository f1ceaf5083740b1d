"""One annotator as a rater like a run, and two of them beside one another: a panel in, findings out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pydantic import TypeAdapter

from annotation.tasktypes.contract import Scale
from comparison.figures.findings import CALLED, MAJORITY, REFERENCE, Against
from comparison.figures.models.classes import ways
from comparison.frame.assessors import Assessor, AssessorColumn, assessor_columns
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.statistics.accuracy.assessor import both_say
from comparison.statistics.accuracy.hits import Hits, accuracy, kappa
from comparison.statistics.aggregation.majority import majority
from comparison.statistics.agreement.cohen import cohen
from comparison.statistics.counts import MISSING, Ints

OTHERS = "the majority labels of the others"


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


ASSESSORS = TypeAdapter(Assessors)


def assessors(panel: Panel, chosen: Sequence[Assessor]) -> Assessors:
    columns = assessor_columns(panel, chosen)
    return Assessors(
        tuple(_one(panel, column) for column in columns),
        tuple(_two(panel, one, other) for one, other in combinations(columns, 2)),
    )


def read_assessors(chosen: Selected) -> Assessors:
    """The annotators who are shown one by one, and each two of them."""
    shown = chosen.assessors
    return chosen.remembered(ASSESSORS, chosen.of_items("assessors", shown), lambda: assessors(chosen.panel, shown))


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
        others=_against(panel, column.decided, majority(column.others), OTHERS),
        reference=_against(panel, column.decided, panel.truth, CALLED[REFERENCE]),
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
        others=_against(panel, agreed, majority(rest), OTHERS),
        reference=_against(panel, agreed, panel.truth, CALLED[REFERENCE]),
    )


def _against(panel: Panel, decided: Ints, truth: Ints, called: str) -> Against:
    words = [panel.words[value] for value in panel.values]
    beyond_chance = kappa(decided, truth, values=len(words), words=words, called=called, sample=panel.sample)
    return Against(accuracy(decided, truth, sample=panel.sample), beyond_chance)
