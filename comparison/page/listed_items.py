"""Items as pages show them: squares, marked words, what models are compared with; in a list, and of two runs. And what
a reader of the items can choose: what is asked for most, with how many items that has, and an order.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from annotation.models import Item, Study
from annotation.models.population import Words
from comparison.figures.models.two_runs import TWO_RUNS, Apart, Side
from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON, SURPRISAL
from comparison.frame.filters.selection import DIFFERS, RIGHT, WRONG, Selection
from comparison.frame.outline import Outline
from comparison.frame.panel import NamedRun
from comparison.frame.selected import Selected
from comparison.page.drawn.squares import Given, Look, Square, counted_signs, given, looks, square
from comparison.page.item_table import Answer, ItemRow, ItemTable
from comparison.statistics.aggregation import NONE, UNANIMOUS
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import Paired
from comparison.statistics.verdict.measure import RHO

STEPS = 10
# The text before the words in question, those words, and the text after.
Marked = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ListedItem:
    """`truth` is what runs are compared with, in words, and `beside` what else is known of the item."""

    item: str
    text: Marked
    given: Given
    counts: str
    truth: str
    beside: str
    squares: tuple[Square, ...]
    right: str
    numbers: tuple[str, ...]


def labels_of(outline: Outline, study: Study) -> tuple[Look, ...]:
    """How each label looks, in the order of the scale."""
    return looks([outline.words[value] for value in outline.values], ordered=study.task.scale.ordered)


def listed_items(
    study: Study, table: ItemTable, runs: Sequence[NamedRun], labels: Sequence[Look], *, against_reference: bool
) -> Iterator[ListedItem]:
    texts = read_marked(study, [row.item for row in table.rows])
    for row in table.rows:
        yield ListedItem(
            item=row.item,
            text=texts.get(row.item, (row.text, "", "")),
            given=given(row.counts, labels),
            counts=counted_signs(row.counts, labels),
            truth=_truth(row, labels),
            beside=_beside(row, labels, against_reference=against_reference),
            squares=tuple(
                square(run.title, answer.decided, labels, true=row.true, instead=_instead(answer))
                for run, answer in zip(runs, row.answers, strict=True)
            ),
            right=f"{row.right} of {row.answered}" if row.answered else "–",
            numbers=row.numbers,
        )


def read_marked(study: Study, names: Sequence[str]) -> Mapping[str, Marked]:
    """By the item's id, of as many items as a page shows."""
    rows = Item.objects.filter(study=study, external_id__in=names).values_list("external_id", "content")
    return {name: study.task.marked(content) for name, content in rows}


def _truth(row: ItemRow, labels: Sequence[Look]) -> str:
    if row.mean:
        return row.mean
    if row.true != MISSING:
        return labels[row.true].words
    return {0: "No labels yet", 1: "One label"}.get(sum(row.counts), "No majority")


def _beside(row: ItemRow, labels: Sequence[Look], *, against_reference: bool) -> str:
    """Of majority and reference, the one that runs are not compared with, where it is another label."""
    other, word = (row.majority, "Majority") if against_reference else (row.reference, "Reference")
    parts = [f"{word}: {labels[other].words}"] if other not in (MISSING, row.true) else []
    return " · ".join([*parts, *([f"Published rating: {row.published}"] if row.published else [])])


def _instead(answer: Answer) -> str:
    """Why a run names no label."""
    if answer.unscored:
        return answer.unscored
    return f"score {answer.strength}, no label" if answer.strength else "no label"


# --- Two runs ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RightCell:
    """`level` is how dark it is; `query` opens its items, and is empty where there are none."""

    count: int
    level: int
    query: str


@dataclass(frozen=True, slots=True)
class ListedPair:
    sides: tuple[tuple[Side, Estimate], ...]
    right: tuple[tuple[str, tuple[RightCell, ...]], ...]
    apart: tuple[ListedItem, ...]


def listed_pair(chosen: Selected, labels: Sequence[Look]) -> ListedPair | None:
    """None where there are no two runs."""
    pair = TWO_RUNS.read(chosen)
    if pair is None:
        return None
    return ListedPair(
        sides=tuple(zip(pair.sides, (pair.reached.one, pair.reached.other), strict=True)),
        right=_right(pair.paired, pair.sides[0], chosen.selection),
        apart=tuple(_apart(chosen.study, pair.apart, labels)),
    )


def _right(paired: Paired, one: Side, selection: Selection) -> tuple[tuple[str, tuple[RightCell, ...]], ...]:
    pair = Selection(run=selection.run, beside=selection.beside, against=selection.against)

    def cell(count: int, right: str, other: str) -> RightCell:
        level = round(STEPS * count / paired.n) if paired.n else 0
        return RightCell(count, level, pair.query(right=right, beside_right=other) if count else "")

    return (
        (f"{one.short} right", (cell(paired.both, RIGHT, RIGHT), cell(paired.only_one, RIGHT, WRONG))),
        (f"{one.short} wrong", (cell(paired.only_other, WRONG, RIGHT), cell(paired.neither, WRONG, WRONG))),
    )


def _apart(study: Study, rows: Sequence[Apart], labels: Sequence[Look]) -> Iterator[ListedItem]:
    """The items on which two runs differ."""
    texts = read_marked(study, [row.item for row in rows])
    for row in rows:
        yield ListedItem(
            item=row.item,
            text=texts.get(row.item, (row.text, "", "")),
            given=given(row.counts, labels),
            counts=counted_signs(row.counts, labels),
            truth=labels[row.true].words if row.true != MISSING else "–",
            beside="",
            squares=tuple(
                square(side.run, side.decided, labels, true=row.true, instead=f"score {side.strength}, no label")
                for side in row.sides
            ),
            right="",
            numbers=tuple(side.strength for side in row.sides),
        )


COUNTS = TypeAdapter(dict[str, int])
ALL = "All"


@dataclass(frozen=True, slots=True)
class Preset:
    """`query` is its address; `is_here`, whether the reader is at it."""

    words: str
    query: str
    items: int
    is_here: bool


def read_presets(chosen: Selected) -> tuple[Preset, ...]:
    """Those that have items, whatever filters are set. Counted once for each state of the data."""
    request, selection = chosen.asked, chosen.selection
    base = Selection(
        classes=request.classes,
        against=request.against,
        ties=request.ties,
        measure=request.measure,
        sort=request.sort,
        runs=request.runs,
        run=request.run,
    )
    offered = {words: replace(base, **changes) for words, changes in _offered(chosen)}

    def count() -> dict[str, int]:
        everything = replace(selection, **{name: getattr(Selection(), name) for name in NARROWING})
        return {
            words: int(replace(everything, **changes).mask(chosen.whole, {}).sum())
            for words, changes in _offered(chosen)
        }

    counts = chosen.remembered(
        COUNTS, ["presets", request.classes, selection.against, request.adjudicated, chosen.measure], count
    )
    return tuple(
        Preset(words, one.query(), counts[words], _is_here(one, selection))
        for words, one in offered.items()
        if counts.get(words) or words == ALL
    )


def _is_here(one: Selection, selection: Selection) -> bool:
    is_run = not one.looks_at_run or one.run == selection.run
    return is_run and all(getattr(one, name) == getattr(selection, name) for name in NARROWING)


# What chooses items.
NARROWING = (
    *("agreement", "where", "people", "q", "true", "given", "right", "beside_right", "models", "within"),
    *("entropy_min", "entropy_max", "jensen_shannon_min", "jensen_shannon_max", "surprisal_min", "surprisal_max"),
)


def _offered(chosen: Selected) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each in words, and the choices that make it."""
    outline = chosen.outline
    models = [run.key for run in outline.runs if not run.is_baseline and run.key in outline.deciding]
    yield ALL, {}
    best = next((key for key in outline.nearest if key in models), "")
    # Of ratings that are averaged, no label is right.
    is_averaged = chosen.measure == RHO
    if best and not is_averaged:
        yield "Best model wrong", {"run": best, "right": WRONG}
    if len(models) > 1 and not is_averaged:
        yield "All models wrong", {"models": WRONG}
    if outline.has_labels:
        yield "No majority", {"agreement": NONE}
        yield "Unanimous", {"agreement": UNANIMOUS}
    if outline.has_labels and outline.has_references:
        yield "Majority differs from reference", {"people": DIFFERS}


# --- Orders -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sort:
    """`run`: of which run, as the address has it; empty where it is of none."""

    key: str
    words: str
    run: str
    is_here: bool


def sorts(selection: Selection, outline: Outline, people: Words) -> list[Sort]:
    return [Sort(key, words, run, key == selection.sort) for key, words, run in _orders(selection, outline, people)]


def _orders(selection: Selection, outline: Outline, people: Words) -> Iterator[tuple[str, str, str]]:
    one = "annotator" if people.are_synthetic else "human"
    yield "divergence", f"model–{one if outline.has_labels else 'reference'} disagreement", ""
    if outline.has_labels:
        yield ENTROPY, "label entropy", ""
        yield "people", f"disagreement among {people.many}", ""
    yield "position", "file order", ""
    run = outline.run(selection.run)
    if run is not None:
        has = outline.numbers[run.key]
        if has.shares and outline.has_labels:
            yield JENSEN_SHANNON, f"distance of {run.short} from labels", run.key
        if has.options:
            yield SURPRISAL, f"surprisal in {run.short}", run.key
        yield "strength", f"score of {run.short}", run.key
