"""The sections of the Models part below its leaderboard: each with its one-line answer, to be unfolded."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from comparison.figures.models.biases import BIASES
from comparison.page.models_part.between_runs import BetweenRuns
from comparison.page.models_part.run_figures import MCC, TOTAL_VARIATION, Column, Table
from comparison.page.models_part.with_ratings import ALL
from comparison.page.page import Page
from comparison.statistics.accuracy.confusion import Row
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.verdict.measure import RHO

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
            f"{way.classes} classes {_spread(line.hits[place].accuracy for line in runs or page.classes.lines)}"
            for place, way in enumerate(page.classes.ways)
        ]
        who = "" if runs else f"{page.study.people.many} alone: "
        yield Fold("classes", "With fewer classes", who + "; ".join(ways))
    if page.rated or "strength" in page.charts:
        found = [run.strength(page.chosen.strength_target) for run in page.rated]
        above = sum(one.low is not None and one.low > 0 for one in found)
        apart = f"the interval of each alone lies above 0 in {_of(above, len(found))}"
        told = f"ρ with {page.chosen.strength_words} {_spread(found)}; {apart}"
        yield Fold("strength", "Rank correlation of strengths", told)
    if page.with_ratings:
        over_all = [row.spearman for row in page.with_ratings.rows if row.key and row.condition == ALL]
        yield Fold(
            "with-ratings",
            "Correlations with human ratings",
            f"ρ with {page.with_ratings.rated} {_spread(over_all, decimals=2)}",
        )
    if page.cuts:
        yield Fold("cuts", "Where degrees begin", f"{_runs(len(page.cuts))} with degrees by cut points")


def _of_people(page: Page) -> Iterator[Fold]:
    """Runs beside all that people said."""
    if page.run_figures.measures or page.run_figures.distributions:
        yield Fold("run-figures", "Further figures by run", "; ".join(_further(page)))
    if page.alternatives:
        first = [run.scored[0].first for run in page.alternatives]
        answer = f"{_of(sum(one.passes for one in first), len(first))} may, at ε = {first[0].cost_words}"
        undefined = all(one.undefined for one in first)
        answer = f"cannot be said: {first[0].undefined}" if undefined else answer
        answer = _unsaid(page.selection.chosen_by_result) or answer
        yield Fold("alternative", "May this model take an annotator’s place?", answer)


def _further(page: Page) -> Iterator[str]:
    figures = page.run_figures
    if figures.measures:
        yield _beside_person(page, figures.measures, MCC)
    if figures.distributions:
        yield _beside_person(page, figures.distributions, TOTAL_VARIATION).lower()
    if page.curves:
        yield f"calibration error {_spread(curve.run.found.ece for curve in page.curves)}"


def _of_runs(page: Page) -> Iterator[Fold]:
    """Runs beside one another, and each by itself."""
    if page.between:
        told = "; ".join(_differences(page.between, one=page.study.people.one))
        told = f"by exact agreement, {told}" if told and page.measure == RHO else told
        told = _unsaid(page.selection.chosen_by_result) or told
        yield Fold("between-runs", "Do runs differ?", told)
    if answer := BIASES.answer(page.chosen):
        yield Fold(BIASES.key, BIASES.title, answer)
    if page.asking:
        steady = _spread(part.run.bias.steady for part in page.asking)
        yield Fold("asked", "Asking and measuring", f"the same answer in every order of the options {steady}")
    name = page.run.title if page.run else ""
    answer = f"{name}: {_mistakes(page.confusion)}" if page.run else NOTHING_YET
    yield Fold("confusion", "Confusion matrix", answer)
    if page.ranks:
        rows = [row.context.accuracy for _, _, row in page.ranks.runs]
        answer = f"{page.ranks.first} above {page.ranks.others} {_spread(rows)}"
        yield Fold("ranks", "Ranks in the slot", answer)


def _unsaid(by: str) -> str:
    """Why runs are not judged on items that were chosen by that; empty where they may be."""
    return f"not said: the items were chosen by {by}" if by else ""


def _spread(found: Iterable[Estimate], *, decimals: int | None = None) -> str:
    """With that many digits; without `decimals` with as many as each interval supports.

    >>> _spread([Estimate(-0.19, -0.49, 0.14, n=38), Estimate(0.65, 0.4, 0.8, n=38)], decimals=2)
    '−.19 to .65'
    >>> _spread([Estimate(0.4, n=20), Estimate.none("no label"), Estimate(0.75, n=20)])
    '.40 to .75'
    >>> _spread([Estimate(0.4, 0.2, 0.6, n=20)])
    '.40 [.20, .60]'
    >>> _spread([Estimate.none("no label")])
    'undefined: no label'
    """
    given = list(found)
    known = sorted((one for one in given if one.value is not None), key=lambda one: one.value or 0.0)
    if not known:
        return str(given[0]) if given else "undefined"
    if decimals is None:
        return known[0].short if len(known) == 1 else f"{known[0].number} to {known[-1].number}"
    ends = [plain(one.value or 0.0, decimals=decimals) for one in (known[0], known[-1])]
    return known[0].to(decimals) if len(known) == 1 else " to ".join(ends)


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count:,} runs"


def _of(count: int, every: int) -> str:
    """
    >>> _of(0, 3), _of(1, 1)
    ('0 of 3 runs', '1 of 1 run')
    """
    return f"{count:,} of {_runs(every)}"


def _beside_person(page: Page, table: Table, column: Column) -> str:
    """The runs' spread, and what one person reaches."""
    at = table.columns.index(column)
    models = _spread(line.estimates[at] for line in table.lines if line.family)
    person = next((line.estimates[at] for line in table.lines if not line.family and not line.is_half), None)
    beside = f"; one {page.study.people.one} {person.number}" if person is not None and person.value is not None else ""
    return f"{column.name} {models}{beside}"


def _differences(between: BetweenRuns, *, one: str) -> Iterator[str]:
    if between.pairs:
        yield f"McNemar with Holm: {len(between.apart):,} of {len(between.pairs):,} pairs differ"
    found = [beside.difference for _, beside in between.beside]
    if found:
        nearer = sum(each.low is not None and each.low > 0 for each in found)
        farther = sum(each.high is not None and each.high < 0 for each in found)
        yield f"beside one {one} {nearer:,} nearer and {farther:,} farther of {_runs(len(found))}"


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
