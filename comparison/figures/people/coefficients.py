"""How far people agree: the figures that the page shows, and the others that papers ask for. Free of Django."""

from dataclasses import dataclass
from functools import partial

from comparison.frame.coded import Coded
from comparison.frame.panel import Panel
from comparison.statistics.agreement.alpha import Level, alpha_form, krippendorff_alpha, reliability
from comparison.statistics.agreement.cohen import conger, repeated
from comparison.statistics.agreement.from_counts import brennan_prediger, fleiss, gwet, gwet_form, percent_agreement
from comparison.statistics.agreement.pairwise import mean_cohen, mean_scott, meet
from comparison.statistics.agreement.raters import over_both, over_raters
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample


@dataclass(frozen=True, slots=True)
class Named:
    """A statistic under its name; the glossary has its key."""

    key: str
    name: str
    estimate: Estimate


def among_people(panel: Panel) -> tuple[Named, ...]:
    """From counts: percent agreement, and beyond chance the coefficients that fit the scale."""
    return from_counts(panel.counts, panel.sample, ordered=panel.ordered, numbers=panel.numbers)


def from_counts(counts: Ints, sample: Sample, *, ordered: bool, numbers: tuple[float, ...]) -> tuple[Named, ...]:
    """Percent agreement and coefficients from counts of shape (items, values)."""
    alpha = partial(krippendorff_alpha, counts, sample=sample)
    coefficients = [
        Named(
            "percent_agreement",
            "Percent agreement",
            percent_agreement(counts, sample=sample),
        ),
        Named(
            "ac1",
            "Gwet’s AC1",
            gwet(counts, sample=sample),
        ),
    ]
    if ordered:
        ac2 = gwet(counts, weighting="ordinal", sample=sample)
        coefficients.append(Named("ac2_ordinal", "Gwet’s AC2, ordinal weights", ac2))
    coefficients.append(Named("fleiss_kappa", "Fleiss’ κ", fleiss(counts, sample=sample)))
    of_one = alpha(level="nominal")
    coefficients.append(Named("alpha_nominal", "Krippendorff’s α, nominal", of_one))
    if ordered:
        of_one = alpha(level="ordinal")
        coefficients.append(Named("alpha_ordinal", "Krippendorff’s α, ordinal", of_one))
    together = reliability(counts, of_one, sample=sample)
    coefficients.append(Named("reliability", "Reliability of all labels per item", together))
    if numbers:
        of_numbers = alpha(level="interval", numbers=numbers)
        coefficients.append(Named("alpha_interval", "Krippendorff’s α, interval", of_numbers))
    return tuple(coefficients)


def others(panel: Panel, labels: Coded) -> tuple[Named, ...]:
    """What else papers ask for; mostly from labels one by one, so that a million of them cost seconds."""
    return (*_other_coefficients(panel, labels), *_other_people(panel, labels))


def with_oneself(panel: Panel, labels: Coded) -> tuple[Named, ...]:
    """Of labels that the same annotators gave again: would they say the same another time?"""
    values = len(panel.values)
    repeats = repeated(labels.items, labels.raters, labels.labels, values=values)
    coefficients = [
        Named("oneself_percent", "Intra-annotator, percent", repeats.percent),
        Named("oneself_kappa", "Intra-annotator, κ", repeats.kappa),
    ]
    if panel.ordered:
        weighted = repeated(labels.items, labels.raters, labels.labels, values=values, weighting="quadratic")
        coefficients.append(Named("oneself_quadratic", "Intra-annotator, κ, quadratic weights", weighted.kappa))
    return tuple(coefficients)


def _other_coefficients(panel: Panel, labels: Coded) -> list[Named]:
    counts, sample, values = panel.counts, panel.sample, len(panel.values)
    met = meet(labels.items, labels.raters, labels.labels, sample=sample)
    cohen = partial(mean_cohen, met, values=values)
    coefficients = [Named("cohen_kappa", "Cohen’s κ, mean over pairs", cohen())]
    if panel.ordered:
        coefficients.append(Named("cohen_linear", "Cohen’s κ, linear weights", cohen(weighting="linear")))
        coefficients.append(Named("cohen_quadratic", "Cohen’s κ, quadratic weights", cohen(weighting="quadratic")))
    coefficients.append(Named("scott_pi", "Scott’s π, mean over pairs", mean_scott(met, values=values)))
    of_all = conger(labels.items, labels.raters, labels.labels, values=values, sample=sample)
    coefficients.append(Named("conger_kappa", "Conger’s κ", of_all))
    coefficients.append(Named("brennan_prediger", "Brennan–Prediger", brennan_prediger(counts, sample=sample)))
    if panel.ordered:
        for weighting in ("linear", "quadratic"):
            ac2 = gwet(counts, weighting=weighting, sample=sample)
            coefficients.append(Named(f"ac2_{weighting}", f"Gwet’s AC2, {weighting} weights", ac2))
    if panel.numbers:
        of_ratios = krippendorff_alpha(counts, level="ratio", numbers=panel.numbers, sample=sample)
        coefficients.append(Named("alpha_ratio", "Krippendorff’s α, ratio", of_ratios))
    return coefficients


def _other_people(panel: Panel, labels: Coded) -> list[Named]:
    """The coefficients with intervals over annotators: would other people have agreed as much?"""
    columns, values = (labels.items, labels.raters, labels.labels), len(panel.values)
    level: Level = "ordinal" if panel.ordered else "nominal"
    coefficients = []
    for key, name, form in (
        ("ac1", "Gwet’s AC1", gwet_form(values)),
        (f"alpha_{level}", f"Krippendorff’s α, {level}", alpha_form(values, level)),
    ):
        of_raters = over_raters(form, *columns, values=values)
        coefficients.append(Named(f"{key}_raters", f"{name}, over annotators", of_raters))
        of_both = over_both(form, *columns, values=values, sample=panel.sample)
        coefficients.append(Named(f"{key}_both", f"{name}, over both", of_both))
    return coefficients
