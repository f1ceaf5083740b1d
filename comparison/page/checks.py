"""Figures under one line that answers their title: the checks of Results › Models, each with a page of its own, and
what stands folded at the end of another part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from comparison.figures.figure import Figure, State, no_answer
from comparison.figures.findings import FINDINGS
from comparison.figures.models.classes import ways
from comparison.figures.models.prompted import is_prompted
from comparison.figures.models.strengths import CUTS
from comparison.figures.registry import checks
from comparison.frame.selected import Selected


@dataclass(frozen=True, slots=True)
class About:
    """The line under a check's title, and what a study needs for it, as a question to its outline and findings."""

    asks: str
    needs: str
    may_show: Callable[[Selected], bool]


def _with_labels(chosen: Selected) -> bool:
    return bool(chosen.outline.deciding)


def _with_probabilities(chosen: Selected) -> bool:
    return any(one.shares for one in chosen.outline.numbers.values())


def _in_pairs(chosen: Selected) -> bool:
    deciding = len(chosen.outline.deciding)
    return deciding > 1 or (deciding == 1 and chosen.outline.has_labels)


def _of_classes(chosen: Selected) -> bool:
    has_several = len(ways(chosen.study.task.scale)) > 1 and not chosen.selection.coarse
    return has_several and (_with_labels(chosen) or chosen.outline.has_labels)


def _rated(chosen: Selected) -> bool:
    return any(run.is_rated for run in FINDINGS.read(chosen).runs)


ABOUT = {
    "biases": About(
        "Does a run favor a label, long or short texts, or an option’s position?",
        "It needs a run.",
        lambda chosen: bool(chosen.outline.runs),
    ),
    "between-runs": About(
        "Is one run right more often than another on the same items?",
        "It needs two runs that give labels, or one and labeled items.",
        _in_pairs,
    ),
    "calibration": About(
        "Is a model right as often as its probabilities say?",
        "It needs a run that gives a probability for each label.",
        _with_probabilities,
    ),
    "classes": About(
        "How do runs compare when labels are merged or left out?",
        "It needs a scale whose labels can be merged or left out, and a run that gives labels itself.",
        _of_classes,
    ),
    "alternative": About(
        "The alternative annotator test (Calderon, Reichart & Dror 2025).",
        "It needs labeled items and a run that gives labels.",
        lambda chosen: chosen.outline.has_labels and _with_labels(chosen),
    ),
    "strength": About(
        "Do items with higher scores have higher labels?", "It needs a run with scores, and labels that differ.", _rated
    ),
    "with-ratings": About(
        "Three correlations, over all items and by condition.",
        "It needs a run with scores, and ratings or labels that differ.",
        _rated,
    ),
    "cuts": About(
        "At which score does each label begin?",
        "It needs a run that gives scores and no labels.",
        lambda chosen: CUTS.read(chosen) > 0,
    ),
    "run-figures": About(
        "Measures for skewed labels, and distances between label distributions.",
        "It needs a run that gives labels or probabilities.",
        lambda chosen: _with_labels(chosen) or _with_probabilities(chosen),
    ),
    "asked": About(
        "Does a model give the same label when prompted and when scored?",
        "It needs a run of a prompted model.",
        lambda chosen: any(map(is_prompted, chosen.outline.runs)),
    ),
    "ranks": About(
        "Where does the target word stand in the model’s vocabulary?",
        "It needs a run that ranks the words of the slot.",
        lambda chosen: bool(chosen.outline.ranking),
    ),
}

# Of a figure that says nothing of itself: it is asked.
NOT_SAID = About("", "", lambda chosen: True)


def about(key: str) -> About:
    return ABOUT.get(key, NOT_SAID)


def listed(chosen: Selected) -> tuple[str, ...]:
    """The keys of the checks that the rail names: those whose needs are met, none of which is computed for it."""
    return tuple(figure.key for figure in checks() if about(figure.key).may_show(chosen))


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
        """Its first sentence, without what follows a semicolon or stands in parentheses at the end; of a state, why."""
        first, *rest = self.says.partition(". ")[0].removesuffix(".").split("; ")
        if rest and self.state is not None and first == self.state.word:
            # Reasons begin small, behind the word.
            first = f"{rest[0][:1].upper()}{rest[0][1:]}"
        return first.partition(" (")[0] if first.endswith(")") else first

    @property
    def tells(self) -> bool:
        """Whether its first sentence says more than the word of its state."""
        return bool(self.says) and (self.state is None or self.brief != self.state.word)

    @property
    def asks(self) -> str:
        return about(self.key).asks

    @property
    def templates(self) -> tuple[str, str]:
        """The first that there is: its own, or its pictures and tables."""
        return f"comparison/_{self.key.replace('-', '_')}.html", "comparison/_of_figure.html"


def read_check(figure: Figure[Any], chosen: Selected) -> Check | None:
    """None where there is nothing to show: no answer, or, for a figure that never answers, no picture and no table."""
    says = figure.answer(chosen)
    if says is None and (figure.answer is not no_answer or not _has(figure, chosen)):
        return None
    return Check(figure, says or "", figure.state(chosen))


def read_checks(chosen: Selected) -> tuple[Check, ...]:
    candidates = (read_check(figure, chosen) for figure in checks() if about(figure.key).may_show(chosen))
    return tuple(check for check in candidates if check is not None)


def _has(figure: Figure[Any], chosen: Selected) -> bool:
    return bool(figure.charts(chosen)) or any(True for _ in figure.tables(chosen))
