"""Figures under one line that answers their title: the checks of Results › Models, each with a page of its own, and
what stands folded at the end of another part.
"""

from dataclasses import dataclass
from typing import Any

from comparison.figures.figure import Figure, State, no_answer
from comparison.figures.registry import checks
from comparison.frame.selected import Selected

# What stands under the title of each.
ASKS = {
    "biases": "Does a run favor a label, long or short texts, or an option’s position?",
    "between-runs": "Is one run right more often than another on the same items?",
    "calibration": "Is a model right as often as its probabilities say?",
    "classes": "How do runs compare when labels are merged or left out?",
    "alternative": "The alternative annotator test (Calderon, Reichart & Dror 2025).",
    "strength": "Do items with higher scores have higher labels?",
    "with-ratings": "Three correlations, over all items and by condition.",
    "cuts": "At which score does each label begin?",
    "run-figures": "Measures for skewed labels, and distances between label distributions.",
    "asked": "Does a model give the same label when prompted and when scored?",
    "ranks": "Where does the target word stand in the model’s vocabulary?",
}


@dataclass(frozen=True, slots=True)
class Check:
    """`says` answers the title; it is empty of a figure that never gives an answer."""

    figure: Figure[Any]
    says: str
    state: State | None

    @property
    def key(self) -> str:
        return self.figure.key

    @property
    def title(self) -> str:
        return self.figure.title

    @property
    def brief(self) -> str:
        """Its first sentence, without what follows a semicolon or stands in parentheses at the end."""
        first = self.says.partition(". ")[0].partition("; ")[0].removesuffix(".")
        return first.partition(" (")[0] if first.endswith(")") else first

    @property
    def asks(self) -> str:
        return ASKS.get(self.key, "")

    @property
    def templates(self) -> tuple[str, str]:
        """The first that there is: its own, or its pictures and tables."""
        return f"comparison/_{self.key.replace('-', '_')}.html", "comparison/_of_figure.html"


def read_check(figure: Figure[Any], chosen: Selected) -> Check | None:
    """None where there is nothing to show: no answer or, of a figure that never gives one, no picture and no table."""
    says = figure.answer(chosen)
    if says is None and (figure.answer is not no_answer or not _has(figure, chosen)):
        return None
    return Check(figure, says or "", figure.state(chosen))


def read_checks(chosen: Selected) -> tuple[Check, ...]:
    return tuple(check for figure in checks() if (check := read_check(figure, chosen)) is not None)


def _has(figure: Figure[Any], chosen: Selected) -> bool:
    return bool(figure.charts(chosen)) or any(True for _ in figure.tables(chosen))
