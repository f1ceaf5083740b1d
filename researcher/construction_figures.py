"""What a construction found out while it made a study: kept with the study, drawn, shown, and given away as files.

To add a figure: a construction yields one more (stimuli/making/contract.py); to add a way to draw one: a Form there,
its line in LOOKS here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from pathlib import Path

from annotation.models import Study
from comparison.exports.cells import lines
from comparison.frame.cache.remembered import remembered
from comparison.pictures.engine import DRAWING, Drawing, draw
from comparison.pictures.vega_lite import SAID, Spec, drawn, field, layer
from corpus.errors import counted
from researcher.models import MadeFigure
from stimuli.making.contract import BuiltStudy, Cell, Figure, Form, Look, figure_of

CSV = "csv"
FIELDS = tuple(one.name for one in fields(Figure))
# In pixels.
PLANE_HEIGHT, CURVE_HEIGHT = 480, 260
# None of who speaks: neither people's color nor models'.
COLORS = ("var(--accent)", "var(--degree-1)", "var(--muted)", "var(--good)", "var(--ink)")
SHAPES = ("circle", "triangle-up", "cross", "square", "diamond")
APART = 10


def spec_of(figure: Figure) -> Spec | None:
    """None for a table alone. ValueError for more kinds of points than can be told apart."""
    return None if figure.look is None else LOOKS[figure.look.form](figure, figure.look)


def _points(figure: Figure, look: Look) -> Spec:
    rows = _records(figure, {"x": look.x, "y": look.y, "kind": look.kind, "name": look.name})
    kinds = list(dict.fromkeys(str(row["kind"]) for row in rows))
    if len(kinds) > len(COLORS):
        raise ValueError(f"{figure.name}: {len(kinds)} kinds of points are too many colors.")
    x, y = (field(f"{name}:Q", axis=None, scale={"zero": False}) for name in "xy")
    legend = {"title": None, "orient": "top", "labelColor": "var(--muted)", "labelFontSize": 12, "labelLimit": 0}
    color, shape = (
        field("kind:N", scale={"domain": kinds, "range": list(range_[: len(kinds)])}, legend=legend)
        for range_ in (COLORS, SHAPES)
    )
    # Said one by one they would be a thousand words to hear; the table has them.
    point = {"filled": True, "size": 22, "opacity": 0.7, "aria": False}
    named, text = rows[: look.named], {"dy": -8, "fontSize": 11, "aria": False}
    inks = ({"stroke": "var(--paper)", "strokeWidth": 3, "strokeJoin": "round"}, {"color": "var(--ink)"})
    layers = [
        layer(rows, "point", point, x=x, y=y, color=color, shape=shape),
        *(layer(named, "text", text | ink, x=x, y=y, text=field("name:N")) for ink in inks),
    ]
    return drawn(layers, description=f"{figure.title}: {len(rows)} points", height=PLANE_HEIGHT)


def _curve(figure: Figure, look: Look) -> Spec:
    rows = _records(figure, {"x": look.x, "y": look.y, "marked": look.marked})
    x_title, y_title = (look.titles.get(name, name) for name in (look.x, look.y))
    for row in rows:
        row["said"] = (
            f"{x_title} {cell_text(row['x'])}: {y_title} {cell_text(row['y'])}{', chosen' * bool(row['marked'])}"
        )
    x = field("x:Q", title=x_title)
    y = field("y:Q", title=y_title, scale={"zero": False}, axis={"titlePadding": APART, "tickCount": 5})
    color, ink = {"color": "var(--accent)"}, {"color": "var(--ink)", "aria": False}
    marked = [row for row in rows if row["marked"]]
    layers = [
        layer(rows, "line", color | {"strokeWidth": 2, "aria": False}, x=x, y=y),
        layer(rows, "point", color | {"filled": True, "size": 60, "opacity": 1}, x=x, y=y, description=SAID),
        layer(marked, "point", ink | {"size": 260, "strokeWidth": 2, "opacity": 1}, x=x, y=y),
        layer(marked, "text", ink | {"dy": -20, "fontSize": 12, "text": "chosen"}, x=x, y=y),
    ]
    return drawn(layers, description=figure.title, height=CURVE_HEIGHT)


def cell_text(cell: Cell) -> str:
    """A cell as a page has it."""
    match cell:
        case None:
            return ""
        case bool():
            return "yes" if cell else ""
        case int():
            return f"{cell:,}"
        case float():
            return f"{cell:,.0f}" if abs(cell) >= 1_000 else f"{cell:.4g}"
    return cell


def _records(figure: Figure, wanted: dict[str, str]) -> list[dict[str, Cell]]:
    """The cells of the named columns, row by row; of a column that is not asked for, nothing."""
    places = {role: figure.columns.index(column) for role, column in wanted.items() if column}
    return [{role: row[places[role]] if role in places else "" for role in wanted} for row in figure.rows]


LOOKS: dict[Form, Callable[[Figure, Look], Spec]] = {Form.POINTS: _points, Form.CURVE: _curve}


def keep_figures(study: Study, figures: Sequence[Figure]) -> None:
    """In place of those that there were: they are of what was made before. In the caller's transaction."""
    study.made_figures.all().delete()
    MadeFigure.objects.bulk_create(
        MadeFigure(study=study, position=position, **asdict(one)) for position, one in enumerate(figures)
    )


def figures_of_build(study: Study) -> list[Figure]:
    return [_read(row) for row in study.made_figures.all()]


def figure_of_build(study: Study, name: str) -> Figure:
    """MadeFigure.DoesNotExist for a name that is none of the study's."""
    return _read(study.made_figures.get(name=name))


def _read(row: MadeFigure) -> Figure:
    return figure_of({name: getattr(row, name) for name in FIELDS})


def rows_of(figure: Figure) -> Iterator[Sequence[Cell]]:
    """Its heading first."""
    yield figure.columns
    yield from figure.rows


def write_figures(folder: Path, studies: Sequence[BuiltStudy]) -> Iterator[str]:
    """Every figure of what was made, as CSV and, where it is drawn, as SVG; what was written, as lines to read."""
    folder.mkdir(parents=True, exist_ok=True)
    several = sum(bool(study.figures) for study in studies) > 1
    for study in studies:
        for figure in study.figures:
            name = f"{study.slug}-{figure.name}" if several else figure.name
            (folder / f"{name}.csv").write_text("".join(lines(rows_of(figure))), encoding="utf-8", newline="")
            yield f"{folder / name}.csv: {figure.title}, {counted(len(figure.rows), 'row')}"
            if (spec := spec_of(figure)) is not None:
                # Here and not above: the engine that draws starts with its import.
                from comparison.bundle.figures import svg

                (folder / f"{name}.svg").write_text(svg(spec, note=figure.said), encoding="utf-8")
                yield f"{folder / name}.svg: the same, drawn"
    if not any(study.figures for study in studies):
        yield "no figures: this construction computes none"


@dataclass(frozen=True)
class FigurePart:
    """One figure on the page."""

    figure: Figure

    @property
    def name(self) -> str:
        return self.figure.name

    @property
    def rows(self) -> list[list[str]]:
        """The first of them as a page has them."""
        return [[cell_text(cell) for cell in row] for row in self.figure.rows[: self.figure.shown]]

    @property
    def more(self) -> int:
        """Rows that only the file has."""
        return len(self.figure.rows) - len(self.rows)

    @property
    def is_drawn(self) -> bool:
        return self.figure.look is not None


@dataclass(frozen=True)
class BuildFiguresPage:
    parts: Sequence[FigurePart]

    @cached_property
    def drawings(self) -> dict[str, Drawing]:
        """Drawn once, and remembered."""
        specs = {one.name: spec_of(one.figure) for one in self.parts}
        return {
            name: remembered(DRAWING, ["drawing", spec], partial(draw, spec))
            for name, spec in specs.items()
            if spec is not None
        }


def read_made_page(study: Study) -> BuildFiguresPage:
    return BuildFiguresPage([FigurePart(one) for one in figures_of_build(study)])
