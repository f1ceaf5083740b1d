"""One leaderboard over all studies: what each run reached by the study's own measure, as its verdict has it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from annotation.models import Study
from annotation.models.study import Measure
from comparison.page.drawn.axis import Axis, Mark
from comparison.statistics.estimate import Estimate
from comparison.statistics.mean_ranks import MeanRank, MeanRanks, mean_ranks
from comparison.statistics.verdict.parts import Placed, Runs
from researcher.studies.list import StudyLine
from scoring.models import Run
from scoring.short_names import short_name

COMPUTING = "computing…"
NOT_RUN = "not run"
UNORDERED = "its labels have no order"
OWN_ONLY = "large study: only its own measure"


@dataclass(frozen=True, slots=True)
class Cell:
    """What a model reached in one study, or `why` there is no figure; `rank` is its place in the averaged block."""

    placed: Placed | None
    why: str
    run: Run | None
    is_nearest: bool = False
    rank: float | None = None
    study: str = ""

    @property
    def is_empty(self) -> bool:
        """Nothing is compared here, nothing is about to be, and nothing is by another measure."""
        return self.placed is None and self.why not in (COMPUTING, OWN_ONLY)

    @property
    def rank_words(self) -> str:
        """
        >>> Cell(None, "", None, rank=2.5).rank_words, Cell(None, "", None, rank=2.0).rank_words
        ('2.5', '2')
        """
        return "" if self.rank is None else f"{self.rank:g}"


@dataclass(frozen=True, slots=True)
class Tick:
    """Where a model's rank in one study is drawn."""

    at: str
    said: str


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One model by one metric, over the studies. `why_not` says why it has no mean rank; `mark` is where that is drawn,
    with a tick for its rank in each study.
    """

    name: str
    short: str
    metric: str
    is_baseline: bool
    cells: tuple[Cell, ...]
    ranked: MeanRank | None = None
    why_not: str = ""
    mark: Mark | None = None
    ticks: tuple[Tick, ...] = ()

    @property
    def is_empty(self) -> bool:
        return all(cell.is_empty for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Column:
    """One study by `measure`, with a `title` of its own; `standing` is None while it is computed for the first time."""

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
    def sorts(self) -> str:
        """Which way its figures go from the nearest model on."""
        return "ascending" if self.measure == Measure.DISTANCE else "descending"

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
    """`measure` is what a reader has chosen for all of them; empty for each study's own. `hidden` are rows that are
    compared nowhere, which are left out. `ranks` is None where no two models share two studies; `sort` is the study
    that rows are sorted by, empty where they go by mean rank.
    """

    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    measure: str = ""
    ranks: MeanRanks | None = None
    sort: str = ""
    hidden: int = 0

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

    @property
    def models(self) -> int:
        """How many are ranked."""
        return len(self.ranks.of) if self.ranks else 0

    @property
    def sentence(self) -> str:
        """Whether an order is shown."""
        found = self.ranks
        if found is None:
            return "No two models were compared in the same two studies, so there is no mean rank."
        first, studies = found.first, len(found.studies)
        if not found.shows_order:
            takes = f"with {self.models} models that takes at least {found.needed} studies"
            return f"No model is shown to rank before another{f'; {takes}' if studies < found.needed else ''}."
        if len(first) == 1:
            name = next(row.short for row in self.rows if row.ranked and row.ranked.is_first)
            return f"{name} ranks before every other model over {studies} studies."
        return f"{len(first)} of {self.models} models are tied first over {studies} studies."

    @property
    def has_cut(self) -> bool:
        return any(cell.placed and cell.placed.how for row in self.rows for cell in row.cells)

    @property
    def has_synthetic(self) -> bool:
        return any(study.people.are_synthetic for study in self.studies)


def board(
    lines: Iterable[StudyLine], runs: Sequence[Run], *, measure: str = "", sort: str = "", everything: bool = False
) -> Board:
    """Studies that have runs, by one measure or each by its own.

    Models by mean rank, then by name, then baselines; or by what they reach in the study that `sort` names. Rows that
    are compared nowhere are hidden unless `everything` is asked for.
    """
    by_study: dict[int, dict[str, Run]] = {}
    for run in runs:
        by_study.setdefault(run.study_id, {})[_key(run)] = run
    shown = [line for line in lines if line.study.pk in by_study]
    titles = titles_of(line.study for line in shown)
    columns = tuple(Column(line, measure or line.study.measure, titles[line.study.slug]) for line in shown)
    own = [by_study[column.study.pk] for column in columns]
    ranks = mean_ranks(
        {column.study.slug: dict(_nearness(column, found)) for column, found in zip(columns, own, strict=True)}
    )
    rows = [
        _row(run, short, [(column, found.get(_key(run))) for column, found in zip(columns, own, strict=True)], ranks)
        for run, short in _named(runs)
    ]
    slugs = [column.study.slug for column in columns]
    place = slugs.index(sort) if sort in slugs else None
    kept = [row for row in rows if everything or not row.is_empty]
    return Board(
        columns,
        tuple(sorted(kept, key=_by_mean if place is None else partial(_by_study, place, columns[place]))),
        measure,
        ranks,
        sort if place is not None else "",
        len(rows) - len(kept),
    )


def _key(run: Run) -> str:
    """What is one row: a model by a metric."""
    return f"{run.model_id} {run.metric}"


def _named(runs: Iterable[Run]) -> Iterator[tuple[Run, str]]:
    """One run of each model and metric, by name, baselines last; each with a short name that no other has."""
    taken: set[str] = set()
    found = {_key(run): run for run in runs}
    for run in sorted(found.values(), key=lambda run: (run.model.is_baseline, str(run), run.model.key)):
        short = short_name(run.model.name, run.metric, taken)
        taken.add(short)
        yield run, short


def _nearness(column: Column, runs: Mapping[str, Run]) -> Iterator[tuple[str, float]]:
    """How near models come to people, or to the reference, where they are compared; nothing of synthetic annotators."""
    found = column.runs
    if found is None or column.study.people.are_synthetic:
        return
    sign = -1 if column.measure == Measure.DISTANCE else 1
    placed = {one.run: one.value.value for one in found.models}
    for key, run in runs.items():
        value = placed.get(run.pk)
        if value is not None:
            yield key, sign * value


def _row(run: Run, short: str, columns: Sequence[tuple[Column, Run | None]], ranks: MeanRanks | None) -> BoardRow:
    ranked = ranks.of.get(_key(run)) if ranks else None
    cells = tuple(_cell(column, own, ranked) for column, own in columns)
    axis = Axis(1.0, float(len(ranks.of))) if ranks else Axis()
    return BoardRow(
        name=str(run),
        short=short,
        metric=run.metric_shown,
        is_baseline=run.model.is_baseline,
        cells=cells,
        ranked=ranked,
        why_not="" if ranked else _why_unranked(run, ranks),
        mark=axis.mark(ranked.mean, called=f"mean rank of {run}") if ranked else None,
        ticks=tuple(_ticks(cells, columns, axis)),
    )


def _ticks(cells: Iterable[Cell], columns: Iterable[tuple[Column, Run | None]], axis: Axis) -> Iterator[Tick]:
    for cell, (column, _) in zip(cells, columns, strict=True):
        if cell.rank is not None:
            yield Tick(axis.at(cell.rank), f"rank {cell.rank_words} in {column.title}")


def _why_unranked(run: Run, ranks: MeanRanks | None) -> str:
    if run.model.is_baseline:
        return "baselines are not ranked"
    if ranks is None:
        return "no two studies in common"
    several = len(ranks.studies)
    return "not compared in both studies" if several == 2 else f"not compared in all {several} studies"


def _by_mean(row: BoardRow) -> tuple[bool, bool, float, str]:
    mean = row.ranked.mean.value if row.ranked else None
    return row.is_baseline, mean is None, mean or 0.0, row.name


def _by_study(place: int, column: Column, row: BoardRow) -> tuple[bool, float, str]:
    """From the nearest to the furthest; those without a figure last."""
    placed = row.cells[place].placed
    value = placed.value.value if placed else None
    sign = 1 if column.measure == Measure.DISTANCE else -1
    return value is None, sign * (value or 0.0), row.name


def _cell(column: Column, run: Run | None, ranked: MeanRank | None) -> Cell:
    if run is None:
        return Cell(None, NOT_RUN, None)
    found = column.runs
    if found is None:
        return Cell(None, column.why or COMPUTING, run)
    placed = next((one for one in found.placed if one.run == run.pk), None)
    if placed is None:
        return Cell(None, _why(found, run), run)
    rank = ranked.ranks.get(column.study.slug) if ranked else None
    return Cell(placed, "", run, is_nearest=placed in found.nearest, rank=rank, study=column.title)


def _why(found: Runs, run: Run) -> str:
    """Why a run has no place, in the words of the verdict."""
    outside = next((one.reason for one in found.outside if one.run == run.pk), "")
    return outside or (run.state if run.state != Run.State.FINISHED else "nothing to compare with")


def titles_of(studies: Iterable[Study]) -> dict[str, str]:
    """By slug: the title, with the slug behind it where another of these studies has the same title."""
    every = list(studies)
    found = Counter(study.title for study in every)
    return {study.slug: f"{study.title} ({study.slug})" if found[study.title] > 1 else study.title for study in every}
