"""Two attributes at once, or an attribute and the runs: how often a run is right in each cell, as picture and table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import TypeAdapter

from comparison.figures.by_attribute.attribute import ByAttribute, columns
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.frame.filters.columns import TakenColumn
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import shaded
from comparison.pictures.vega_lite import LETTER, SLANT, Spec, drawn, field, layer, room_for_slanted
from comparison.statistics.accuracy.breakdown import Grid, grid, grid_of_runs
from comparison.statistics.counts import MISSING

# Of a picture: what fits a page, and a column of it a phone.
MOST_ROWS, MOST_COLUMNS = 40, 12
ROW, TITLE = 26, 120
FEW_COLUMNS = 4
# A plot of less width in pixels, such as on a phone, has no room for a whole name beside the names of rows.
NARROW_PLOT = 300


def grid_of(panel: Panel, column: TakenColumn, *, across: str, target: str, run: str, most: bool = True) -> Grid:
    """Of one run by two attributes; without a second one, of every run that names labels, a column each."""
    truth, limits = panel.true(target), (MOST_ROWS, MOST_COLUMNS) if most else (None, None)
    if across:
        return grid(
            column.of(panel),
            panel.attributes[across],
            panel.decided(run),
            truth,
            order=column.order,
            most=limits,
            sample=panel.sample,
        )
    decisive = [one for one in panel.runs if (one.decided != MISSING).any()]
    runs = decisive[: limits[1]]
    decided = {one.key: one.decided for one in runs}
    of_runs = grid_of_runs(column.of(panel), decided, truth, order=column.order, most=limits[0], sample=panel.sample)
    return replace(of_runs, columns=tuple(one.title for one in runs), left_out=len(decisive) - len(runs))


def distinct_names(names: Sequence[str], letters: int) -> tuple[str, ...]:
    """The names; where too few letters would leave several alike, what comes last in front, cut as far as it must be.

    >>> distinct_names(("MiniLM masked · pll", "MiniLM masked · cloze"), 8)
    ('pll · MiniLM masked', 'cloze · MiniLM masked')
    >>> distinct_names(("MiniLM masked · cloze (degrees)", "MiniLM masked · pll", "BERT masked · cloze (degrees)"), 12)
    ('cloze (… · MiniLM masked', 'pll · MiniLM masked', 'cloze (… · BERT masked')
    """
    if _differ(names, letters):
        return tuple(names)
    parts = [name.rpartition(" · ") for name in names]
    turned = tuple(f"{last} · {first}" if first else last for first, _, last in parts)
    for room in range(letters, 2, -1):
        shortened = tuple(f"{_cut(last, room)} · {first}" if first else last for first, _, last in parts)
        if _differ(shortened, letters):
            return turned if _differ(turned, letters) else shortened
    return turned


def _differ(names: Sequence[str], letters: int) -> bool:
    return len({name[:letters] for name in names}) == len(names)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def heatmap(heat_grid: Grid, *, description: str, title: str) -> Spec | None:
    """A cell a pair, with its accuracy in digits; empty where there is nothing to compare."""
    few = len(heat_grid.columns) <= FEW_COLUMNS
    columns = heat_grid.columns if few else distinct_names(heat_grid.columns, TITLE // LETTER)
    cells = [
        {
            "row": row,
            "column": column,
            "share": cell.accuracy.value,
            "text": cell.accuracy.number,
            "said": f"{row}, {name}: {cell.accuracy}",
        }
        for row, line in zip(heat_grid.rows, heat_grid.cells, strict=True)
        for name, column, cell in zip(heat_grid.columns, columns, line, strict=True)
        if cell.compared
    ]
    if not cells or len(heat_grid.rows) * len(heat_grid.columns) < 2:
        return None
    # Names of columns stand slanted, so that a phone has room for them; of few, the whole of a run's name on a desk.
    limit = 3 * TITLE if few else TITLE
    fitting = {"expr": f"width < {NARROW_PLOT} ? {min(limit, NARROW_PLOT // 2)} : {limit}"}
    slanted = {"labelAngle": -SLANT, "orient": "top", "labelLimit": fitting}
    x = field("column:N", sort=list(columns), title=None, axis=slanted)
    y = field("row:N", sort=list(heat_grid.rows), title=None, axis={"labelLimit": TITLE - 20, "minExtent": TITLE})
    layers = [
        shaded(cells, x, y, most=1),
        layer(cells, "text", {"fontSize": 11, "color": "var(--ink)", "aria": False}, x=x, y=y, text=field("text:N")),
    ]
    room = room_for_slanted(columns, limit=limit, beside=TITLE)
    return drawn(layers, description=description, height=ROW * len(heat_grid.rows), title=title, **room)


# --- The figure -------------------------------------------------------------------------------------


def _compute(chosen: Selected, taking: tuple[object, ...], against: str, across: str, run: str) -> Grid | None:
    if not against or not run or not chosen.selection.by:
        return None
    return grid_of(chosen.panel, chosen.selection.taken(chosen.whole), across=across, target=against, run=run)


def _rests_on(chosen: Selected) -> tuple[object, ...]:
    by, selection = ByAttribute(chosen), chosen.selection
    return selection.taking, by.against, selection.across, by.run_key


def _charts(chosen: Selected) -> dict[str, Chart]:
    heat_grid, title = HEATMAP.read(chosen), synthetic(chosen.study.people)
    if heat_grid is None:
        return {}
    drawn = heatmap(heat_grid, description=f"Accuracy by {chosen.selection.by}", title=title)
    return Chart.of("heatmap", drawn, _caption(chosen, heat_grid))


def _caption(chosen: Selected, heat_grid: Grid) -> str:
    by, across = ByAttribute(chosen), chosen.selection.across
    of = f"{by.run.title}, by {by.name} and {across}" if by.run and across else f"Every run, by {by.name}"
    if heat_grid.left_out:
        drawn = len(heat_grid.columns)
        of = f"The first {drawn} of {drawn + heat_grid.left_out} runs, by {by.name} (all are in the download)"
    return f"{of}: share of correct answers; darker is higher. The table has n and intervals."


def _lines(chosen: Selected) -> Iterator[Row]:
    """Accuracy of a run for each value of `by` and each of `across`; without `across`, of every run by `by`. Without
    `by`, that of every attribute.
    """
    selection = chosen.selection
    for name, column in columns(chosen, selection, chosen.outline.names):
        heat_grid = grid_of(
            chosen.panel, column, across=selection.across, target=selection.against, run=selection.run, most=False
        )
        for row, cells in heat_grid.lines:
            for across, hits in zip(heat_grid.columns, cells, strict=True):
                line = [name, row, selection.across or "run", across, selection.against, "accuracy"]
                yield [*line, *estimated(hits.accuracy, hits.correct)]


HEATMAP = Figure(
    key="heatmap",
    part="breakdown",
    title="Heat map",
    shape=TypeAdapter(Grid | None),
    rests_on=_rests_on,
    compute=_compute,
    charts=_charts,
    download=Download(
        says="accuracy by two attributes, or by attribute and run",
        line="accuracy for a value of `by` and one of `across`, or a run",
        columns=("by", "row", "across", "column", "against", "statistic", *CELLS),
        lines=_lines,
    ),
)
