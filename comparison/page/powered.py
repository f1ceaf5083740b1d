"""Label shares with a model's help: what people would say of the items that nobody has labeled. Free of Django."""

from dataclasses import dataclass

import numpy as np

from comparison.frame.panel import Mask, Panel, RunColumn
from comparison.statistics.counts import MISSING, Floats
from comparison.statistics.powered.mean import Answers, Of, Powered, powered

NO_LABELS = "nobody has labeled an item yet"
ALL_LABELED = "every item is labeled"
NO_ANSWERS = "the run has answered no item"
LEARNED = (
    "the run has learned from labels of this study, so that what it gets wrong on these items says nothing of what it "
    "gets wrong on the others"
)
UNLIKE = (
    "The run is shown to answer otherwise on the labeled items than on the rest. If people have not "
    "labeled a random part of the items, neither column holds."
)
# Of the interval's half-width: p = .003 for each label, so that five labels raise a false alarm once in 70 times.
FAR = 1.5


@dataclass(frozen=True, slots=True)
class PoweredRow:
    """One label's share, or the mean degree."""

    name: str
    found: Powered


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredPart:
    """`rows` are for the `rest` of the items; `undefined` says why there are none, `warning` what is against them."""

    key: str
    run: str
    labeled: int
    rest: int
    rows: tuple[PoweredRow, ...] = ()
    mean: PoweredRow | None = None
    warning: str = ""
    undefined: str = ""

    @property
    def lines(self) -> tuple[PoweredRow, ...]:
        """Shares, and the mean after them."""
        return (*self.rows, *([self.mean] if self.mean else []))

    @property
    def worth(self) -> float | None:
        """How many times as many labeled items people alone would need, at the median over the lines."""
        found = [line.found.worth for line in self.lines if line.found.worth is not None]
        return float(np.median(found)) if found else None

    @property
    def worth_items(self) -> int | None:
        return None if self.worth is None else round(self.worth * self.labeled)


def powered_part(panel: Panel, run: RunColumn, *, learned: bool, of: Of = "rest") -> PoweredPart:
    """One run's help with every share, and with the mean degree on an ordered scale."""
    labeled = panel.counts.sum(axis=1) > 0
    known, rest = int(labeled.sum()), int((~labeled).sum())
    answered = (run.decided != MISSING) | np.isfinite(run.strengths)
    reasons = (NO_LABELS, not known), (ALL_LABELED, not rest), (NO_ANSWERS, not answered.any()), (LEARNED, learned)
    reason = next((words for words, is_so in reasons if is_so), "")
    if reason:
        return PoweredPart(key=run.key, run=run.name, labeled=known, rest=rest, undefined=reason)
    size = len(panel.values)
    totals = panel.counts.sum(axis=1, keepdims=True)
    shares = panel.counts / np.maximum(totals, 1)
    # Degrees by cut points know how common these labels are; the strength that they were cut from was not.
    decides = run.cuts is None and bool((run.decided != MISSING).any())
    answers = _answers(panel, labeled, shares, _as_shares(run, size) if decides else _as_strengths(run, size))
    rows = powered(answers, of=of, together=decides)
    mean = None
    if panel.ordered:
        degrees = np.arange(1, size + 1)
        guess = _as_degrees(run, size) if decides else _as_strengths(run, 1)
        one = _answers(panel, labeled, (shares @ degrees)[:, None], guess)
        (found,) = powered(one, of=of, together=decides, bounds=(1.0, float(size)))
        mean = PoweredRow("mean degree", found)
    return PoweredPart(
        key=run.key,
        run=run.name,
        labeled=known,
        rest=rest,
        rows=tuple(PoweredRow(panel.words[value], row) for value, row in zip(panel.values, rows, strict=True)),
        mean=mean,
        warning=UNLIKE if _unlike(answers) else "",
    )


def _answers(panel: Panel, labeled: Mask, said: Floats, guessed: Floats) -> Answers:
    codes = panel.sample.clusters
    return Answers(
        said=said[labeled],
        guessed=guessed[labeled],
        elsewhere=guessed[~labeled],
        clusters=None if codes is None else codes[labeled],
        other_clusters=None if codes is None else codes[~labeled],
    )


def _as_shares(run: RunColumn, size: int) -> Floats:
    """All of an item to the label that the run gives; where it leaves one open, to all labels alike."""
    whole = np.vstack([np.eye(size), np.full((1, size), 1 / size)])
    return np.asarray(whole[run.decided])


def _as_degrees(run: RunColumn, size: int) -> Floats:
    return np.where(run.decided == MISSING, (size + 1) / 2, run.decided + 1.0)[:, None]


def _as_strengths(run: RunColumn, columns: int) -> Floats:
    """The same numbers for each column, which has its own λ; where there is none, the usual one."""
    known = np.isfinite(run.strengths)
    usual = run.strengths[known].mean() if known.any() else 0.0
    return np.repeat(np.where(known, run.strengths, usual)[:, None], columns, axis=1)


def _unlike(answers: Answers) -> bool:
    """Whether the same interval, made for the run's own answers on the rest, which are known, misses them by far."""
    everywhere = (-np.inf, np.inf)
    same = Answers(
        said=answers.guessed,
        guessed=np.zeros_like(answers.guessed),
        elsewhere=np.zeros_like(answers.elsewhere),
        clusters=answers.clusters,
        other_clusters=answers.other_clusters,
    )
    for row, truth in zip(powered(same, bounds=everywhere), answers.elsewhere.mean(axis=0).tolist(), strict=True):
        found = row.alone
        if (
            found.value is not None
            and found.low is not None
            and abs(truth - found.value) > FAR * (found.value - found.low)
        ):
            return True
    return False
