"""One leaderboard over all studies: what each run reached by the study's own measure, as its verdict has it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.models import Study
from annotation.models.study import Measure
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.parts import Placed, Runs
from researcher.studies.list import StudyLine
from scoring.models import Run

COMPUTING = "being computed"
UNORDERED = "its labels have no order"
OWN_ONLY = "large study: only its own measure"


@dataclass(frozen=True, slots=True)
class Cell:
    """What a model reached in one study, or `why` there is no figure; `run` is None where there is none."""

    placed: Placed | None
    why: str
    run: Run | None
    is_nearest: bool = False


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One model by one metric, over the studies."""

    name: str
    is_baseline: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One study by `measure`, under a `title` that no other here has.

    Its `standing` is None while it is being computed for the first time.
    """

    line: StudyLine
    measure: str
    title: str

    @property
    def study(self) -> Study:
        return self.line.study

    @property
    def measure_words(self) -> str:
        return Measure(self.measure).label

    @property
    def runs(self) -> Runs | None:
        """Who was compared there by this measure."""
        return self.line.standing.verdict.runs if self.line.standing and not self.why else None

    @property
    def why(self) -> str:
        """Why there is no figure by this measure; empty where there is, or will be."""
        if self.measure != Measure.ACCURACY and not self.study.task.scale.ordered:
            return UNORDERED
        found = self.line.standing
        return OWN_ONLY if found and found.verdict.measure != self.measure else ""

    @property
    def chance(self) -> str:
        """As a figure; empty where nothing is compared."""
        found = self.runs
        return Estimate(found.chance, n=found.items).number if found and found.placed else ""

    @property
    def person(self) -> Estimate | None:
        found = self.runs
        return found.person if found and found.placed else None


@dataclass(frozen=True, slots=True)
class Board:
    """`measure` is what a reader has chosen for all of them; empty for each study's own."""

    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    measure: str = ""

    @property
    def studies(self) -> list[Study]:
        return [column.study for column in self.columns]

    @property
    def titles(self) -> dict[str, str]:
        """Of its studies, by slug."""
        return {column.study.slug: column.title for column in self.columns}

    @property
    def measures(self) -> list[Measure]:
        """What a reader can choose: measures that are defined for a study here."""
        ordered = any(study.task.scale.ordered for study in self.studies)
        return [one for one in Measure if ordered or one == Measure.ACCURACY]


def board(lines: Iterable[StudyLine], runs: Sequence[Run], *, measure: str = "") -> Board:
    """Studies that have runs, by one measure or each by its own; models by name, then baselines."""
    by_study: dict[int, dict[str, Run]] = {}
    for run in runs:
        by_study.setdefault(run.study_id, {})[str(run)] = run
    shown = [line for line in lines if line.study.pk in by_study]
    titles = titles_of(line.study for line in shown)
    columns = tuple(Column(line, measure or line.study.measure, titles[line.study.slug]) for line in shown)
    names = sorted({(run.model.is_baseline, str(run)) for run in runs})
    rows = tuple(
        BoardRow(name, is_baseline, tuple(_cell(column, by_study[column.study.pk].get(name)) for column in columns))
        for is_baseline, name in names
    )
    return Board(columns, rows, measure)


def _cell(column: Column, run: Run | None) -> Cell:
    if run is None:
        return Cell(None, "not run", None)
    found = column.runs
    if found is None:
        return Cell(None, column.why or COMPUTING, run)
    placed = next((one for one in found.placed if one.run == run.pk), None)
    if placed is None:
        return Cell(None, _why(found, run), run)
    return Cell(placed, "", run, is_nearest=placed in found.nearest)


def _why(found: Runs, run: Run) -> str:
    """Why a run has no place, in the words of the verdict."""
    outside = next((one.reason for one in found.outside if one.run == run.pk), "")
    return outside or (run.state if run.state != Run.State.FINISHED else "nothing to compare with")


def titles_of(studies: Iterable[Study]) -> dict[str, str]:
    """By slug: the title, with the slug behind it where another of these studies has the same title."""
    every = list(studies)
    found = Counter(study.title for study in every)
    return {study.slug: f"{study.title} ({study.slug})" if found[study.title] > 1 else study.title for study in every}
