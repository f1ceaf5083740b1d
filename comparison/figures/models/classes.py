"""The table of accuracy with fewer classes: one line a rater, one column a way to count."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pydantic import TypeAdapter

from annotation.tasktypes.contract import Scale
from comparison.figures.figure import Figure, State
from comparison.figures.models.answers import spread
from comparison.figures.table import WILSON, Column, Counted, Rater, Table
from comparison.frame.assessors import Assessor, assessor_columns
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.accuracy.classes import Way, whole
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import Paired, paired

MAJORITY = "Majority of all labels"
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class ClassLine:
    """One rater, counted in every way."""

    rater: str
    family: str
    is_baseline: bool
    hits: tuple[Hits, ...]
    # Of an annotator: the number by which files know them.
    annotator: str = ""


@dataclass(frozen=True, slots=True)
class ClassTable:
    """`in_order`: whether the models stand in one order in every way, True and False only where that is shown."""

    ways: tuple[Way, ...]
    lines: tuple[ClassLine, ...]
    in_order: bool | None = None

    @property
    def models(self) -> int:
        return sum(1 for line in self.lines if line.family and not line.is_baseline)


def ways(scale: Scale) -> tuple[Way, ...]:
    """The whole scale first; one way alone where the scale has no other."""
    size = len(scale.values)
    same = (*range(size), MISSING)
    all_ways = [whole(size)]
    if scale.doubtful:
        doubtful = ", ".join(scale.text(value).lower() for value in scale.doubtful)
        places = tuple(scale.values.index(value) for value in scale.doubtful)
        rest = size - len(places)
        all_ways.append(Way(f"{rest} classes: without items labeled {doubtful}", rest, same, places))
    if scale.coarse:
        places = tuple(scale.coarse_values.index(scale.coarse.get(value, value)) for value in scale.values)
        size = len(scale.coarse_values)
        all_ways.append(Way(f"{size} classes: extremes merged", size, (*places, MISSING)))
    return tuple(all_ways)


def class_table(
    panel: Panel, scale: Scale, *, against: str, assessors: Sequence[Assessor] = (), one: str = "person"
) -> ClassTable | None:
    """Raters that name labels, against `majority` or `reference`; None where there is only one way, or no such rater.

    `panel` has the whole scale. Degrees by cut points are left out: each way would cut anew. `assessors` are single
    annotators, of whom each is `one`; each is held against the majority of the others.
    """
    all_ways = ways(scale)
    if len(all_ways) == 1:
        return None
    lines = (*_of_people(panel, all_ways, against, assessors, one), *_lines(panel, all_ways, against))
    return ClassTable(all_ways, lines, _in_order(panel, all_ways, against)) if lines else None


def _of_people(
    panel: Panel, all_ways: tuple[Way, ...], against: str, assessors: Sequence[Assessor], one: str
) -> Iterator[ClassLine]:
    references = _truths(panel, all_ways, "reference", panel.counts)
    if against == "reference" and panel.has_labels and panel.has_references and not panel.no_majority:
        people = [way.majority(panel.counts) for way in all_ways]
        yield ClassLine(MAJORITY, "", is_baseline=False, hits=_hits(people, references, panel))
    for column in assessor_columns(panel, assessors):
        who = column.assessor
        truths = _truths(panel, all_ways, against, column.others)
        own = [way.decisions(column.decided) for way in all_ways]
        yield ClassLine(who.title(one), "", is_baseline=False, hits=_hits(own, truths, panel), annotator=who.key)


def _truths(panel: Panel, all_ways: tuple[Way, ...], against: str, counts: Ints) -> list[Ints]:
    """What is taken as true in each way: the references, or the majority of these labels."""
    if against == "reference":
        return [way.truth(way.decisions(panel.truth)) for way in all_ways]
    return [way.truth(way.majority(counts)) for way in all_ways]


def _lines(panel: Panel, all_ways: tuple[Way, ...], against: str) -> Iterator[ClassLine]:
    truths = _truths(panel, all_ways, against, panel.counts)
    for run in panel.runs:
        if _names_labels(run):
            hits = _hits([way.decisions(run.decided) for way in all_ways], truths, panel)
            yield ClassLine(run.name, run.family, is_baseline=run.is_baseline, hits=hits)


def _in_order(panel: Panel, all_ways: tuple[Way, ...], against: str) -> bool | None:
    """By every two neighbors in the order of the whole scale: they are right on different items in one direction.

    McNemar's test, with p times all pairs of models and all ways: which are neighbors was seen from the same items.
    """
    truths = _truths(panel, all_ways, against, panel.counts)
    models = [run for run in panel.runs if _names_labels(run) and not run.is_baseline]
    decided = [[way.decisions(run.decided) for way in all_ways] for run in models]
    decided.sort(key=lambda own: accuracy(own[0], truths[0], sample=panel.sample).accuracy.value or 0.0, reverse=True)
    tests = len(all_ways) * len(models) * (len(models) - 1) // 2
    signs = [
        {_sign(paired(a, b, truth, sample=panel.sample), tests) for a, b, truth in zip(one, other, truths, strict=True)}
        for one, other in pairwise(decided)
    ]
    if any({1, -1} <= each for each in signs):
        return False
    return True if signs and all(each in ({1}, {-1}) for each in signs) else None


def _sign(test: Paired, tests: int) -> int:
    """1 where the first is shown to be right more often, -1 where the other is, 0 where neither."""
    if test.p is None or tests * test.p > LEVEL:
        return 0
    return 1 if test.only_one > test.only_other else -1


def _names_labels(run: RunColumn) -> bool:
    return run.cuts is None and bool((run.decided != MISSING).any())


def _hits(decided: list[Ints], truths: list[Ints], panel: Panel) -> tuple[Hits, ...]:
    return tuple(accuracy(own, truth, sample=panel.sample) for own, truth in zip(decided, truths, strict=True))


def _compute(chosen: Selected, against: str, assessors: tuple[Assessor, ...]) -> ClassTable | None:
    """None where labels are merged already."""
    if chosen.selection.coarse:
        return None
    people, scale = chosen.study.people, chosen.study.task.scale
    return class_table(chosen.panel, scale, against=against, assessors=assessors, one=people.one)


def _answer(chosen: Selected) -> str | None:
    table = CLASSES.read(chosen)
    if table is None:
        return None
    runs = [line for line in table.lines if line.family]
    text = "; ".join(
        f"{way.classes} classes {spread(line.hits[place].accuracy for line in runs or table.lines)}"
        for place, way in enumerate(table.ways)
    )
    return f"Accuracy: {text}." if runs else f"Accuracy of {chosen.study.people.many} alone: {text}."


def _state(chosen: Selected) -> State | None:
    """Whether models are shown to stand in the same order however labels are counted."""
    table = CLASSES.read(chosen)
    if table is None or table.models < 2:
        return None
    if table.in_order is None:
        return State("open", "Order not shown")
    return State("good", "Same order") if table.in_order else State("warn", "Order changes")


def _tables(chosen: Selected) -> Iterator[Table]:
    table = CLASSES.read(chosen)
    if table is not None:
        yield Table(
            name="classes",
            title=f"Accuracy with fewer classes, against {chosen.target_words}",
            columns=("Rater", *(Column(way.words, "fewer_classes") for way in table.ways)),
            rows=tuple((_rater(line), *map(_right, line.hits)) for line in table.lines),
            rests_on="Correct items, and their share of the n items with a label from both rater and target",
            method=WILSON,
        )


def _right(hits: Hits) -> Counted | Estimate:
    return hits.accuracy if hits.accuracy.value is None else Counted(hits.correct, hits.accuracy)


def _rater(line: ClassLine) -> Rater:
    kind = "models" if line.family else "people"
    return Rater(name=line.rater, family=line.family, kind=kind, is_baseline=line.is_baseline)


CLASSES: Figure[ClassTable | None] = Figure(
    key="classes",
    part="models",
    title="Fewer classes",
    shape=TypeAdapter(ClassTable | None),
    rests_on=lambda chosen: (chosen.selection.against, chosen.assessors),
    compute=_compute,
    answer=_answer,
    state=_state,
    tables=_tables,
)
