"""The leaderboard: runs from the best to the worst, with what they are to be read beside among them."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models.population import Words
from comparison.figures.findings import MAJORITY, REFERENCE, Against, Findings, RunFinding
from comparison.figures.models.accuracy import majority_of
from comparison.figures.people.assessors import OneAssessor
from comparison.frame.outline import Outline
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.estimate import Estimate, counted
from comparison.statistics.verdict.measure import RHO, measure_of
from comparison.statistics.verdict.parts import Placed, Runs, Verdict

CHANCE_IS_KNOWN = "chance is computed, not measured"
CHANCE_HOW = "any label, drawn alike"
OF_THESE_ITEMS = "the share of these items"
RIGHT = "right of n"
COLUMNS = (("accuracy", "Accuracy"), ("kappa", "κ"), ("right_of_n", RIGHT))
TITLES = {MAJORITY: "Against the majority label", REFERENCE: "Against the reference"}
# Beside ρ, of ratings.
EXACT = {MAJORITY: "Exact agreement with the most common rating", REFERENCE: "Exact agreement with the reference"}


@dataclass(frozen=True, slots=True)
class Held:
    """Against one truth: a rater's hits and κ, or people's share of labels.

    `every`: of a run that left items with a truth open, its hits where they count as wrong.
    """

    against: Against | None = None
    of_labels: Estimate | None = None
    every: Hits | None = None


NOTHING = Held()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One run. `placed` is None where it is not compared with the others, and `outside` says why."""

    run: RunFinding
    placed: Placed | None
    outside: str
    is_nearest: bool
    is_level: bool
    held: tuple[Held, ...]

    @property
    def value(self) -> Estimate | None:
        return self.placed.value if self.placed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """What runs are to be read beside: chance, one label for every item, one person, people's majority."""

    name: str
    how: str
    value: Estimate | None
    is_people: bool
    held: tuple[Held, ...]


Row = Entry | Yardstick


@dataclass(frozen=True, slots=True)
class Head:
    """A column of figures against one truth; `at` is its place in the table, `key` the glossary's."""

    at: int
    key: str
    name: str

    @property
    def is_count(self) -> bool:
        return self.name == RIGHT


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """`targets` are what runs can be held against, `rest` the rows that have no place."""

    measure: str
    items: int
    targets: tuple[str, ...]
    placed: tuple[Row, ...]
    rest: tuple[Row, ...]

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple((EXACT if self.measure == RHO else TITLES)[target] for target in self.targets)

    @property
    def rows(self) -> tuple[Row, ...]:
        return (*self.placed, *self.rest)

    @property
    def columns(self) -> int:
        """Those of figures: the study's measure, and three for each truth."""
        return 1 + 3 * len(self.targets)

    @property
    def heads(self) -> tuple[Head, ...]:
        """Those under the truths, after rank, run and the study's measure."""
        return tuple(Head(3 + place, key, name) for place, (key, name) in enumerate(COLUMNS * len(self.targets)))

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(row for row in self.rows if isinstance(row, Entry))

    @property
    def how_cut(self) -> tuple[str, ...]:
        """How the degrees of runs that name no label came about, each way once."""
        runs = [one.run for one in self.entries]
        return tuple(dict.fromkeys(run.cuts.words for run in runs if run.cuts and run.is_cut))

    @property
    def has_open(self) -> bool:
        """Whether a run left items open that have a truth."""
        return any(held.every for row in self.entries if row.run.has_labels for held in row.held)

    @property
    def several_nearest(self) -> bool:
        return sum(one.is_nearest for one in self.entries) > 1


def leaderboard(
    found: Findings,
    reached: Verdict,
    about: Outline,
    *,
    people: Words,
    ordered: bool,
    assessors: Sequence[OneAssessor] = (),
) -> Leaderboard:
    """Every run once; the measure, the places and what lies among them are the verdict's.

    `assessors` stand apart from the places: they labeled other items than the runs that are compared.
    """
    runs = reached.runs
    targets = _targets(found, about, assessors)
    own = {run.key: run for run in found.runs}
    entries: list[Row] = [_entry(own[str(one.run)], one, runs, targets) for one in runs.placed if str(one.run) in own]
    sign = measure_of(reached.measure, ordered=ordered).sign
    for line in _yardsticks(found, reached, targets, people=people):
        entries.insert(_place(line, entries, sign), line)
    inside = {str(one.run) for one in runs.placed}
    rest: list[Row] = [_entry(run, None, runs, targets) for run in found.runs if run.key not in inside]
    if about.has_labels and REFERENCE in targets:
        rest.insert(0, _majority(found, targets, about.no_majority, people))
    rest.extend(_assessor(one, targets, people) for one in assessors if targets)
    return Leaderboard(reached.measure, runs.items, targets, tuple(entries), tuple(rest))


def _targets(found: Findings, about: Outline, assessors: Sequence[OneAssessor]) -> tuple[str, ...]:
    """What somebody is held against: a run, or where there is none yet, people."""
    if found.runs:
        return tuple(
            target for target in (MAJORITY, REFERENCE) if any(run.against(target).hits.compared for run in found.runs)
        )
    held = {target for one in assessors for target in (MAJORITY, REFERENCE) if one.against(target).hits.compared}
    held |= {REFERENCE} if about.has_labels and about.has_references else set()
    return tuple(target for target in (MAJORITY, REFERENCE) if target in held)


def _entry(run: RunFinding, placed: Placed | None, runs: Runs, targets: Sequence[str]) -> Entry:
    return Entry(
        run=run,
        placed=placed,
        outside=next((one.reason for one in runs.outside if str(one.run) == run.key), ""),
        is_nearest=placed in runs.nearest,
        is_level=placed in (*runs.level, *runs.not_above),
        held=tuple(_of_run(run, target) for target in targets),
    )


def _of_run(run: RunFinding, target: str) -> Held:
    against, every = run.against(target), run.of_all(target)
    return Held(against, every=every if every.compared > against.hits.compared else None)


def _yardsticks(found: Findings, reached: Verdict, targets: Sequence[str], *, people: Words) -> list[Yardstick]:
    """Chance, the best constant and one person, as far as the verdict has them."""
    runs = reached.runs
    if not runs.placed:
        return []
    nothing = tuple(NOTHING for _ in targets)
    chance = Estimate(runs.chance, n=runs.items, no_interval=CHANCE_IS_KNOWN)
    lines = []
    if runs.has_common_chance:
        lines.append(Yardstick(name="Chance", how=CHANCE_HOW, value=chance, is_people=False, held=nothing))
    if runs.constant is not None:
        value = Estimate(runs.constant.value, n=runs.items, no_interval=OF_THESE_ITEMS)
        how = f"always “{reached.words[runs.constant.code]}”"
        lines.append(Yardstick(name="Best constant label", how=how, value=value, is_people=False, held=nothing))
    if runs.person.value is not None:
        held = tuple(_of_person(found.band(target)) for target in targets)
        by_rho = reached.measure == RHO
        name, how = (f"{people.many.capitalize()}", "split halves") if by_rho else (f"One {people.one}", "")
        lines.append(Yardstick(name=name, how=how, value=runs.person, is_people=True, held=held))
    return lines


def _of_person(found: Estimate) -> Held:
    return NOTHING if found.value is None else Held(of_labels=found)


def _majority(found: Findings, targets: Sequence[str], why_none: str, people: Words) -> Yardstick:
    """People's majority, which is held against the references alone."""
    held = tuple(Held(found.majority_reference) if target == REFERENCE else NOTHING for target in targets)
    how = why_none or "is what runs are compared with"
    return Yardstick(name=majority_of(people), how=how, value=None, is_people=True, held=held)


def _assessor(one: OneAssessor, targets: Sequence[str], people: Words) -> Yardstick:
    """One annotator, held against the majority of the others, so not against their own label."""
    name = one.assessor.title(people.one)
    return Yardstick(
        name=f"{name[0].upper()}{name[1:]}",
        how=f"{counted(one.labels, 'label')}; the majority is that of the others",
        value=None,
        is_people=True,
        held=tuple(Held(one.against(target)) for target in targets),
    )


def _place(line: Yardstick, rows: Sequence[Row], sign: int) -> int:
    """Before the first row that is worse; after those that are as good."""
    return next((place for place, row in enumerate(rows) if sign * _number(row) < sign * _number(line)), len(rows))


def _number(row: Row) -> float:
    assert row.value is not None
    assert row.value.value is not None
    return row.value.value
