"""Whether runs differ from one another, and each from one person."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from comparison.figures.figure import NO_VERDICT, Figure, State
from comparison.figures.file import Download, Row, estimated
from comparison.figures.models.answers import not_judged
from comparison.figures.table import DRAWN, TWO_WAY, Column, Number, Rater, Table
from comparison.frame.filters.selection import TARGETS
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.statistics.cochran import CochranQ, cochran_q
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.pairs import Alike, Pair, alike, all_pairs, difference
from comparison.statistics.strengths.cut_points import names_labels
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.person import PersonComparison, compare_with_person
from corpus.errors import counted


@dataclass(frozen=True, slots=True)
class Named:
    key: str
    name: str
    family: str
    is_baseline: bool

    @property
    def rater(self) -> Rater:
        return Rater(name=self.name, family=self.family, is_baseline=self.is_baseline)


@dataclass(frozen=True, slots=True)
class PairLine:
    """Two runs on the items that both label: how much more often the first is right, and McNemar's test of it."""

    one: Named
    other: Named
    test: Pair
    difference: Estimate

    @property
    def verdict(self) -> str:
        """Which is right more often, after Holm; empty where no difference is shown."""
        if not self.test.differ:
            return ""
        first = self.test.paired.only_one > self.test.paired.only_other
        return f"{(self.one if first else self.other).name} is right more often"


@dataclass(frozen=True, slots=True)
class AlikeCell:
    """Two runs in the matrix: percent in one half, κ in the other; empty on the diagonal."""

    text: str
    title: str
    heat: int


@dataclass(frozen=True, slots=True)
class BetweenRuns:
    """Of the `runs` that label items. `q` is Cochran's, over what `q_over` says."""

    target: str
    runs: tuple[Named, ...]
    alike: tuple[Alike, ...]
    pairs: tuple[PairLine, ...]
    q: CochranQ
    q_over: str
    beside: tuple[tuple[Named, PersonComparison], ...]

    @property
    def apart(self) -> list[PairLine]:
        """The pairs that are shown to differ."""
        return [line for line in self.pairs if line.test.differ]

    @property
    def matrix(self) -> list[tuple[int, Named, list[AlikeCell]]]:
        """Each run with its number, and its cells in the order of the runs: percent right of the diagonal, κ left."""
        by_pair = {(one.one, one.other): one for one in self.alike}
        rows = []
        for number, row in enumerate(self.runs, 1):
            cells = []
            for column in self.runs:
                if row.key == column.key:
                    cells.append(AlikeCell("", "", 0))
                elif (row.key, column.key) in by_pair:
                    cells.append(_of_percent(by_pair[row.key, column.key].same.accuracy))
                else:
                    cells.append(_of_kappa(by_pair[column.key, row.key].kappa))
            rows.append((number, row, cells))
        return rows


def between_runs(panel: Panel, *, target: str) -> BetweenRuns | None:
    """Against `majority` or `reference`; None where no run labels items, or one does and has nobody beside it."""
    columns = [run for run in panel.runs if names_labels(run.decided)]
    if not columns or (len(columns) < 2 and not panel.has_labels):
        return None
    truth = panel.true(target)
    by_key = {run.key: Named(run.key, run.title, run.family, run.is_baseline) for run in columns}
    decided = {run.key: run.decided for run in columns}
    models = [run.key for run in columns if not run.is_baseline]
    tested = models if len(models) > 1 else list(decided)
    return BetweenRuns(
        target=target,
        runs=tuple(by_key.values()),
        alike=alike(decided, values=len(panel.values), sample=panel.sample),
        pairs=tuple(
            PairLine(
                by_key[pair.one],
                by_key[pair.other],
                pair,
                difference(decided[pair.one], decided[pair.other], truth, sample=panel.sample),
            )
            for pair in all_pairs(decided, truth, sample=panel.sample)
        ),
        q=cochran_q([decided[key] for key in tested], truth, sample=panel.sample),
        q_over="models" if tested is models else "runs",
        beside=tuple(
            (by_key[key], compare_with_person(own, panel.counts, voices=panel.voices, sample=panel.sample))
            for key, own in decided.items()
            if panel.has_labels
        ),
    )


def _of_percent(estimate: Estimate) -> AlikeCell:
    if estimate.value is None:
        return AlikeCell("–", str(estimate), 0)
    return AlikeCell(percent(estimate.value), str(estimate), round(10 * estimate.value))


def _of_kappa(estimate: Estimate) -> AlikeCell:
    if estimate.value is None:
        return AlikeCell("–", str(estimate), 0)
    return AlikeCell(f"κ {estimate.number}", str(estimate), round(10 * max(0.0, estimate.value)))


def _answer(chosen: Selected) -> str | None:
    between = BETWEEN_RUNS.read(chosen)
    if between is None:
        return None
    text = " ".join(_differences(between, one=chosen.study.people.one))
    text = f"By exact agreement: {text}" if text and chosen.verdict.measure == RHO else text
    return not_judged(chosen.selection.chosen_by_result) or text


def _state(chosen: Selected) -> State | None:
    between = BETWEEN_RUNS.read(chosen)
    if chosen.selection.chosen_by_result:
        return NO_VERDICT
    if between is None or not between.pairs:
        return None
    apart = len(between.apart)
    return State("good", f"{apart:,} of {len(between.pairs):,}") if apart else State("open", "Not shown")


def _differences(between: BetweenRuns, *, one: str) -> Iterator[str]:
    if between.pairs:
        pairs = counted(len(between.pairs), "pair")
        yield f"{len(between.apart):,} of {pairs} of runs differ (McNemar, Holm)."
    differences = [person.difference for _, person in between.beside]
    if differences:
        nearer = sum(each.low is not None and each.low > 0 for each in differences)
        farther = sum(each.high is not None and each.high < 0 for each in differences)
        runs = counted(len(differences), "run")
        yield f"Nearer to the others than one {one}: {nearer:,} of {runs}; farther: {farther:,}."


def _tables(chosen: Selected) -> Iterator[Table]:
    between = BETWEEN_RUNS.read(chosen)
    if between is None:
        return
    is_judged = not chosen.selection.no_nearest
    if between.pairs:
        yield _pairs(between, chosen, is_judged=is_judged)
    if between.beside:
        yield _with_person(between, chosen.study.people.one, is_judged=is_judged)


def _pairs(between: BetweenRuns, chosen: Selected, *, is_judged: bool) -> Table:
    """Every two runs against what is held true."""
    test = between.pairs[0].test
    return Table(
        name="pairs",
        title=f"Difference in accuracy between runs, against {chosen.target_words}",
        columns=(
            "First",
            Column("Second", is_text=True),
            Column("Difference", "difference"),
            "Only first right",
            "Only second right",
            "p",
            Column("p after Holm", "mcnemar"),
            Column("Result", is_text=True),
        ),
        rows=tuple(
            (
                line.one.rater,
                line.other.rater,
                line.difference,
                line.test.paired.only_one,
                line.test.paired.only_other,
                Number(line.test.paired.p, line.test.paired.p_words),
                Number(line.test.held, line.test.held_words),
                line.verdict if is_judged else "",
            )
            for line in between.pairs
        ),
        rests_on=f"n counts items that both runs label; Holm’s correction is over {counted(test.of, 'pair')}",
        method=f"{DRAWN}; p is {test.paired.test}",
    )


def _with_person(between: BetweenRuns, one: str, *, is_judged: bool) -> Table:
    """Each run and one person, held against the majority of the others."""
    return Table(
        name="beside-person",
        title=f"Each run vs. one {one}: share of items with the majority label of the others",
        columns=(
            "Run",
            "Share, run",
            f"Share, one {one}",
            Column("Difference", "beside_person"),
            Column("Result", is_text=True),
        ),
        rows=tuple(
            (
                run.rater,
                Number(shares.run, shares.run_words),
                Number(shares.person, shares.person_words),
                shares.difference,
                shares.verdict if is_judged else "",
            )
            for run, shares in between.beside
        ),
        rests_on="n counts labels on items where the others have a majority",
        method=f"Brackets are 95 % intervals {TWO_WAY}",
    )


def _lines(chosen: Selected) -> Iterator[Row]:
    """What is not held against majority or reference comes once."""
    panel = chosen.panel
    for target in TARGETS:
        between = BETWEEN_RUNS.read(chosen, target)
        if between is None:
            return
        if target == TARGETS[0]:
            yield from _whatever_is_true(between, is_judged=not chosen.selection.no_nearest)
        if (panel.has_labels and not panel.no_majority) if target == TARGETS[0] else panel.has_references:
            yield from _q_lines(between)
            for line in between.pairs:
                yield from _pair_lines(line, target)


def _whatever_is_true(between: BetweenRuns, *, is_judged: bool) -> Iterator[Row]:
    by_key = {run.key: run for run in between.runs}
    for one in between.alike:
        head = ["between runs", by_key[one.one].name, by_key[one.one].family, by_key[one.other].name]
        yield [*head, "decide_alike", *estimated(one.same.accuracy, one.same.correct)]
        yield [*head, "cohen_kappa", *estimated(one.kappa)]
    for run, shares in between.beside:
        head = ["beside one person", run.name, run.family, "majority of the others"]
        for name, share in (("share_of_run", shares.run), ("share_of_one_person", shares.person)):
            if share is not None:
                yield [*head, name, *estimated(Estimate(share, n=shares.difference.n, unit="labels"))]
        yield [*head, "difference", *estimated(shares.difference, how=shares.verdict if is_judged else "")]


def _q_lines(between: BetweenRuns) -> Iterator[Row]:
    head, q = ["between runs", f"all {between.q_over}", "", between.target], between.q
    tail = [None, None, q.n, "items", q.telling, q.undefined]
    of = "groups of items" if q.by_groups else "items"
    note = f"{counted(q.runs, between.q_over[:-1])}; count is the {of} on which they differ"
    yield [*head, "cochran_q", q.q, *tail, note]
    yield [*head, "cochran_q_p", q.p, *tail, "; ".join(part for part in (q.how, q.form) if part)]


def _pair_lines(line: PairLine, target: str) -> Iterator[Row]:
    head = ["between runs", line.one.name, line.one.family, line.other.name]
    test = line.test.paired
    yield [*head, f"accuracy_difference:{target}", *estimated(line.difference)]
    note = f"only the first is right: {test.only_one}; only the second: {test.only_other}"
    note += f"; {test.test}" if test.by_groups else ""
    tail = [None, None, test.n, "items", test.discordant, test.undefined]
    yield [*head, f"mcnemar_p:{target}", test.p, *tail, note]
    yield [*head, f"mcnemar_p_holm:{target}", line.test.held, *tail, f"over {counted(line.test.of, 'pair')}"]


BETWEEN_RUNS: Figure[BetweenRuns | None] = Figure(
    key="between-runs",
    part="models",
    title="Pairwise tests",
    shape=TypeAdapter(BetweenRuns | None),
    rests_on=lambda chosen: (chosen.selection.against,),
    compute=lambda chosen, target: between_runs(chosen.panel, target=target),
    answer=_answer,
    state=_state,
    tables=_tables,
    lines=_lines,
    download=Download(
        title="Between runs",
        says="which runs differ on the same items, and from one {one}",
        line="a statistic of two runs, of all runs, or of a run and one person; lines of the report",
    ),
)
