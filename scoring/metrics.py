"""What can be measured of a model on a text. docs/metrics.md is the specification of each."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from annotation.tasktypes.contract import Numbers, ScoreRequest, Sentence, SentenceNumbers, Shape

# From what the model gave to what the metric says; most metrics say just that.
View = Callable[[Sentence, SentenceNumbers], float]


@dataclass(frozen=True, slots=True)
class Metric:
    """`shape` is the kind of request it needs; `families` are the models that have it.

    `measure` is what the model is asked to compute, if that is another metric: a `view` of its numbers is free
    where they are there already. `regions` are the parts of a sentence that it reads; what others read is no part
    of its question.
    """

    key: str
    version: str
    shape: Shape
    families: tuple[str, ...]
    description: str
    measure: str = ""
    view: View | None = None
    regions: tuple[str, ...] = ()

    @property
    def measured(self) -> str:
        return self.measure or self.key

    def question(self, request: ScoreRequest) -> ScoreRequest:
        """The request without what this metric does not read, so that a sentence is the same one in every pair."""
        if not isinstance(request, Sentence):
            return request
        read = tuple(region for region in request.regions if region.name in self.regions)
        return replace(request, regions=read)

    def seen(self, request: ScoreRequest, numbers: Numbers) -> Numbers:
        """The numbers as this metric shows them."""
        if self.view is None or not isinstance(request, Sentence) or not isinstance(numbers, SentenceNumbers):
            return numbers
        return replace(numbers, logprob=self.view(request, numbers))


def _per_token(request: Sentence, numbers: SentenceNumbers) -> float:
    return numbers.logprob / len(numbers.tokens)


def _per_word(request: Sentence, numbers: SentenceNumbers) -> float:
    return numbers.logprob / len(request.text.split())


def _per_character(request: Sentence, numbers: SentenceNumbers) -> float:
    return numbers.logprob / len(request.text)


MASKED, CAUSAL = ("masked",), ("causal",)
METRICS = {
    metric.key: metric
    for metric in (
        Metric("cloze", "5", "cloze", MASKED, "log-probability and rank of each word at the slot, and the top 10"),
        Metric("pll", "1", "sentence", MASKED, "pseudo-log-likelihood of the sentence (Salazar et al. 2020)"),
        Metric(
            "pll_within_word_l2r",
            "1",
            "sentence",
            MASKED,
            "pseudo-log-likelihood with the rest of the word masked too (Kauf and Ivanova 2023)",
        ),
        Metric("pll_whole_word", "1", "sentence", MASKED, "pseudo-log-likelihood with the whole word masked"),
        Metric("left_to_right", "1", "sentence", MASKED, "each token masked, given only what precedes it"),
        Metric(
            "verb",
            "2",
            "sentence",
            MASKED,
            "mean log-probability of the verb's tokens, given both sides",
            regions=("verb",),
        ),
        Metric(
            "last_word", "2", "sentence", MASKED, "mean log-probability of the last word's tokens, given both sides"
        ),
        Metric("causal", "3", "sentence", CAUSAL, "log-probability of the sentence, left to right"),
        Metric("causal_per_token", "3", "sentence", CAUSAL, "causal, over the number of tokens", "causal", _per_token),
        Metric("causal_per_word", "3", "sentence", CAUSAL, "causal, over the number of words", "causal", _per_word),
        Metric(
            "causal_per_character",
            "3",
            "sentence",
            CAUSAL,
            "causal, over the number of characters",
            "causal",
            _per_character,
        ),
        Metric(
            "continuation",
            "4",
            "sentence",
            CAUSAL,
            "the option and what follows it, given what precedes it",
            regions=("continuation",),
        ),
        Metric("causal_published", "3", "sentence", CAUSAL, "mean loss between two end tokens, times the token count"),
        Metric(
            "prompted",
            "2",
            "prompt",
            ("causal", "endpoint"),
            "asked in words as annotators are, options in balanced orders",
        ),
        Metric("label", "1", "label", ("baseline", "classifier"), "the label given to the item"),
    )
}


def metrics_of(family: str) -> list[Metric]:
    """The metrics that models of a family have."""
    return [metric for metric in METRICS.values() if family in metric.families]
