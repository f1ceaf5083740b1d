"""Single annotators as raters, and each two of them: those asked for, or all of a small study."""

from collections.abc import Callable, Iterator

from annotation.models import Study
from comparison.figures.file import FIGURE_HEAD, Row, estimated, origin
from comparison.figures.findings import MAJORITY, Against
from comparison.frame.assessors import Assessor
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.people_part.assessors import OneAssessor, TwoAssessors, on_classes, read_assessors

ONE, TWO = "annotators", "two annotators"
OTHERS, REFERENCE = "majority of the others", "reference"

Called = Callable[[Assessor], str]


def assessor_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Under the names that an imported file gave them. Fewer classes too, where the scale has any."""
    chosen = select(study, selection)
    words = chosen.words  # before the first line goes out: an address that does not fit is refused
    found, one = read_assessors(chosen), study.people.one
    yield FIGURE_HEAD
    head = [*origin(study), words, len(chosen.outline.values)]

    def called(who: Assessor) -> str:
        return who.title(one)

    for each in found.found:
        yield from ([*head, *line] for line in lines_of_one(each, called=called))
    for two in found.pairs:
        yield from ([*head, *line] for line in lines_of_two(two, called=called))
    for line in () if chosen.asked.coarse else on_classes(chosen.panel, study.task.scale, chosen.assessors):
        # The whole scale stands above.
        if line.classes != len(chosen.outline.values):
            rater = [ONE, called(line.assessor), "", OTHERS if line.target == MAJORITY else REFERENCE]
            counted = estimated(line.hits.accuracy, line.hits.correct, how=line.words)
            yield [*head[:-1], line.classes, *rater, "accuracy", *counted]


def lines_of_one(found: OneAssessor, *, called: Called) -> Iterator[Row]:
    """From the section on."""
    for against, held in ((OTHERS, found.others), (REFERENCE, found.reference)):
        yield from _held([ONE, called(found.assessor), "", against], held)


def lines_of_two(found: TwoAssessors, *, called: Called) -> Iterator[Row]:
    """How the two stand to one another, and where they agree, what they agree on against the others' majority."""
    one, other = called(found.one), called(found.other)
    yield [TWO, one, "", other, "decide_alike", *estimated(found.together.hits.accuracy, found.together.hits.correct)]
    yield [TWO, one, "", other, "cohen_kappa", *estimated(found.together.kappa)]
    for against, held in ((OTHERS, found.others), (REFERENCE, found.reference)):
        yield from _held([TWO, f"{one} and {other}, where they agree", "", against], held)


def _held(head: Row, held: Against) -> Iterator[Row]:
    yield [*head, "accuracy", *estimated(held.hits.accuracy, held.hits.correct)]
    yield [*head, "cohen_kappa", *estimated(held.kappa)]
