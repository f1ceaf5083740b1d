"""What the page of a study's making shows: each figure drawn, with its first rows and its files."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from annotation.models import Study
from comparison.frame.kept.remembered import remembered
from comparison.page.drawing.engine import DRAWING, Drawing, draw
from researcher.made.drawing import said, spec_of
from researcher.made.keeping import kept_figures
from stimuli.making.contract import Figure


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
        return [[said(cell) for cell in row] for row in self.figure.rows[: self.figure.shown]]

    @property
    def more(self) -> int:
        """Rows that only the file has."""
        return len(self.figure.rows) - len(self.rows)

    @property
    def is_drawn(self) -> bool:
        return self.figure.look is not None


@dataclass(frozen=True)
class MadePage:
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


def read_made_page(study: Study) -> MadePage:
    return MadePage([FigurePart(one) for one in kept_figures(study)])
