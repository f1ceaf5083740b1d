"""A figure of a construction as files: its rows as CSV, its drawing as SVG, PDF and PNG."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from comparison.exports.cells import lines
from researcher.made.drawing import spec_of
from stimuli.making.contract import Cell, Figure, MadeStudy

CSV = "csv"


def rows_of(figure: Figure) -> Iterator[Sequence[Cell]]:
    """Its heading first."""
    yield figure.columns
    yield from figure.rows


def write_figures(folder: Path, studies: Sequence[MadeStudy]) -> Iterator[str]:
    """Every figure of what was made, as CSV and, where it is drawn, as SVG; what was written, as lines to read."""
    folder.mkdir(parents=True, exist_ok=True)
    several = sum(bool(study.figures) for study in studies) > 1
    for study in studies:
        for figure in study.figures:
            name = f"{study.slug}-{figure.name}" if several else figure.name
            (folder / f"{name}.csv").write_text("".join(lines(rows_of(figure))), encoding="utf-8", newline="")
            yield f"{folder / name}.csv: {figure.title}, {len(figure.rows):,} rows"
            if (spec := spec_of(figure)) is not None:
                # Here and not above: the engine that draws starts with its import.
                from comparison.bundle.figures import svg

                (folder / f"{name}.svg").write_text(svg(spec, said=figure.said), encoding="utf-8")
                yield f"{folder / name}.svg: the same, drawn"
    if not any(study.figures for study in studies):
        yield "no figures: this construction finds out none"
