"""The charts of the results, drawn of findings."""

import math
from collections.abc import Iterable

from annotation.models.population import Words
from comparison.figures.figure import synthetic
from comparison.figures.findings import Findings, RunFinding
from comparison.pictures.charts import BASELINE, MODEL, Band, Dot, ReferenceLine, Spec, dot_plot
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.cut_points import by_cut_points
from comparison.statistics.verdict.measure import ACCURACY, DISTANCE, KAPPA, RHO
from comparison.statistics.verdict.parts import Placed, Verdict

# Marks the runs that name no label themselves.
CUT = "†"
CUT_WORDS = (
    "Gives strengths; its degrees are by cut points, and chance for them, the tick, is the same degrees shuffled"
)
CEILING = "split-half ceiling"
MEASURED = {ACCURACY: "Accuracy", KAPPA: "Quadratic κ", DISTANCE: "Degrees", RHO: "Spearman’s ρ"}


def nearness_figure(found: Findings, reached: Verdict, *, against: str, people: Words) -> Spec | None:
    """Every compared run by the study's measure, with the band of one person, chance and the best constant label.

    All on the items that all of these runs have labeled. Where none can be compared, each run's accuracy on its own.
    """
    runs = reached.runs
    if not runs.placed:
        return _accuracy_figure(found, against=against, people=people)
    return dot_plot(
        [_placed(one) for one in runs.placed],
        axis=f"{MEASURED[reached.measure]} {_beside(reached, against, people)}, n = {runs.items:,}",
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
    beside = "with" if reached.measure == RHO else "against"
    text = f"{measure[0].upper()}{measure[1:]} {beside} {against} on the {runs.items:,} {items} that all of "
    truth = "the reference" if "reference" in against else "the majority of the others"
    one = runs.person
    over = f"{one.n:,} {one.note}" if one.n != 1 else "1 label"
    band = "" if one.value is None else f"; the band is one {people.one} against {truth}, over {over}"
    if reached.measure == RHO:
        band = "" if one.value is None else f"; the band is people’s means with those of as many others ({CEILING})"
    lines = ["chance"] if runs.has_common_chance else []
    lines += [] if runs.constant is None else ["the best constant label"]
    dotted = f" Dotted: {' and '.join(lines)}." if lines else ""
    cut = f" {CUT} {CUT_WORDS}." if any(one.how for one in runs.placed) else ""
    done = "scored" if reached.measure == RHO else "labeled"
    text += f"these runs have {done}, with 95 % intervals. Circles are models, diamonds baselines{band}."
    each = f" {runs.of_each_run}" if runs.of_each_run else ""
    return f"{text}{dotted}{cut}{each}"


def _beside(reached: Verdict, against: str, people: Words) -> str:
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


def _accuracy_figure(found: Findings, *, against: str, people: Words) -> Spec | None:
    return dot_plot(
        [_dot(one, one.against(against).hits.accuracy, row=one.title) for one in _ranked(found, against)],
        axis=f"Accuracy against {against}",
        band=Band(found.band(against), people.many, f"One {people.one}"),
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


def _ranked(found: Findings, against: str) -> list[RunFinding]:
    return sorted(found.runs, key=lambda run: -(run.against(against).hits.accuracy.value or 0.0))


def _dot(run: RunFinding, estimate: Estimate, *, row: str) -> Dot | None:
    return Dot.of(row, row, BASELINE if run.is_baseline else MODEL, estimate)
