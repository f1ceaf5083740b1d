"""Label shares with a model's help, of the items that nobody has labeled and of all like them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from annotation.models import Study
from comparison.figures.figure import Figure
from comparison.figures.file import ORIGIN, Download, Row, origin
from comparison.figures.table import Column, Number, Table
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Mask, Panel, RunColumn
from comparison.frame.selected import Selected, select
from comparison.statistics.counts import MISSING, Floats
from comparison.statistics.powered import Answers, Of, Powered, powered
from corpus.errors import counted
from scoring.models import Run

NO_LABELS = "no item is labeled yet"
ALL_LABELED = "every item is labeled"
NO_ANSWERS = "the run has no answers"
LEARNED = (
    "the run was trained on labels of this study, so its errors on these items say nothing about its errors on the "
    "others"
)
UNLIKE = (
    "The run is shown to answer differently on labeled and unlabeled items. Unless the labeled items are "
    "a random sample, neither column holds."
)
# Of the interval's half-width: p = .003 for each label, so that five labels raise a false alarm once in 70 times.
FAR = 1.5
HEADER = [
    *ORIGIN, "items_selected", "run", "labeled", "unlabeled", "of", "label", "by", "estimate", "low", "high", "n",
    "tuning", "worth", "undefined", "note",
]  # fmt: skip

WORDS: dict[Of, str] = {"rest": "unlabeled items", "alike": "all items like these"}


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
        worths = [line.found.worth for line in self.lines if line.found.worth is not None]
        return float(np.median(worths)) if worths else None

    @property
    def worth_items(self) -> int | None:
        return None if self.worth is None else round(self.worth * self.labeled)


def powered_part(panel: Panel, run: RunColumn, *, learned: bool, of: Of = "rest") -> PoweredPart:
    """One run's help with every share, and with the mean degree on an ordered scale."""
    labeled = panel.counts.sum(axis=1) > 0
    labeled_items, rest = int(labeled.sum()), int((~labeled).sum())
    answered = (run.decided != MISSING) | np.isfinite(run.strengths)
    reasons = (
        (NO_LABELS, not labeled_items),
        (ALL_LABELED, not rest),
        (NO_ANSWERS, not answered.any()),
        (LEARNED, learned),
    )
    reason = next((words for words, is_so in reasons if is_so), "")
    if reason:
        return PoweredPart(key=run.key, run=run.name, labeled=labeled_items, rest=rest, undefined=reason)
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
        (mean_estimate,) = powered(one, of=of, together=decides, bounds=(1.0, float(size)))
        mean = PoweredRow("mean label", mean_estimate)
    return PoweredPart(
        key=run.key,
        run=run.name,
        labeled=labeled_items,
        rest=rest,
        rows=tuple(PoweredRow(panel.words[value], row) for value, row in zip(panel.values, rows, strict=True)),
        mean=mean,
        warning=UNLIKE if _unlike(answers) else "",
    )


def _answers(panel: Panel, labeled: Mask, shares: Floats, guessed: Floats) -> Answers:
    codes = panel.sample.clusters
    return Answers(
        said=shares[labeled],
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
    """The run's strengths once for each column, which has its own λ; their mean where an item has none."""
    has_strength = np.isfinite(run.strengths)
    usual = run.strengths[has_strength].mean() if has_strength.any() else 0.0
    return np.repeat(np.where(has_strength, run.strengths, usual)[:, None], columns, axis=1)


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
        estimate = row.alone
        if (
            estimate.value is not None
            and estimate.low is not None
            and abs(truth - estimate.value) > FAR * (estimate.value - estimate.low)
        ):
            return True
    return False


# --- The figure -------------------------------------------------------------------------------------


def _compute(chosen: Selected, run: str, of: Of) -> PoweredPart | None:
    """Of one run, by its key; None where no run is looked at."""
    if not run:
        return None
    column = next(one for one in chosen.panel.runs if one.key == run)
    return powered_part(chosen.panel, column, learned=_has_learned(chosen.study.slug, run), of=of)


def _has_learned(slug: str, run: str) -> bool:
    """Whether its model was trained here on this study, and so on these labels."""
    trained = Run.objects.filter(pk=run, model__training__isnull=False).select_related("model__training").first()
    return trained is not None and slug in trained.model.training.studies


def _tables(chosen: Selected) -> Iterator[Table]:
    part = POWERED.read(chosen)
    if part is None or not part.lines:
        return
    people = chosen.study.people
    yield Table(
        name="powered",
        title="Prediction-powered label shares",
        columns=("Label", f"{people.many.capitalize()} alone", f"With {part.run}", Column("λ", "tuning")),
        rows=tuple((line.name, line.found.alone, line.found.helped, _tuning(line.found)) for line in part.lines),
        rests_on=f"n counts labeled items or groups; shares are for the {counted(part.rest, 'unlabeled item')}",
        method="Brackets are 95 % intervals (prediction-powered inference); items of a group are drawn together",
        is_sortable=False,
    )


def _tuning(fit: Powered) -> Number:
    return Number(fit.tuning, "" if fit.tuning is None else f"{fit.tuning:.2f}")


def _rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Every run; one without an estimate has one line with the reason."""
    chosen = select(study, selection)
    head = [*origin(study), chosen.words]  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    for run in chosen.outline.runs:
        for of, words in WORDS.items():
            part = POWERED.read(chosen, run.key, of)
            yield from ([*head, *line] for line in (_lines(part, words) if part else ()))


def _lines(part: PoweredPart, words: str) -> Iterator[Row]:
    head = [part.run, part.labeled, part.rest, words]
    if part.undefined:
        yield [*head, "", "", None, None, None, part.labeled, None, None, part.undefined, ""]
    for line in part.lines:
        for by, estimate in (("people alone", line.found.alone), ("people and the run", line.found.helped)):
            note = "; ".join(remark for remark in (estimate.remarks, part.warning) if remark)
            numbers = [estimate.value, estimate.low, estimate.high, estimate.n, line.found.tuning, line.found.worth]
            yield [*head, line.name, by, *numbers, estimate.undefined, note]


POWERED = Figure(
    key="powered",
    part="people",
    title="Prediction-powered label shares",
    # No run to look at is remembered as well.
    shape=TypeAdapter[PoweredPart | None](PoweredPart | None),
    rests_on=lambda chosen: (chosen.selection.run, "rest"),
    compute=_compute,
    tables=_tables,
    download=Download(
        says="for unlabeled items",
        line="a label's share, or the mean label, from people alone or with one run",
        rows=_rows,
    ),
)
