"""What each run's answers follow besides what is true: a label, the length of the text, the place of an option.

Baselines are left out: what they follow is what they were built on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.figure import NO_VERDICT, Figure, State
from comparison.figures.file import Download, Row, estimated
from comparison.figures.models.answers import named, not_judged
from comparison.figures.models.prompted import ASKED
from comparison.figures.table import DRAWN, Column, Number, Rater, Table
from comparison.frame.filters.selection import TARGETS
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.bias import PositionBias, label_biases, length_bias
from comparison.statistics.chance import holm
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.pairs import p_in_words
from comparison.statistics.verdict.odds import LEVEL
from corpus.errors import counted

LABEL, LENGTH, PLACE = "label", "length", "place"
KINDS = {LABEL: "label", LENGTH: "text length", PLACE: "option order"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """One test of one run. `figure` is 0 where nothing is followed; `p` is two-sided, `held` the same after Holm.

    `given` and `true` are shares of the label, of a label. `told`: what holds if the bias is shown.
    """

    run: str
    name: str
    family: str
    kind: str
    about: str
    figure: Estimate
    p: float | None
    told: str
    given: float | None = None
    true: float | None = None
    undefined: str = ""
    held: float | None = None

    @classmethod
    def of(
        cls,
        run: RunColumn,
        kind: str,
        about: str,
        figure: Estimate,
        p: float | None,
        *,
        wording: str,
        undefined: str | None = None,
    ) -> "Bias":
        """Undefined, where nothing else is said, for the figure's reason."""
        return cls(
            run=run.key,
            # What follows the length is the strength itself and not degrees that it was cut into.
            name=run.name if kind == LENGTH else run.title,
            family=run.family,
            kind=kind,
            about=about,
            figure=figure,
            p=p,
            told=wording,
            undefined=figure.undefined if undefined is None else undefined,
        )

    @property
    def is_found(self) -> bool:
        return self.held is not None and self.held < LEVEL

    @property
    def verdict(self) -> str:
        """Empty where no bias is shown."""
        return self.told if self.is_found else ""

    @property
    def shares(self) -> str:
        """Of a label: what the run gives, and what is true."""
        if self.given is None or self.true is None:
            return ""
        return f"{plain(self.given, decimals=2)}, {plain(self.true, decimals=2)}"

    @property
    def p_words(self) -> str:
        return f"undefined: {self.undefined}" if self.p is None else p_in_words(self.p)

    @property
    def held_words(self) -> str:
        return "" if self.held is None else p_in_words(self.held)


@dataclass(frozen=True, slots=True)
class Biases:
    """Against one truth; `lines` has every test, run by run."""

    lines: tuple[Bias, ...]

    @property
    def found(self) -> tuple[Bias, ...]:
        return tuple(line for line in self.lines if line.is_found)

    @property
    def tests(self) -> int:
        return sum(line.p is not None for line in self.lines)

    @property
    def shown(self) -> tuple[Bias, ...]:
        """For the page: of a run's labels those that it favors or slights and, if none, the one that comes nearest."""
        rows: list[Bias] = []
        for run in dict.fromkeys(line.run for line in self.lines):
            own = [line for line in self.lines if line.run == run]
            of_labels = [line for line in own if line.kind == LABEL]
            significant = [line for line in of_labels if line.is_found]
            rows += significant or sorted(of_labels, key=lambda line: 1.0 if line.p is None else line.p)[:1]
            rows += [line for line in own if line.kind != LABEL]
        return tuple(rows)


def biases(panel: Panel, by_place: Mapping[str, PositionBias], *, target: str) -> Biases:
    """Against `majority` or `reference`; `by_place` is of the runs that were asked in words, by their keys.

    p is held down for all tests of all runs at once (Holm 1979).
    """
    truth = panel.true(target)
    lines = [
        line
        for run in panel.runs
        if not run.is_baseline
        for line in (*_labels(run, panel, truth), *_length(run, panel, truth), *_place(run, by_place.get(run.key)))
    ]
    tested = [place for place, line in enumerate(lines) if line.p is not None]
    for place, held in zip(tested, holm([lines[place].p or 0.0 for place in tested]), strict=True):
        lines[place] = replace(lines[place], held=held)
    return Biases(tuple(lines))


def _labels(run: RunColumn, panel: Panel, truth: Ints) -> Iterator[Bias]:
    """Of a run that names labels: where strengths are cut into degrees, the cuts decide how often a label is given.

    And where a label can be favored: a role that is always right is no label that one could give without knowing it.
    """
    if run.is_cut or panel.one_role:
        return
    for one in label_biases(run.decided, truth, values=len(panel.values), sample=panel.sample):
        word = panel.words[panel.values[one.code]]
        how = "more" if one.given > one.true else "less"
        wording = f"uses “{word}” {how} often than it is right"
        bias = Bias.of(run, LABEL, word, one.difference, one.p, wording=wording, undefined=one.undefined)
        yield replace(bias, given=one.given, true=one.true)


def _length(run: RunColumn, panel: Panel, truth: Ints) -> Iterator[Bias]:
    answers, rises, falls = _said(run, panel)
    length = length_bias(answers, panel.lengths, truth, sample=panel.sample)
    if not np.isfinite(answers).any():
        return
    up = length.rho.value is not None and length.rho.value > 0
    yield Bias.of(run, LENGTH, "length in words", length.rho, length.p, wording=rises if up else falls)


def _said(run: RunColumn, panel: Panel) -> tuple[Floats, str, str]:
    """What may follow the length, and what it means if it rises or falls with it."""
    has_label = run.decided != MISSING
    if run.is_cut or not has_label.any():
        return run.strengths, "scores rise with length", "scores fall with length"
    if panel.ordered:
        degrees = np.where(has_label, run.decided, np.nan)
        return degrees, "rates longer texts higher", "rates longer texts lower"
    first = panel.words[panel.values[0]]
    uses_first = np.where(has_label, run.decided == 0, np.nan)
    return uses_first, f"uses “{first}” more often for long texts", f"uses “{first}” less often for long texts"


def _place(run: RunColumn, position: PositionBias | None) -> Iterator[Bias]:
    """Of a run that was asked in words, in several orders."""
    if position is None:
        return
    first = position.lead.value is not None and position.lead.value > 0
    wording = f"favors the {'first' if first else 'last'} option"
    yield Bias.of(run, PLACE, "first minus last position", position.lead, position.p, wording=wording)


# --- The figure -------------------------------------------------------------------------------------


def _compute(chosen: Selected, target: str) -> Biases:
    by_place = {run.key: run.bias for run in ASKED.read(chosen)}
    return biases(chosen.panel, by_place, target=target)


def _answer(chosen: Selected) -> str | None:
    """Which runs follow something besides what is true; none that is not shown to."""
    all_biases = BIASES.read(chosen)
    if not all_biases.lines:
        return None
    if chosen.selection.chosen_by_label:
        return not_judged(chosen.selection.chosen_by_label)
    over = counted(all_biases.tests, "test")
    if not all_biases.found:
        return f"No label, length or position bias is shown ({over}, Holm)."
    kinds = [KINDS[kind] for kind in (LABEL, LENGTH, PLACE) if any(line.kind == kind for line in all_biases.found)]
    short = {run.key: run.short for run in chosen.outline.runs}
    biased = named([short.get(key, key) for key in dict.fromkeys(line.run for line in all_biases.found)])
    return f"Biased by {' and '.join(kinds)}: {biased} ({over}, Holm)."


def _state(chosen: Selected) -> State | None:
    all_biases = BIASES.read(chosen)
    if chosen.selection.chosen_by_label:
        return NO_VERDICT
    runs, biased = ({line.run for line in lines} for lines in (all_biases.lines, all_biases.found))
    return State("warn", f"{len(biased):,} of {len(runs):,}") if biased else State("open", "Not shown")


def _tables(chosen: Selected) -> Iterator[Table]:
    all_biases = BIASES.read(chosen)
    if not all_biases.lines:
        return
    is_told = not chosen.selection.no_bias
    yield Table(
        name="biases",
        title=f"Response bias of each run, against {chosen.target_words}",
        columns=(
            "Run",
            Column("Bias by", is_text=True),
            Column("What", is_text=True),
            "Share used, share correct",
            "Bias",
            "p after Holm",
            Column("Result", is_text=True),
        ),
        rows=tuple(
            (
                Rater(name=line.name, family=line.family),
                line.kind,
                line.about,
                line.shares,
                line.figure,
                Number(line.held, line.held_words or ("" if line.figure.value is None else line.p_words)),
                (line.verdict or ("" if line.p is None else "not shown")) if is_told else "",
            )
            for line in all_biases.shown
        ),
        rests_on="n counts items with an answer and a label. Rows show labels that a run uses too often or too rarely, "
        f"or the one with the lowest p. The CSV has all {all_biases.tests:,} tests that Holm’s correction covers",
        method=DRAWN,
    )


def _lines(chosen: Selected) -> Iterator[Row]:
    """Against each truth that there is."""
    about = chosen.outline
    has_target = {TARGETS[0]: about.has_labels and not about.no_majority, TARGETS[1]: about.has_references}
    for target in TARGETS:
        for line in BIASES.read(chosen, target).lines if has_target[target] else ():
            yield from _lines_of(line, target, verdict=chosen.selection.no_bias or line.verdict)


def _lines_of(line: Bias, target: str, *, verdict: str) -> Iterator[Row]:
    head = [f"bias by {line.kind}", line.name, line.family, target]
    yield [*head, line.about, *estimated(line.figure, how=verdict)]
    for name, share in ((f"{line.about}:given", line.given), (f"{line.about}:true", line.true)):
        if share is not None:
            yield [*head, name, share, None, None, line.figure.n, "items", None, "", ""]
    tail = [None, None, line.figure.n, "items", None, line.undefined, ""]
    yield [*head, f"{line.about}:p", line.p, *tail]
    if line.held is not None:
        yield [*head, f"{line.about}:p_holm", line.held, *tail]


BIASES = Figure(
    key="biases",
    part="models",
    title="Response bias",
    shape=TypeAdapter(Biases),
    rests_on=lambda chosen: (chosen.selection.against,),
    compute=_compute,
    answer=_answer,
    state=_state,
    tables=_tables,
    lines=_lines,
    download=Download(
        says="response bias of each run: by label, text length and option order",
        line="a statistic of a run's response bias; lines of the report",
    ),
)
