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

from annotation.tasktypes.contract import Result, ScoreRequest, Sentence, SentenceNumbers, Shape, Unscored
from scoring.baselines import LABELING
from scoring.baselines.associations.methods import METHODS
from scoring.scorers.words import count_of_words

RENAMED = {"logprob": "score", "tokens": "parts"}
# From what the model gave to what the metric says; most metrics say just that.
View = Callable[[Sentence, SentenceNumbers], float | Unscored]


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
    # A sentence on when to trust it, and its rule in docs/metrics.md.
    trust: str = ""
    rule: str = ""

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

    def seen(self, request: ScoreRequest, numbers: Result) -> Result:
        """The numbers as this metric shows them, or why it has none of them to show."""
        if self.view is None or not isinstance(request, Sentence) or not isinstance(numbers, SentenceNumbers):
            return numbers
        logprob = self.view(request, numbers)
        return logprob if isinstance(logprob, Unscored) else replace(numbers, logprob=logprob)


def _per_token(request: Sentence, numbers: SentenceNumbers) -> float:
    return numbers.logprob / len(numbers.tokens)


def _per_word(request: Sentence, numbers: SentenceNumbers) -> float | Unscored:
    count = count_of_words(request.text)
    return count if isinstance(count, Unscored) else numbers.logprob / count


def _per_character(request: Sentence, numbers: SentenceNumbers) -> float:
    return numbers.logprob / len(request.text)


MASKED, CAUSAL, LSTM = ("masked",), ("causal",), ("lstm",)
# Longer sentences have lower log-probabilities, whatever they say.
OF_EQUAL_LENGTH = "Compare texts of similar length: longer texts always have lower sums."
METRICS = {
    metric.key: metric
    for metric in (
        Metric(
            "cloze",
            "6",
            "cloze",
            MASKED,
            "log-probability and rank of each word at the slot, and the top 10",
            trust="Trust it for single words of similar frequency; otherwise compare with a neutral context.",
            rule="cloze",
        ),
        Metric(
            "pll",
            "1",
            "sentence",
            MASKED,
            "pseudo-log-likelihood of the sentence (Salazar et al. 2020)",
            trust="Words of several tokens score too high, because the rest of the word gives each token away.",
            rule="p1",
        ),
        Metric(
            "pll_within_word_l2r",
            "1",
            "sentence",
            MASKED,
            "pseudo-log-likelihood with the rest of the word also masked (Kauf and Ivanova 2023)",
            trust="Prefer it to pll when words have several tokens; longer sentences still have lower sums.",
            rule="p2",
        ),
        Metric(
            "pll_whole_word",
            "1",
            "sentence",
            MASKED,
            "pseudo-log-likelihood with the whole word masked",
            trust="Words of many tokens score too low, because none of their tokens sees another.",
            rule="p5",
        ),
        Metric(
            "left_to_right",
            "1",
            "sentence",
            MASKED,
            "log-probability of the sentence with each token masked and only the preceding text visible",
            trust="Masked models were not trained to read one-sided context; read it next to pll, never alone.",
            rule="p6",
        ),
        Metric(
            "verb",
            "2",
            "sentence",
            MASKED,
            "mean log-probability of the verb's tokens, given both contexts",
            trust="Trust it when sentences share the verb; different verbs also differ in frequency.",
            rule="p7",
            regions=("verb",),
            is_mean=True,
        ),
        Metric(
            "last_word",
            "3",
            "sentence",
            MASKED,
            "mean log-probability of the last word's tokens, given both contexts",
            trust="Trust it when sentences end in the same word or in words of similar frequency.",
            rule="p7",
            is_mean=True,
        ),
        Metric(
            "causal",
            "3",
            "sentence",
            CAUSAL,
            "log-probability of the sentence, left to right",
            trust=OF_EQUAL_LENGTH,
            rule="causal",
        ),
        *(
            Metric(
                f"causal_per_{unit}",
                version,
                "sentence",
                CAUSAL,
                f"log-probability of the sentence, left to right, divided by its number of {unit}s",
                "causal",
                view,
                trust="It corrects for length, and overcorrects where short texts are rare.",
                rule="l4",
            )
            for unit, version, view in (
                ("token", "3", _per_token),
                ("word", "4", _per_word),
                ("character", "3", _per_character),
            )
        ),
        Metric(
            "continuation",
            "4",
            "sentence",
            CAUSAL,
            "log-probability of the option and the text after it, given the text before it",
            trust="Trust it when options are about equally long; the preceding text is the same for all.",
            rule="l5",
            regions=("continuation",),
        ),
        Metric(
            "causal_published",
            "3",
            "sentence",
            CAUSAL,
            "mean loss between two end tokens, times the token count",
            trust="Use it to replicate the published scores, and causal for everything else.",
            rule="l6",
            is_mean=True,
        ),
        Metric(
            "prompted",
            "3",
            "prompt",
            ("causal", "endpoint"),
            "prompted with the question annotators see, options in balanced orders",
            trust="Trust it when the model answers with letters, and the same in every order (see Models).",
            rule="prompted",
        ),
        Metric(
            "sampled",
            "2",
            "prompt",
            ("endpoint",),
            "prompted several times, replies read as text; the most frequent answer over all orders counts",
            is_logprob=False,
            trust="Trust it when nearly every reply names an answer and most replies to an item agree (see its page).",
            rule="sampled",
        ),
        Metric(
            "label",
            "1",
            "label",
            (*LABELING, "classifier"),
            "the label given to the item",
            trust="Models must beat a baseline’s labels; a classifier’s labels hold for items like its training items.",
            rule="label",
        ),
        # The metric is the method, and the model is the store that it looks things up in.
        *(
            Metric(
                method,
                "1",
                "sentence",
                (method,),
                counted.description,
                is_logprob=counted.is_logprob,
                trust=counted.trust,
                rule=counted.rule,
            )
            for method, counted in METHODS.items()
        ),
        Metric(
            "lstm",
            "1",
            "sentence",
            LSTM,
            "log-probability of words and sentence ends",
            trust=(
                "It is only as good as its training text is similar to yours; compare texts with equal numbers of "
                "words."
            ),
            rule="what-it-gives",
        ),
        Metric(
            "lstm_unk",
            "1",
            "sentence",
            LSTM,
            "log-probability of words and sentence ends, with <unk> for unknown words, as published",
            trust="An unknown word gets the probability of all rare words together, which often decides a pair.",
            rule="what-it-gives",
        ),
    )
}


def metrics_of(method: str) -> list[Metric]:
    """The metrics that models of a method have."""
    return [metric for metric in METRICS.values() if method in metric.methods]
