"""The confusion matrix as a picture: rows are true labels, columns what a run gives, in shares of rows or of all."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from annotation.models.population import Words
from comparison.frame.filters.selection import WHOLE, Selection
from comparison.frame.panel import NamedRun
from comparison.pictures.charts import SAID, SLANT, Spec, drawn, room_for_slanted
from comparison.statistics.accuracy.confusion import Row
from comparison.statistics.estimate import percent

# In pixels: a row of cells, and the names at the left.
ROW, NAMES = 44, 120


def confusion_figure(rows: Sequence[Row], *, whole: bool, said: str, title: str) -> Spec | None:
    """`whole`: shares are of all decided items, and not of those of one true label. None where nothing is decided."""
    total = sum(row.total for row in rows)
    if not total:
        return None
    cells = [one for row in rows for one in _cells(row, total if whole else row.total)]
    values = [row.value for row in rows]
    base = alt.Chart(alt.InlineData(values=cells))
    slanted = alt.Axis(labelAngle=-SLANT, orient="top", labelLimit=NAMES, titlePadding=8)
    x = alt.X("given:N", sort=values, title="given by the run", axis=slanted)
    y = alt.Y("true:N", sort=values, title="true", axis=alt.Axis(labelLimit=NAMES - 20, minExtent=NAMES))
    highest = max(one["share"] for one in cells)
    opacity = alt.FillOpacity("share:Q", scale=alt.Scale(domain=[0, highest], range=[0, 0.42]), legend=None)
    looks: dict[str, Any] = {"fontSize": 12, "color": "var(--ink)", "aria": False}
    layers = [
        base.mark_rect(fill="var(--models)", stroke="var(--line)", strokeWidth=1).encode(
            x=x, y=y, fillOpacity=opacity, description=SAID
        ),
        base.mark_text(dy=-7, **looks).encode(x=x, y=y, text="percent:N"),
        base.mark_text(dy=9, **(looks | {"fontSize": 11, "color": "var(--muted)"})).encode(x=x, y=y, text="count:N"),
    ]
    head = alt.TitleParams(title, color="var(--muted)", fontSize=12, anchor="start", frame="group")
    room = room_for_slanted(values, limit=NAMES, beside=NAMES)
    return drawn(layers, said=said, height=ROW * len(values), title=head if title else alt.Undefined, **room)


def figure_of_confusion(rows: Sequence[Row], asked: Selection, run: NamedRun | None, people: Words) -> Spec | None:
    """As a page asks for it; None where no run is looked at."""
    if run is None:
        return None
    mark = f"Labels of {people.many}" if people.are_synthetic else ""
    return confusion_figure(rows, whole=asked.cells == WHOLE, said=f"What {run.title} gives", title=mark)


def _cells(row: Row, of: int) -> list[dict[str, Any]]:
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
