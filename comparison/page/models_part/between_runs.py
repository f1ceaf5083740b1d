"""Whether runs differ from one another, and each from one person: a panel in, figures out. Free of Django."""

from dataclasses import dataclass

from comparison.figures.findings import REFERENCE
from comparison.frame.coded import coded
from comparison.frame.panel import Panel
from comparison.statistics.between_runs.all_pairs import Alike, Pair, alike, all_pairs
from comparison.statistics.between_runs.beside_person import BesidePerson, beside_person
from comparison.statistics.between_runs.cochran import CochranQ, cochran_q
from comparison.statistics.between_runs.difference import difference
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.strengths.cut_points import names_labels
from comparison.statistics.verdict.evidence import Voices


@dataclass(frozen=True, slots=True)
class Named:
    key: str
    name: str
    family: str
    is_baseline: bool


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
    beside: tuple[tuple[Named, BesidePerson], ...]

    @property
    def apart(self) -> list[PairLine]:
        """The pairs that are shown to differ."""
        return [line for line in self.pairs if line.test.differ]

    @property
    def matrix(self) -> list[tuple[int, Named, list[AlikeCell]]]:
        """Each run with its number, and its cells in the order of the runs: percent right of the diagonal, κ left."""
        known = {(one.one, one.other): one for one in self.alike}
        rows = []
        for number, row in enumerate(self.runs, 1):
            cells = []
            for column in self.runs:
                if row.key == column.key:
                    cells.append(AlikeCell("", "", 0))
                elif (row.key, column.key) in known:
                    cells.append(_of_percent(known[row.key, column.key].same.accuracy))
                else:
                    cells.append(_of_kappa(known[column.key, row.key].kappa))
            rows.append((number, row, cells))
        return rows


def between_runs(panel: Panel, *, target: str) -> BetweenRuns | None:
    """Against `majority` or `reference`; None where no run labels items, or one does and has nobody beside it."""
    columns = [run for run in panel.runs if names_labels(run.decided)]
    if not columns or (len(columns) < 2 and not panel.has_labels):
        return None
    truth = panel.truth if target == REFERENCE else panel.majority
    named = {run.key: Named(run.key, run.title, run.family, run.is_baseline) for run in columns}
    decided = {run.key: run.decided for run in columns}
    models = [run.key for run in columns if not run.is_baseline]
    said = coded(panel.people, items=list(panel.items), values=panel.values)
    voices = Voices(said.items, said.raters, said.labels)
    tested = models if len(models) > 1 else list(decided)
    return BetweenRuns(
        target=target,
        runs=tuple(named.values()),
        alike=alike(decided, values=len(panel.values), sample=panel.sample),
        pairs=tuple(
            PairLine(
                named[pair.one],
                named[pair.other],
                pair,
                difference(decided[pair.one], decided[pair.other], truth, sample=panel.sample),
            )
            for pair in all_pairs(decided, truth, sample=panel.sample)
        ),
        q=cochran_q([decided[key] for key in tested], truth, sample=panel.sample),
        q_over="models" if tested is models else "runs",
        beside=tuple(
            (named[key], beside_person(own, panel.counts, voices=voices, sample=panel.sample))
            for key, own in decided.items()
            if panel.has_labels
        ),
    )


def _of_percent(found: Estimate) -> AlikeCell:
    if found.value is None:
        return AlikeCell("–", str(found), 0)
    return AlikeCell(percent(found.value), str(found), round(10 * found.value))


def _of_kappa(found: Estimate) -> AlikeCell:
    if found.value is None:
        return AlikeCell("–", str(found), 0)
    return AlikeCell(f"κ {found.number}", str(found), round(10 * max(0.0, found.value)))
