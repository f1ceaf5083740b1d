"""Which label a run gives where another is true, and two runs on the same items."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter

from comparison.figures.figure import Chart, Figure
from comparison.figures.file import Download, Row
from comparison.figures.table import COUNTS, Table
from comparison.frame.filters.selection import WHOLE
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.pictures.charts import shaded
from comparison.pictures.vega_lite import SLANT, Spec, drawn, field, layer, room_for_slanted
from comparison.statistics.accuracy.confusion import ConfusionRow, cell_shares, confusion
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import percent

COLUMNS = (
    "run", "against", "label", "decision", "decided_by", "count", "share_of_row", "row_low", "row_high", "row_n",
    "share_of_all", "all_low", "all_high", "all_n", "undefined", "note",
)  # fmt: skip
# From the share of the row to that of all items: of lines that have none.
NO_SHARES = [None] * 8
NO_MAJORITY, NO_REFERENCE = "no item has a majority label", "no item has a reference"
UNDECIDED = "undecided items are left out of shares"
NOTHING_YET = "no run has answered yet"
# In pixels: a row of cells, and the names at the left.
HEIGHT, NAMES = 44, 120


def confusion_figure(rows: Sequence[ConfusionRow], *, whole: bool, description: str, title: str) -> Spec | None:
    """`whole`: shares are of all decided items, and not of those of one true label. None where nothing is decided."""
    total = sum(row.total for row in rows)
    if not total:
        return None
    cells = [one for row in rows for one in _cells(row, total if whole else row.total)]
    values = [row.value for row in rows]
    slanted = {"labelAngle": -SLANT, "orient": "top", "labelLimit": NAMES, "titlePadding": 8}
    x = field("given:N", sort=values, title="answer of the run", axis=slanted)
    y = field("true:N", sort=values, title="true", axis={"labelLimit": NAMES - 20, "minExtent": NAMES})
    share = {"dy": -7, "fontSize": 12, "color": "var(--ink)", "aria": False}
    count = {"dy": 9, "fontSize": 11, "color": "var(--muted)", "aria": False}
    layers = [
        shaded(cells, x, y, most=max(one["share"] for one in cells)),
        layer(cells, "text", share, x=x, y=y, text=field("percent:N")),
        layer(cells, "text", count, x=x, y=y, text=field("count:N")),
    ]
    room = room_for_slanted(values, limit=NAMES, beside=NAMES)
    return drawn(layers, description=description, height=HEIGHT * len(values), title=title, **room)


def _charts(chosen: Selected) -> dict[str, Chart]:
    run, people = chosen.outline.run(chosen.selection.run), chosen.study.people
    if run is None:
        return {}
    title = f"Labels of {people.many}" if people.are_synthetic else ""
    whole = chosen.selection.cells == WHOLE
    spec = confusion_figure(CONFUSION.read(chosen), whole=whole, description=f"Answers of {run.title}", title=title)
    share = "the whole" if whole else "the row"
    caption = f"(columns) by {chosen.target_words} (rows): share of {share}, and count."
    return Chart.of("confusion", spec, f"Answers of {run.title} {caption}")


def _cells(row: ConfusionRow, of: int) -> list[dict[str, Any]]:
    """A row without items has no shares, and so no cells."""
    return [
        {
            "true": row.value,
            "given": cell.value,
            "share": cell.count / of,
            "percent": percent(cell.count / of),
            "count": f"{cell.count:,}",
            "said": f"{row.value}, given {cell.value}: {percent(cell.count / of)}, {cell.count:,} of {of:,}",
        }
        for cell in row.cells
        if of
    ]


def _compute(chosen: Selected, run: str, against: str) -> tuple[ConfusionRow, ...]:
    """Empty where no run is looked at."""
    if not run:
        return ()
    panel = chosen.panel
    return confusion(panel.decided(run), panel.true(against), [panel.words[value] for value in panel.values])


def _answer(chosen: Selected) -> str:
    run = chosen.outline.run(chosen.selection.run)
    return f"{run.title}: {_mistakes(CONFUSION.read(chosen))}" if run else NOTHING_YET


def _mistakes(rows: tuple[ConfusionRow, ...]) -> str:
    """How many are right, and what is mistaken most often."""
    cells = [(row, cell) for row in rows for cell in row.cells]
    total = sum(cell.count for _, cell in cells)
    right = sum(cell.count for _, cell in cells if cell.right)
    wrong = max((pair for pair in cells if not pair[1].right), key=lambda pair: pair[1].count, default=None)
    if not total:
        return "no item to compare with"
    most = f"; most often “{wrong[1].value}” for “{wrong[0].value}”, {wrong[1].count:,}" if wrong else ""
    return f"{right:,} of {total:,} right{most if wrong and wrong[1].count else ''}"


def _tables(chosen: Selected) -> Iterator[Table]:
    run, rows = chosen.outline.run(chosen.selection.run), CONFUSION.read(chosen)
    if run is not None and rows:
        yield Table(
            name="confusion",
            title=f"Answers of {run.title}, by {chosen.target_words}",
            columns=("True", *(cell.value for cell in rows[0].cells), "n", "Undecided"),
            rows=tuple((row.value, *(cell.count for cell in row.cells), row.total, row.undecided) for row in rows),
            rests_on=f"n = {sum(row.total for row in rows):,} answered items",
            method=COUNTS,
            is_sortable=False,
        )


def _lines(chosen: Selected) -> Iterator[Row]:
    """Of the run that is named, or of all. A decision of nothing counts the items that the run left undecided.

    Against what no item has there is no matrix, but one line that says so.
    """
    panel = chosen.rows
    sides = (
        ("majority", panel.majority, panel.no_majority or NO_MAJORITY),
        ("reference", panel.truth, NO_REFERENCE),
    )
    for run in panel.runs:
        if chosen.asked.run not in ("", run.key):
            continue
        by = "cut points" if run.is_cut else "run"
        for target, truth, reason in sides:
            if (truth == MISSING).all():
                yield [run.name, target, None, None, by, None, *NO_SHARES, reason, ""]
                continue
            yield from ([run.name, target, *cells] for cells in _lines_of_run(run, truth, by, panel))


def _lines_of_run(run: RunColumn, truth: Ints, by: str, panel: Panel) -> Iterator[Row]:
    """From the label on."""
    for true, row in enumerate(confusion(run.decided, truth, panel.values)):
        for answered, one in enumerate(row.cells):
            of_row, of_all = cell_shares(run.decided, truth, true=true, given=answered, sample=panel.sample)
            shares = (cell for share in (of_row, of_all) for cell in (share.value, share.low, share.high, share.n))
            yield [row.value, one.value, by, one.count, *shares, of_row.undefined, of_row.remarks]
        yield [row.value, None, by, row.undecided, *NO_SHARES, "", UNDECIDED]


CONFUSION = Figure(
    key="confusion",
    part="models",
    title="Confusion matrix",
    shape=TypeAdapter(tuple[ConfusionRow, ...]),
    rests_on=lambda chosen: (chosen.selection.run, chosen.selection.against),
    compute=_compute,
    answer=_answer,
    tables=_tables,
    charts=_charts,
    download=Download(
        title="Confusion",
        says="which labels each run gives for each true label",
        line="a cell of a run's matrix",
        columns=COLUMNS,
        lines=_lines,
        of_rows=True,
    ),
)
