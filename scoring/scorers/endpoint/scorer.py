"""A model behind an OpenAI-compatible endpoint, asked in words: by log-probabilities, or several times by its replies.

The rules are those of `prompted` and `sampled` (docs/metrics.md).

One token is asked for, and the letters' log-probabilities are read from its alternatives. Nothing is sampled.

For servers that give no log-probabilities, and for how consistent a model is with itself (Wang et al. 2023,
arXiv:2203.11171): several answers are sampled, and the one that most of them name stands.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.contract import Prompted, PromptNumbers, Result, SampledNumbers, ScoreRequest, Unscored
from annotation.tasktypes.readouts import answers_by_order
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.endpoint.calling import Endpoint, call, written
from scoring.scorers.endpoint.replies import read
from scoring.scorers.questions import WORDING, labels, messages, orders

# The most that the protocol gives.
ALTERNATIVES = 20
ROUNDING = 1e-3
LETTER: dict[str, Any] = {"max_tokens": 1, "temperature": 0, "logprobs": True, "top_logprobs": ALTERNATIVES}


class EndpointScorer:
    """The model `spec.source` behind `endpoint`, which whoever opens it hands in."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any], endpoint: Endpoint) -> None:
        if not endpoint.url:
            raise ModelError("the settings list no endpoint (PROMPT_ENDPOINT)")
        if spec.source not in endpoint.models:
            raise ModelError(f"{spec.source} is not listed in PROMPT_ENDPOINT_MODELS")
        self.endpoint, self.model, self.address = endpoint, spec.source, written(endpoint.url)
        started_for = settings.get("endpoint", "an unrecorded address")
        if started_for != self.address:
            raise ModelError(
                f"the run was started for {started_for}, but this worker's settings list {self.address} "
                f"(PROMPT_ENDPOINT); use one address everywhere and start the run again"
            )

    def provenance(self) -> dict[str, Any]:
        return {
            "endpoint": self.address,
            "model": self.model,
            "alternatives": ALTERNATIVES,
            "prompt_wording": WORDING,
            "instructions_in": "a system message",
        }

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        silent = Unscored("this model is prompted and gives no sentence probabilities")
        return [self._score(one) if isinstance(one, Prompted) else silent for one in requests]

    def _score(self, request: Prompted) -> Result:
        option_orders = orders(request.options, ordered=request.ordered)
        logprobs = []
        for place, order in enumerate(option_orders):
            read = letters_in(self.said(messages(request, place), LETTER), labels(len(order)))
            if isinstance(read, Unscored):
                return read
            logprobs.append(read)
        return PromptNumbers(tuple(tuple(value for value, _ in order) for order in option_orders), tuple(logprobs))

    def said(self, chat: list[dict[str, str]], params: Mapping[str, Any]) -> Mapping[str, Any]:
        """The endpoint's whole answer to one chat; `params` is what is asked for besides."""
        prompt = hashlib.sha256(json.dumps(chat, sort_keys=True).encode()).hexdigest()
        return call(
            self.endpoint.url,
            self.endpoint.key,
            {"model": self.model, "messages": chat, **params},
            hold=self.endpoint.hold,
            record=lambda attempt: self.endpoint.record(prompt, attempt),
        )


def letters_in(body: Mapping[str, Any], letters: Sequence[str]) -> tuple[float, ...] | Unscored:
    """Each letter's log-probability: the sum over its spellings with and without a space before it."""
    try:
        [first, *_] = body["choices"][0]["logprobs"]["content"]
        alternatives = [(str(one["token"]).strip(), float(one["logprob"])) for one in first["top_logprobs"]]
        # Rounding may lift a certainty a little above 0; what is farther above is no logarithm of a probability.
        sound = not any(logprob > ROUNDING for _, logprob in alternatives)
    except (KeyError, IndexError, TypeError, ValueError):
        sound = False
    if not sound:
        raise ModelError(
            "the endpoint gives no log-probabilities of alternative answers; use the metric sampled instead"
        )
    logprobs = []
    for letter in letters:
        share = math.fsum(math.exp(logprob) for token, logprob in alternatives if token == letter)
        if share <= 0:
            return Unscored(f"the letter {letter} is not among the {len(alternatives)} most probable answers")
        logprobs.append(math.log(share))
    return tuple(logprobs)


# Of a reply, so much is kept beside the answer.
KEPT = 1000


class SamplingScorer(EndpointScorer):
    """Each request is put `settings["asks"]` times, in every order in turn."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any], endpoint: Endpoint) -> None:
        super().__init__(spec, metric=metric, settings=settings, endpoint=endpoint)
        self.asks = int(settings["asks"])
        self.wanted = {"max_tokens": settings["answer_tokens"], "temperature": settings["temperature"]}

    def provenance(self) -> dict[str, Any]:
        return {name: fact for name, fact in super().provenance().items() if name != "alternatives"}

    def _score(self, request: Prompted) -> Result:
        option_orders = orders(request.options, ordered=request.ordered)
        used_orders, readings, replies = [], [], []
        for ask in range(self.asks):
            order = option_orders[ask % len(option_orders)]
            # A server that takes a seed repeats the run; one that does not leaves it alone.
            reply = reply_in(self.said(messages(request, ask % len(option_orders)), {**self.wanted, "seed": ask}))
            used_orders.append(tuple(value for value, _ in order))
            readings.append(read(reply, order))
            replies.append(reply[:KEPT])
        answers, unread = zip(*((one.answer, one.unread) for one in readings), strict=True)
        numbers = SampledNumbers(tuple(used_orders), answers, tuple(replies), unread)
        unanswered = [order for order, counts in answers_by_order(numbers).items() if not counts]
        if not unanswered:
            return numbers
        reply, why = next(
            (replies[ask], unread[ask]) for ask, order in enumerate(used_orders) if order == unanswered[0]
        )
        which = "no reply" if not any(answers) else f"no reply to the order {', '.join(unanswered[0])}"
        return Unscored(f"{which} names an option: {why}; the first: {reply[:100]!r}")


def reply_in(body: Mapping[str, Any]) -> str:
    """The reply's text; a reply that ended before it said anything is an empty one. ModelError for no reply at all."""
    try:
        content = body["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise ModelError("the endpoint's answer holds no message") from None
    if isinstance(content, list):
        # Some servers give a reply in parts, of which reasoning is one.
        texts = [one.get("text") for one in content if isinstance(one, Mapping) and one.get("type") == "text"]
        content = "".join(text for text in texts if isinstance(text, str))
    # PostgreSQL keeps no text with a NUL.
    return str(content).replace("\0", "") if isinstance(content, str) else ""
