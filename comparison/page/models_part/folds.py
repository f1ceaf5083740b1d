"""The sections of the Models part below its leaderboard: each with its one-line answer, to be unfolded."""

from collections.abc import Iterator
from dataclasses import dataclass

from comparison.figures.models.alternative import ALTERNATIVE
from comparison.figures.models.answers import part_of_runs, spread
from comparison.figures.models.between_runs import BETWEEN_RUNS
from comparison.figures.models.biases import BIASES
from comparison.figures.models.run_figures import RUN_FIGURES
from comparison.page.models_part.with_ratings import ALL
from comparison.page.page import Page
from comparison.statistics.accuracy.confusion import Row
from comparison.statistics.estimate import counted

NOTHING_YET = "no run has answered yet"


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
    if page.with_ratings:
        over_all = [row.spearman for row in page.with_ratings.rows if row.key and row.condition == ALL]
        yield Fold(
            "with-ratings",
            "Correlations with human ratings",
            f"ρ with {page.with_ratings.rated} {spread(over_all, decimals=2)}",
        )
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
    name = page.run.title if page.run else ""
    answer = f"{name}: {_mistakes(page.confusion)}" if page.run else NOTHING_YET
    yield Fold("confusion", "Confusion matrix", answer)
    if page.ranks:
        rows = [row.context.accuracy for _, _, row in page.ranks.runs]
        answer = f"{page.ranks.first} above {page.ranks.others} {spread(rows)}"
        yield Fold("ranks", "Ranks in the slot", answer)


def _mistakes(rows: tuple[Row, ...]) -> str:
    """How many are right, and what is mistaken most often."""
    cells = [(row, cell) for row in rows for cell in row.cells]
    total = sum(cell.count for _, cell in cells)
    right = sum(cell.count for _, cell in cells if cell.right)
    wrong = max((pair for pair in cells if not pair[1].right), key=lambda pair: pair[1].count, default=None)
    if not total:
        return "no item to be right or wrong on"
    most = f"; most often “{wrong[1].value}” for “{wrong[0].value}”, {wrong[1].count:,}" if wrong else ""
    return f"{right:,} of {total:,} right{most if wrong and wrong[1].count else ''}"
