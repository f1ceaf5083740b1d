"""The sections of the Models part below its leaderboard: each with its one-line answer, to be unfolded."""

from collections.abc import Iterator
from dataclasses import dataclass

from comparison.figures.models.alternative import ALTERNATIVE
from comparison.figures.models.answers import part_of_runs, spread
from comparison.figures.models.between_runs import BETWEEN_RUNS
from comparison.figures.models.biases import BIASES
from comparison.figures.models.confusion import CONFUSION
from comparison.figures.models.ranks import RANKS
from comparison.figures.models.ratings import RATINGS
from comparison.figures.models.run_figures import RUN_FIGURES
from comparison.page.page import Page
from comparison.statistics.estimate import counted


@dataclass(frozen=True, slots=True)
class Fold:
    """`key` is its id, its word in the address, and the name of its template."""

    key: str
    title: str
    answer: str

    @property
    def template(self) -> str:
        return f"comparison/_{self.key.replace('-', '_')}.html"


def folds(page: Page) -> tuple[Fold, ...]:
    """Those that have something to show, in the order in which they are read."""
    return (*_of_labels(page), *_of_people(page), *_of_runs(page))


def _of_labels(page: Page) -> Iterator[Fold]:
    """What else accuracy is, and what strengths say."""
    if page.classes:
        runs = [line for line in page.classes.lines if line.family]
        ways = [
            f"{way.classes} classes {spread(line.hits[place].accuracy for line in runs or page.classes.lines)}"
            for place, way in enumerate(page.classes.ways)
        ]
        who = "" if runs else f"{page.study.people.many} alone: "
        yield Fold("classes", "With fewer classes", who + "; ".join(ways))
    if page.rated or "strength" in page.charts:
        found = [run.strength(page.chosen.strength_target) for run in page.rated]
        above = sum(one.low is not None and one.low > 0 for one in found)
        apart = f"the interval of each alone lies above 0 in {part_of_runs(above, len(found))}"
        told = f"ρ with {page.chosen.strength_words} {spread(found)}; {apart}"
        yield Fold("strength", "Rank correlation of strengths", told)
    if answer := RATINGS.answer(page.chosen):
        yield Fold(RATINGS.key, RATINGS.title, answer)
    if page.cuts:
        yield Fold("cuts", "Where degrees begin", f"{counted(len(page.cuts), 'run')} with degrees by cut points")


def _of_people(page: Page) -> Iterator[Fold]:
    """Runs beside all that people said."""
    if answer := RUN_FIGURES.answer(page.chosen):
        yield Fold(RUN_FIGURES.key, RUN_FIGURES.title, answer)
    if answer := ALTERNATIVE.answer(page.chosen):
        yield Fold(ALTERNATIVE.key, ALTERNATIVE.title, answer)


def _of_runs(page: Page) -> Iterator[Fold]:
    """Runs beside one another, and each by itself."""
    if answer := BETWEEN_RUNS.answer(page.chosen):
        yield Fold(BETWEEN_RUNS.key, BETWEEN_RUNS.title, answer)
    if answer := BIASES.answer(page.chosen):
        yield Fold(BIASES.key, BIASES.title, answer)
    if page.asking:
        steady = spread(part.run.bias.steady for part in page.asking)
        yield Fold("asked", "Asking and measuring", f"the same answer in every order of the options {steady}")
    for figure in (CONFUSION, RANKS):
        if answer := figure.answer(page.chosen):
            yield Fold(figure.key, figure.title, answer)
