"""How far people agree: the figures that the page shows, and the others that papers ask for. Free of Django."""

from dataclasses import dataclass
from functools import partial

from comparison.frame.coded import Coded
from comparison.frame.panel import Panel
from comparison.statistics.agreement.alpha import Level, alpha_form, krippendorff_alpha
from comparison.statistics.agreement.brennan import brennan_prediger
from comparison.statistics.agreement.conger import conger
from comparison.statistics.agreement.fleiss import fleiss
from comparison.statistics.agreement.gwet import gwet, gwet_form
from comparison.statistics.agreement.pairwise import mean_cohen, mean_scott, meet
from comparison.statistics.agreement.percent import percent_agreement
from comparison.statistics.agreement.raters import over_both, over_raters
from comparison.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Named:
    """A statistic under its name, with what it means in a sentence."""

    key: str
    name: str
    meaning: str
    estimate: Estimate


def among_people(panel: Panel) -> tuple[Named, ...]:
    """From counts: percent agreement, and beyond chance the coefficients that fit the scale."""
    counts, sample = panel.counts, panel.sample
    alpha = partial(krippendorff_alpha, counts, sample=sample)
    found = [
        Named(
            "percent_agreement",
            "Percent agreement",
            "The share of pairs of labels on one item that are the same. Chance is in it.",
            percent_agreement(counts, sample=sample),
        ),
        Named(
            "ac1",
            "Gwet’s AC1",
            "Agreement beyond chance; it stays readable where one label is far more common than the others.",
            gwet(counts, sample=sample),
        ),
    ]
    if panel.ordered:
        words = "The same, with labels that are near on the scale agreeing in part."
        ac2 = gwet(counts, weighting="ordinal", sample=sample)
        found.append(Named("ac2_ordinal", "Gwet’s AC2, ordinal weights", words, ac2))
    words = "Agreement beyond chance, all annotators at once; low where one label is far more common than the others."
    found.append(Named("fleiss_kappa", "Fleiss’ κ", words, fleiss(counts, sample=sample)))
    words = "Agreement beyond chance; any number of labels an item, with a correction for few of them."
    found.append(Named("alpha_nominal", "Krippendorff’s α, nominal", words, alpha(level="nominal")))
    if panel.ordered:
        words = "The same, with labels further apart on the scale disagreeing more."
        found.append(Named("alpha_ordinal", "Krippendorff’s α, ordinal", words, alpha(level="ordinal")))
    if numbers := panel.numbers:
        words = "The same, with labels taken as numbers: twice as far apart disagrees four times as much."
        of_numbers = alpha(level="interval", numbers=numbers)
        found.append(Named("alpha_interval", "Krippendorff’s α, interval", words, of_numbers))
    return tuple(found)


def others(panel: Panel, labels: Coded) -> tuple[Named, ...]:
    """What else papers ask for; mostly from labels one by one, so that a million of them cost seconds."""
    return (*_other_coefficients(panel, labels), *_other_people(panel, labels))


def _other_coefficients(panel: Panel, labels: Coded) -> list[Named]:
    counts, sample, values = panel.counts, panel.sample, len(panel.values)
    met = meet(labels.items, labels.raters, labels.labels, sample=sample)
    cohen = partial(mean_cohen, met, values=values)
    words = "Agreement beyond chance of every two annotators who share items; each guesses with shares of their own."
    found = [Named("cohen_kappa", "Cohen’s κ, mean over pairs", words, cohen())]
    if panel.ordered:
        words = "The same, with near labels agreeing in part: by distance on the scale."
        found.append(Named("cohen_linear", "Cohen’s κ, linear weights", words, cohen(weighting="linear")))
        words = "The same, by squared distance on the scale."
        found.append(Named("cohen_quadratic", "Cohen’s κ, quadratic weights", words, cohen(weighting="quadratic")))
    words = "Agreement beyond chance of every two annotators who share items; both guess with the shares of the two."
    found.append(Named("scott_pi", "Scott’s π, mean over pairs", words, mean_scott(met, values=values)))
    words = "Cohen’s κ for all annotators at once: each guesses with shares of labels of their own."
    of_all = conger(labels.items, labels.raters, labels.labels, values=values, sample=sample)
    found.append(Named("conger_kappa", "Conger’s κ", words, of_all))
    words = "Agreement beyond guessing among all labels of the scale alike."
    found.append(Named("brennan_prediger", "Brennan–Prediger", words, brennan_prediger(counts, sample=sample)))
    if panel.ordered:
        for weighting in ("linear", "quadratic"):
            words = f"AC1 with near labels agreeing in part, by {weighting} weights."
            ac2 = gwet(counts, weighting=weighting, sample=sample)
            found.append(Named(f"ac2_{weighting}", f"Gwet’s AC2, {weighting} weights", words, ac2))
    return found


def _other_people(panel: Panel, labels: Coded) -> list[Named]:
    """The same values with intervals over annotators: would other people have agreed as much?"""
    said, values = (labels.items, labels.raters, labels.labels), len(panel.values)
    level: Level = "ordinal" if panel.ordered else "nominal"
    found = []
    for key, name, form in (
        ("ac1", "Gwet’s AC1", gwet_form(values)),
        (f"alpha_{level}", f"Krippendorff’s α, {level}", alpha_form(values, level)),
    ):
        words = "The interval is for other annotators of the same items."
        of_raters = over_raters(form, *said, values=values)
        found.append(Named(f"{key}_raters", f"{name}, over annotators", words, of_raters))
        words = "The interval is for other annotators of other items."
        of_both = over_both(form, *said, values=values, sample=panel.sample)
        found.append(Named(f"{key}_both", f"{name}, over both", words, of_both))
    return found
