"""What each run's answers follow besides what is true: a label, the length of the text, the place of an option.

A panel in, findings out. Free of Django. Baselines are left out: what they follow is what they were built on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from comparison.frame.panel import Panel, RunColumn
from comparison.statistics.between_runs.mcnemar import p_in_words
from comparison.statistics.bias.labels import label_biases
from comparison.statistics.bias.length import length_bias
from comparison.statistics.bias.position import PositionBias
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.verdict.odds import LEVEL, holm

LABEL, LENGTH, PLACE = "label", "length", "place"


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
        told: str,
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
            told=told,
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
        return f"{plain(self.given, decimals=2)} for {plain(self.true, decimals=2)}"

    @property
    def p_words(self) -> str:
        return f"undefined, because {self.undefined}" if self.p is None else p_in_words(self.p)

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
            found = [line for line in of_labels if line.is_found]
            rows += found or sorted(of_labels, key=lambda line: 1.0 if line.p is None else line.p)[:1]
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
    known = [place for place, line in enumerate(lines) if line.p is not None]
    for place, held in zip(known, holm([lines[place].p or 0.0 for place in known]), strict=True):
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
        told = f"gives “{word}” {how} often than it is true"
        found = Bias.of(run, LABEL, word, one.difference, one.p, told=told, undefined=one.undefined)
        yield replace(found, given=one.given, true=one.true)


def _length(run: RunColumn, panel: Panel, truth: Ints) -> Iterator[Bias]:
    said, rises, falls = _said(run, panel)
    found = length_bias(said, panel.lengths, truth, sample=panel.sample)
    if not np.isfinite(said).any():
        return
    up = found.rho.value is not None and found.rho.value > 0
    yield Bias.of(run, LENGTH, "length in words", found.rho, found.p, told=rises if up else falls)


def _said(run: RunColumn, panel: Panel) -> tuple[Floats, str, str]:
    """What may follow the length, and what it means if it rises or falls with it."""
    named = run.decided != MISSING
    if run.is_cut or not named.any():
        return run.strengths, "its strength rises with the length", "its strength falls with the length"
    if panel.ordered:
        degrees = np.where(named, run.decided, np.nan)
        return degrees, "places longer texts higher on the scale", "places longer texts lower on the scale"
    first = panel.words[panel.values[0]]
    given = np.where(named, run.decided == 0, np.nan)
    return given, f"gives “{first}” more often where it is long", f"gives “{first}” less often where it is long"


def _place(run: RunColumn, found: PositionBias | None) -> Iterator[Bias]:
    """Of a run that was asked in words, in several orders."""
    if found is None:
        return
    first = found.lead.value is not None and found.lead.value > 0
    told = f"favors the option in the {'first' if first else 'last'} place"
    yield Bias.of(run, PLACE, "first place less last place", found.lead, found.p, told=told)
