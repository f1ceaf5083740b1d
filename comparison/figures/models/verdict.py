"""The verdict on runs: its lines, its table from the nearest run to the furthest, and the picture of nearness."""

import math
from collections.abc import Iterable, Iterator, Mapping

from annotation.models.population import Words
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import Row, estimated
from comparison.figures.findings import FINDINGS, Findings, RunFinding
from comparison.figures.table import BONETT_WRIGHT, BOTH, DRAWN, TWO_WAY, Cell, Column, Number, Rater, Table
from comparison.frame.selected import Selected
from comparison.pictures.charts import BASELINE, MODEL, Band, Dot, ReferenceLine, dot_plot
from comparison.pictures.vega_lite import Spec
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.strengths.cut_points import by_cut_points
from comparison.statistics.verdict.measure import ACCURACY, DISTANCE, KAPPA, RHO
from comparison.statistics.verdict.parts import Placed, Runs, Verdict
from comparison.statistics.verdict.rare import Rare
from comparison.statistics.verdict.words.wording import CUT
from corpus.errors import counted

# Marks the runs that name no label themselves.
CUT_WORDS = "Labels by cut points on a score; the tick is their chance level, the same labels shuffled"
CEILING = "split-half ceiling"
# Of a verdict that has the names that files have.
NO_NAMES: Mapping[int, str] = {}
MEASURED = {ACCURACY: "Accuracy", KAPPA: "Quadratic κ", DISTANCE: "Degrees", RHO: "Spearman’s ρ"}
METHODS = {ACCURACY: BOTH, RHO: BONETT_WRIGHT}


# --- The table --------------------------------------------------------------------------------------


def _tables(chosen: Selected) -> Iterator[Table]:
    """From the nearest run to the furthest; nothing where runs may not be judged on these items."""
    verdict, people = chosen.verdict, chosen.study.people
    runs, measure = verdict.runs, chosen.measure_words
    if not runs.placed or chosen.selection.no_nearest:
        return
    verb, sides = ("scored", "two") if verdict.measure == RHO else ("labeled", "one")
    # By ρ no one person stands beside a run.
    person_method = "" if verdict.measure == RHO else f"for one {people.annotators.removesuffix('s')}, {TWO_WAY}; "
    cut = "".join(f"; {how}" for how in dict.fromkeys(one.how for one in runs.placed if one.how))
    yield Table(
        name="verdict",
        title=f"Runs from nearest to farthest, by {measure} against {chosen.measured_against}",
        columns=_columns(chosen, verdict),
        rows=tuple(_cells(one, runs, chosen.outline.titles[one.run]) for one in runs.placed),
        rests_on=f"n = {counted(runs.items, 'item')} that all these runs have {verb}; "
        f"chance is {plain(runs.chance, decimals=2)}{cut}",
        method=f"{METHODS.get(verdict.measure, DRAWN)}; {person_method}tests are {sides}-sided, with Holm’s correction"
        f"{'. ' if runs.of_each_run else ''}{runs.of_each_run}",
    )


def _columns(chosen: Selected, verdict: Verdict) -> tuple[str | Column, ...]:
    runs, measure = verdict.runs, chosen.measure_words
    constant = f"Always “{verdict.constant_label}” ({runs.constant_words}) is nearer" if runs.constant else ""
    return (
        "Run",
        Column(f"{measure[0].upper()}{measure[1:]}", verdict.measure),
        Column("Rank", "rank"),
        Column("Nearest", "nearest", is_text=True),
        Column("First, of 100 resamples", "best"),
        Column(f"Better than chance ({runs.chance_words})", "told", is_text=True),
        *([Column("Better than its labels shuffled", is_text=True)] if runs.can_favor else []),
        *([Column(constant, is_text=True)] if constant else []),
        Column(f"vs. one {chosen.study.people.annotators.removesuffix('s')}", "beside_person"),
    )


def _cells(one: Placed, runs: Runs, name: str) -> tuple[Cell, ...]:
    return (
        Rater(name=name, title=one.name, is_baseline=one.is_baseline),
        one.value,
        Number(one.rank and one.rank[0], "baseline" if one.is_baseline else one.rank_words),
        "" if one.is_baseline else "yes" if one in runs.nearest else "no",
        Number(one.best, one.best_words),
        one.over_chance_words,
        *([one.over_dealt_words] if runs.can_favor else []),
        *([one.under_constant_words] if runs.constant else []),
        one.beside,
    )


# --- The picture ------------------------------------------------------------------------------------


def _charts(chosen: Selected) -> dict[str, Chart]:
    verdict, people = chosen.verdict, chosen.study.people
    spec = nearness_chart(FINDINGS.read(chosen), verdict, against=chosen.selection.against, people=people)
    caption = nearness_caption(verdict, chosen.measure_words, against=chosen.measured_against, people=people)
    return Chart.of("accuracy", spec, caption)


def nearness_chart(findings: Findings, reached: Verdict, *, against: str, people: Words) -> Spec | None:
    """Every compared run by the study's measure, with the band of one person, chance and the best constant label.

    All on the items that all of these runs have labeled. Where none can be compared, each run's accuracy on its own.
    """
    runs = reached.runs
    if not runs.placed:
        return _accuracy_figure(findings, against=against, people=people)
    return dot_plot(
        [_placed(one) for one in runs.placed],
        axis=f"{MEASURED[reached.measure]} {_against_words(reached, against, people)}, n = {runs.items:,}",
        band=Band(runs.person, people.many, CEILING if reached.measure == RHO else f"one {people.one}"),
        domain=_domain(reached.measure, [*(one.value for one in runs.placed), runs.person]),
        title=synthetic(people),
        lines=_lines(reached),
    )


def nearness_caption(reached: Verdict, measure: str, *, against: str, people: Words) -> str:
    """What that figure shows, with `measure` and what runs are held `against` in words."""
    runs = reached.runs
    if not runs.placed:
        text = f"How often each run gives {against}, each on its own items, with 95 % intervals (Wilson)."
        return f"{text} Circles are models, diamonds baselines."
    items = "item" if runs.items == 1 else "items"
    preposition = "with" if reached.measure == RHO else "against"
    text = f"{measure[0].upper()}{measure[1:]} {preposition} {against} on the {runs.items:,} {items} that all "
    truth = "the reference" if "reference" in against else "the majority of the others"
    one = runs.person
    over = f"{one.n:,} {one.note}" if one.n != 1 else "1 label"
    band = "" if one.value is None else f"; the band is one {people.one} vs. {truth}, over {over}"
    if reached.measure == RHO:
        band = "" if one.value is None else f"; the band is people’s means vs. those of equally many others ({CEILING})"
    lines = ["chance"] if runs.has_common_chance else []
    lines += [] if runs.constant is None else ["the best constant label"]
    dotted = f" Dotted: {' and '.join(lines)}." if lines else ""
    cut = f" {CUT} {CUT_WORDS}." if any(one.how for one in runs.placed) else ""
    verb = "scored" if reached.measure == RHO else "labeled"
    text += f"these runs have {verb}, with 95 % intervals. Circles are models, diamonds baselines{band}."
    each = f" {runs.of_each_run}" if runs.of_each_run else ""
    return f"{text}{dotted}{cut}{each}"


def _against_words(reached: Verdict, against: str, people: Words) -> str:
    if reached.measure != RHO:
        return f"against {against}"
    return f"with {'the reference' if against == 'reference' else f'the mean ratings of {people.many}'}"


def _placed(one: Placed) -> Dot | None:
    """With the chance that it was tested against, where that is its own."""
    return Dot.of(
        _row(one), one.name, BASELINE if one.is_baseline else MODEL, one.value, chance=one.chance if one.how else None
    )


def _row(one: Placed) -> str:
    """Its name as short as it can be: on a phone the rest of a long one is cut off."""
    return f"{one.name.removesuffix(by_cut_points(''))} {CUT}" if one.how else one.name


def _domain(measure: str, values: Iterable[Estimate]) -> tuple[float, float]:
    """All of a share's scale; of κ as far below 0, and of degrees as far up, as there is something to draw."""
    ends = [end for one in values for end in (one.low, one.value, one.high) if end is not None]
    if measure == DISTANCE:
        return 0.0, max(1.0, math.ceil(max(ends)))
    return (min(0.0, math.floor(10 * min(ends)) / 10) if measure in (KAPPA, RHO) else 0.0), 1.0


def _accuracy_figure(findings: Findings, *, against: str, people: Words) -> Spec | None:
    return dot_plot(
        [
            Dot.of(one.title, one.title, BASELINE if one.is_baseline else MODEL, one.against(against).hits.accuracy)
            for one in _ranked(findings, against)
        ],
        axis=f"Accuracy against {against}",
        band=Band(findings.band(against), people.many, f"One {people.one}"),
        domain=(0, 1),
        title=synthetic(people),
    )


def _lines(reached: Verdict) -> list[ReferenceLine]:
    """What tells nothing: chance, and the best constant label."""
    runs, words = reached.runs, reached.words
    lines = [ReferenceLine(runs.chance, "chance")] if runs.has_common_chance else []
    if runs.constant is not None:
        lines.append(ReferenceLine(runs.constant.value, f"always {words[runs.constant.code]}"))
    return lines


def _ranked(findings: Findings, against: str) -> list[RunFinding]:
    return sorted(findings.runs, key=lambda run: -(run.against(against).hits.accuracy.value or 0.0))


# --- Its lines of the report ------------------------------------------------------------------------


def verdict_lines(verdict: Verdict, *, is_judged: bool, names: Mapping[int, str] = NO_NAMES) -> Iterator[Row]:
    """From the section on: section, rater, family, against, statistic, then the cells of an estimate.

    `names` are the runs', where they are not those of the verdict. Where runs may not be judged on these items, no rank
    and no test of theirs is among them.
    """
    against = verdict.against
    for part, text in [("headline", verdict.headline), *((one.part, one.text) for one in verdict.findings)]:
        yield ["verdict", "", "", against, part, None, None, None, None, "", None, "", text]
    if not verdict.runs.placed:
        return
    yield _number(verdict, "", "chance_level", verdict.runs.chance)
    if verdict.runs.constant is not None:
        always = f"always {verdict.words[verdict.runs.constant.code]}"
        yield _number(verdict, "", "best_constant", verdict.runs.constant.value, note=always)
    yield [
        "verdict",
        "people, split halves" if verdict.measure == RHO else "one person",
        "",
        against,
        _shared(verdict),
        *estimated(verdict.runs.person),
    ]
    for placed in verdict.runs.placed:
        yield from _placed_lines(verdict, placed, names.get(placed.run, placed.name), is_judged=is_judged)
    if is_judged and verdict.runs.rare is not None:
        yield from _rare_lines(verdict, verdict.runs.rare, names)


def _rare_lines(verdict: Verdict, rare: Rare, names: Mapping[int, str]) -> Iterator[Row]:
    """Who finds the rarest class."""
    for one in rare.finders:
        name = names.get(one.run, one.name)
        head = ["verdict", name, "", verdict.against]
        label = verdict.words[rare.code]
        yield [*head, "recall_of_rare", *estimated(one.recall, how=label)]
        yield [*head, "precision_of_rare", *estimated(one.precision, how=label)]
        yield _number(verdict, name, "p_rare_not_found", one.p, note="one-sided, Holm")


def _placed_lines(verdict: Verdict, one: Placed, name: str, *, is_judged: bool) -> Iterator[Row]:
    head = ["verdict", name, "baseline" if one.is_baseline else "", verdict.against]
    yield [*head, _shared(verdict), *estimated(one.value, how=one.how)]
    if not is_judged:
        return
    if one.rank is not None:
        yield [*head, "rank", None, *one.rank, verdict.runs.items, "items", None, "", "range among the models"]
    if one.best is not None:
        yield _number(verdict, name, "first_in_resamples", one.best)
        yield _number(verdict, name, "cannot_be_told_from_best", float(one.nearest))
    if one.how:
        yield _number(verdict, name, "chance_level", one.chance, note="the same labels, shuffled across items")
    note = "two-sided, Holm" if verdict.measure == RHO else "one-sided, Holm"
    yield _number(verdict, name, "p_no_better_than_chance", one.over_chance, note=note)
    yield _number(verdict, name, "p_no_better_than_shuffled", one.over_dealt, note=note)
    if one.under_constant is not None:
        yield _number(verdict, name, "p_constant_no_better", one.under_constant, note="one-sided, Holm")
    if one.nearest and one.joint != one.value:
        how = "simultaneous 95 % for all nearest models"
        yield [*head, f"{_shared(verdict)}_at_once", *estimated(one.joint, how=how)]
    yield [*head, "nearer_than_one_person", *estimated(one.beside)]


def _number(verdict: Verdict, rater: str, statistic: str, value: float, *, note: str = "") -> Row:
    line = ["verdict", rater, "", verdict.against, statistic]
    return [*line, value, None, None, verdict.runs.items, "items", None, "", note]


def _shared(verdict: Verdict) -> str:
    """Not to be taken for the measure on all items that one run has labeled."""
    return f"{verdict.measure}_on_shared_items"


VERDICT = Figure(
    key="verdict",
    part="overview",
    title="Which models are nearest?",
    shape=None,
    compute=lambda chosen: chosen.verdict,
    tables=_tables,
    charts=_charts,
    lines=lambda chosen: verdict_lines(
        chosen.verdict, is_judged=not chosen.selection.no_nearest, names=chosen.outline.titles
    ),
)
