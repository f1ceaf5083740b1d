"""What can be measured of a model on a text. docs/metrics.md is the specification of each."""

from dataclasses import dataclass

from annotation.tasktypes.contract import Shape


@dataclass(frozen=True, slots=True)
class Metric:
    """`shape` is the kind of request it needs; `families` are the models that have it."""

    key: str
    version: str
    shape: Shape
    families: tuple[str, ...]
    description: str


METRICS = {
    metric.key: metric
    for metric in (
        Metric("cloze", "1", "cloze", ("masked",), "log-probability and rank of each word at the slot, and the top 10"),
        Metric("pll", "1", "sentence", ("masked",), "pseudo-log-likelihood of the sentence (Salazar et al. 2020)"),
        Metric(
            "pll_within_word_l2r",
            "1",
            "sentence",
            ("masked",),
            "pseudo-log-likelihood with the rest of the word masked too (Kauf and Ivanova 2023)",
        ),
        Metric("causal", "1", "sentence", ("causal",), "log-probability of the sentence, left to right"),
        Metric("label", "1", "label", ("baseline", "classifier"), "the label given to the item"),
    )
}


def metrics_of(family: str) -> list[Metric]:
    """The metrics that models of a family have."""
    return [metric for metric in METRICS.values() if family in metric.families]
