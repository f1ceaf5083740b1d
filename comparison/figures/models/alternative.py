"""Could a model replace an annotator? The alternative annotator test of every run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.figure import NO_VERDICT, Figure, State
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.models.answers import not_judged, part_of_runs
from comparison.figures.table import DRAWN, Column, Number, Rater, Table
from comparison.frame.coded import Coded, coded
from comparison.frame.panel import NamedRun, Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.alternative import ACCURACY, COSTS, RMSE, Replacing, Rival, nearness, replacing
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.resampling.sample import Sample

# People that a page lists beside each run; the download has all.
LISTED = 50
# What is asked first: the least that a model is given for being cheaper.
COST = min(COSTS)
SCORING_WORDS = {ACCURACY: "the same label", RMSE: "distance in steps"}


@dataclass(frozen=True, slots=True)
class Rate:
    """ω at one cost ε, of whom it is the rule of thumb; it rests on `people_tested`, of whom it `won` against some."""

    cost: float
    people: str
    value: float | None
    won: int
    people_tested: int
    words: str
    passes: bool
    undefined: str

    @property
    def cost_words(self) -> str:
        return plain(self.cost, decimals=2)


@dataclass(frozen=True, slots=True)
class Scored:
    """The test by one scoring function; `rivals` at the lowest cost, but for those that are `unlisted`."""

    scoring: str
    words: str
    advantage: Estimate
    rates: tuple[Rate, ...]
    rivals: tuple[Rival, ...]
    left_out: int
    unlisted: int = 0

    @property
    def first(self) -> Rate:
        return self.rates[0]

    @property
    def passes_at(self) -> Rate | None:
        """The least cost at which it may stand in."""
        return next((rate for rate in self.rates if rate.passes), None)

    @property
    def verdict(self) -> str:
        if self.first.undefined:
            return f"Undefined: {self.first.undefined}."
        if self.passes_at is None:
            most = self.rates[-1].cost_words
            return f"Not shown: wins against fewer than half of the annotators, even at ε = {most} (experts)."
        if self.first.passes:
            return f"Yes, at ε = {self.first.cost_words}: wins against at least half of the annotators."
        least = self.passes_at
        return f"Only at ε = {least.cost_words}, the value for {least.people}."


@dataclass(frozen=True, kw_only=True)
class AlternativeFinding(NamedRun):
    """One run; `scored` has accuracy first, and on an ordered scale distance too."""

    scored: tuple[Scored, ...]


def alternatives(panel: Panel) -> tuple[AlternativeFinding, ...]:
    """Runs that name labels or have degrees; no baselines that give every item one label, since these could pass."""
    if not panel.has_labels:
        return ()
    labels = coded(panel.people, items=list(panel.items), values=panel.values)
    scorings = (ACCURACY, RMSE) if panel.ordered else (ACCURACY,)
    return tuple(
        AlternativeFinding(
            **run.named(),
            scored=tuple(_scored(run, labels, scoring, panel.sample) for scoring in scorings),
        )
        for run in panel.runs
        if (run.decided != MISSING).any() and not _is_constant(run)
    )


def _is_constant(run: RunColumn) -> bool:
    return run.is_baseline and len(np.unique(run.decided[run.decided != MISSING])) == 1


def listed(findings: Iterable[AlternativeFinding], most: int = LISTED) -> tuple[AlternativeFinding, ...]:
    """Findings that list only the first people."""
    return tuple(replace(run, scored=tuple(_listed(scored, most) for scored in run.scored)) for run in findings)


def _listed(scored: Scored, most: int) -> Scored:
    return replace(scored, rivals=scored.rivals[:most], unlisted=len(scored.rivals[most:]))


def _scored(run: RunColumn, labels: Coded, scoring: str, sample: Sample) -> Scored:
    near = nearness(labels.items, labels.raters, labels.labels, run.decided, scoring=scoring)
    replacements = replacing(near, labels.names, costs=sorted(COSTS), sample=sample)
    least = replacements[0]
    return Scored(
        scoring=scoring,
        words=SCORING_WORDS[scoring],
        advantage=least.advantage,
        rates=tuple(_rate(one) for one in replacements),
        rivals=least.rivals,
        left_out=least.left_out,
    )


def _rate(replacement: Replacing) -> Rate:
    return Rate(
        cost=replacement.cost,
        people=COSTS[replacement.cost],
        value=replacement.winning_rate,
        won=replacement.beaten,
        people_tested=len(replacement.rivals),
        words=replacement.rate_words,
        passes=replacement.may_replace,
        undefined=replacement.undefined,
    )


def _answer(chosen: Selected) -> str | None:
    findings = ALTERNATIVE.read(chosen)
    if not findings:
        return None
    first = [run.scored[0].first for run in findings]
    passing, cost = part_of_runs(sum(one.passes for one in first), len(first)), first[0].cost_words
    answer = f"{passing} could, at ε = {cost} (winning rate ω ≥ .50, alt-test)."
    if all(one.undefined for one in first):
        answer = f"Undefined; {first[0].undefined}."
    return not_judged(chosen.selection.chosen_by_result) or answer


def _state(chosen: Selected) -> State | None:
    first = [run.scored[0].first for run in ALTERNATIVE.read(chosen)]
    if chosen.selection.chosen_by_result:
        return NO_VERDICT
    if all(one.undefined for one in first):
        return State("open", "Undefined")
    passing = sum(one.passes for one in first)
    return State("good", f"{passing:,} of {len(first):,}") if passing else State("open", "Not shown")


def _tables(chosen: Selected) -> Iterator[Table]:
    findings, many = ALTERNATIVE.read(chosen), chosen.study.people.many
    if not findings:
        return
    yield Table(
        name="alternative",
        title="The alternative annotator test (Calderon, Reichart and Dror 2025)",
        columns=(
            "Run",
            Column("Scoring", is_text=True),
            Column("ρ", "advantage"),
            *(Column(f"ω, ε = {rate.cost_words}", "winning_rate") for rate in findings[0].scored[0].rates),
            Column("Result", is_text=True),
        ),
        rows=tuple(
            (
                Rater(name=run.title, family=run.family, is_baseline=run.is_baseline),
                scored.words,
                scored.advantage,
                *(Number(rate.value, "undefined" if scored.first.undefined else rate.words) for rate in scored.rates),
                "" if chosen.selection.no_nearest else scored.verdict,
            )
            for run in findings
            for scored in run.scored
        ),
        rests_on=f"ω: share of {many} that a run beats, with ε as its bonus for being cheaper. Constant baselines are "
        "left out; n is that of ρ",
        method=f"{DRAWN}; tests are one-sided, with a false discovery rate of 5 % (Benjamini and Yekutieli)",
    )


def _lines(chosen: Selected) -> Iterator[Row]:
    for run in ALTERNATIVE.read(chosen):
        for scored in run.scored:
            for cost, _, statistic, *cells in _lines_of_test(run, scored, warning=chosen.selection.no_nearest):
                name = statistic if cost is None else f"{statistic}:{cost}"
                yield ["alternative annotator", run.name, run.family, f"people, by {scored.scoring}", name, *cells]


def _with_rivals(chosen: Selected) -> Iterator[Row]:
    for run in RIVALS.read(chosen):
        for scored in run.scored:
            lines = (*_lines_of_test(run, scored, warning=chosen.asked.no_nearest), *_rivals(scored))
            yield from ([run.name, run.family, scored.scoring, *line] for line in lines)


def _lines_of_test(run: AlternativeFinding, scored: Scored, *, warning: str) -> Iterator[Row]:
    """From ε on: ρ, and ω for each cost. `warning`: how the items were chosen by what the test is of."""
    how = "; ".join(part for part in (warning, run.cuts.words if run.cuts and run.is_cut else "") if part)
    yield [None, "people", "advantage_probability", *estimated(scored.advantage, how=how)]
    for rate in scored.rates:
        note = "; ".join(part for part in (how, f"as of {rate.people}") if part)
        cells = [rate.value, None, None, rate.people_tested, "people", rate.won, rate.undefined, note]
        yield [rate.cost, "people", "winning_rate", *cells]


def _rivals(scored: Scored) -> Iterator[Row]:
    for rival in scored.rivals:
        for statistic, value in (
            ("model_at_least_as_near", rival.model),
            ("person_at_least_as_near", rival.person),
            ("p", rival.p),
            ("p_adjusted", rival.adjusted),
        ):
            yield [COST, rival.rater, statistic, value, None, None, rival.n, "items", None, "", rival.test]


# The test with each of the people: a thousand of them for each of ten runs take longer to read than a page.
RIVALS = Figure(
    key="rivals",
    part="models",
    title="Each annotator against each model",
    shape=TypeAdapter(tuple[AlternativeFinding, ...]),
    compute=lambda chosen: alternatives(chosen.panel),
)
ALTERNATIVE = Figure(
    key="alternative",
    part="models",
    title="Could a model replace an annotator?",
    shape=RIVALS.shape,
    compute=lambda chosen: listed(RIVALS.read(chosen)),
    answer=_answer,
    state=_state,
    tables=_tables,
    lines=_lines,
    download=Download(
        title="Alternative annotator test",
        says="each run as a replacement for each {one}",
        line="a statistic of the alternative annotator test of one run",
        columns=("run", "family", "scoring", "epsilon", "rater", "statistic", *CELLS),
        lines=_with_rivals,
        is_shared=False,
    ),
)
