"""What can be measured of a model on a text. docs/metrics.md is the specification of each.

To add one more:

1. Its rule in docs/metrics.md, with a number that tests can quote.
2. A `Metric` in METRICS below: its kind of request, and the methods that have it. What is another view of numbers that
   are there already names its `measure` and its `view`, and is done.
3. What computes it, in the scorer of each of those methods (scoring/scorers), with tests that know the numbers from
   elsewhere; tests/scoring/scorers/test_contract.py puts every task type to it. A new rule is a new `version`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from annotation.tasktypes.contract import Numbers, ScoreRequest, Sentence, SentenceNumbers, Shape
from scoring.baselines import LABELING
from scoring.baselines.associations.methods import METHODS

RENAMED = {"logprob": "score", "tokens": "parts"}
# From what the model gave to what the metric says; most metrics say just that.
View = Callable[[Sentence, SentenceNumbers], float]


@dataclass(frozen=True, slots=True)
class Metric:
    """`shape` is the kind of request it needs; models of these `methods` have it.

    `measure` is what the model is asked to compute, if that is another metric: a `view` of its numbers is free
    where they are there already. `regions` are the parts of a sentence that it reads; what others read is no part
    of its question.
    """

    key: str
    version: str
    shape: Shape
    methods: tuple[str, ...]
    description: str
    measure: str = ""
    view: View | None = None
    regions: tuple[str, ...] = ()
    # False where the numbers are associations or cosines: they are not to be called log-probabilities anywhere.
    is_logprob: bool = True
    # True where the number is a mean over tokens: it is not the log-probability of anything as a whole.
    is_mean: bool = False

    @property
    def is_total(self) -> bool:
        """Whether its numbers are log-probabilities of whole texts or words, which may be shared among options."""
        return self.is_logprob and self.view is None and not self.is_mean

    def renamed(self, detail: dict[str, Any]) -> dict[str, Any]:
        """A readout's detail by its right names: what is no log-probability is a `score` with `parts`."""
        if self.is_logprob or "options" not in detail:
            return detail
        options = {
            name: {RENAMED.get(field, field): value for field, value in option.items()}
            for name, option in detail["options"].items()
        }
        tie = {"no_decision": "the best options have the same score"} if "no_decision" in detail else {}
        return {**detail, "options": options, **tie}

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


MASKED, CAUSAL, LSTM = ("masked",), ("causal",), ("lstm",)
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
            is_mean=True,
        ),
        Metric(
            "last_word",
            "2",
            "sentence",
            MASKED,
            "mean log-probability of the last word's tokens, given both sides",
            is_mean=True,
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
        Metric(
            "causal_published",
            "3",
            "sentence",
            CAUSAL,
            "mean loss between two end tokens, times the token count",
            is_mean=True,
        ),
        Metric(
            "prompted",
            "2",
            "prompt",
            ("causal", "endpoint"),
            "asked in words as annotators are, options in balanced orders",
        ),
        Metric("label", "1", "label", (*LABELING, "classifier"), "the label given to the item"),
        # The metric is the method, and the model is the store that it looks things up in.
        *(
            Metric(method, "1", "sentence", (method,), counted.description, is_logprob=counted.is_logprob)
            for method, counted in METHODS.items()
        ),
        Metric("lstm", "1", "sentence", LSTM, "log-probability of the words and sentence ends"),
        Metric(
            "lstm_unk",
            "1",
            "sentence",
            LSTM,
            "the same, with <unk> for unknown words, as published",
        ),
    )
}


def metrics_of(method: str) -> list[Metric]:
    """The metrics that models of a method have."""
    return [metric for metric in METRICS.values() if method in metric.methods]
