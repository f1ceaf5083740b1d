"""A model behind an OpenAI-compatible endpoint, asked in words. The rules are those of `prompted` (docs/metrics.md).

One token is asked for, and the letters' log-probabilities are read from its alternatives. Nothing is sampled.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.contract import Prompted, PromptNumbers, Result, ScoreRequest, Unscored
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.endpoint.calling import Endpoint, call, written
from scoring.scorers.questions import WORDING, labels, messages, orders

# The most that the protocol gives.
ALTERNATIVES = 20
ROUNDING = 1e-3
LETTER: dict[str, Any] = {"max_tokens": 1, "temperature": 0, "logprobs": True, "top_logprobs": ALTERNATIVES}


class EndpointScorer:
    """The model `spec.source` behind `endpoint`, which whoever opens it hands in."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any], endpoint: Endpoint) -> None:
        if not endpoint.url:
            raise ModelError("the installation's settings name no endpoint (PROMPT_ENDPOINT)")
        if spec.source not in endpoint.models:
            raise ModelError(f"{spec.source} is not one of the models that PROMPT_ENDPOINT_MODELS names")
        self.endpoint, self.model, self.address = endpoint, spec.source, written(endpoint.url)
        started_for = settings.get("endpoint", "an address that was not written down")
        if started_for != self.address:
            raise ModelError(
                f"the run was started for {started_for}, and this worker's settings name {self.address} "
                "(PROMPT_ENDPOINT); give all of them one address and start the run again"
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
        return [self._score(request) for request in requests]

    def _score(self, request: ScoreRequest) -> Result:
        if not isinstance(request, Prompted):
            return Unscored("this model is asked in words, and this asks for a probability")
        shown = orders(request.options, ordered=request.ordered)
        logprobs = []
        for place, order in enumerate(shown):
            read = _letters(self.said(messages(request, place), LETTER), labels(len(order)))
            if isinstance(read, Unscored):
                return read
            logprobs.append(read)
        return PromptNumbers(tuple(tuple(value for value, _ in order) for order in shown), tuple(logprobs))

    def said(self, chat: list[dict[str, str]], wanted: Mapping[str, Any]) -> Mapping[str, Any]:
        """The endpoint's whole answer to one chat; `wanted` is what is asked for besides."""
        prompt = hashlib.sha256(json.dumps(chat, sort_keys=True).encode()).hexdigest()
        return call(
            self.endpoint.url,
            self.endpoint.key,
            {"model": self.model, "messages": chat, **wanted},
            hold=self.endpoint.hold,
            record=lambda attempt: self.endpoint.record(prompt, attempt),
        )


def _letters(body: Mapping[str, Any], letters: Sequence[str]) -> tuple[float, ...] | Unscored:
    """Each letter's log-probability: the sum over its spellings with and without a space before it."""
    try:
        [first, *_] = body["choices"][0]["logprobs"]["content"]
        given = [(str(one["token"]).strip(), float(one["logprob"])) for one in first["top_logprobs"]]
        # Rounding may lift a certainty a little above 0; what is farther above is no logarithm of a probability.
        sound = not any(logprob > ROUNDING for _, logprob in given)
    except (KeyError, IndexError, TypeError, ValueError):
        sound = False
    if not sound:
        raise ModelError(
            "the endpoint gives no log-probabilities of its answer's alternatives; the metric sampled needs none"
        )
    found = []
    for letter in letters:
        share = math.fsum(math.exp(logprob) for token, logprob in given if token == letter)
        if share <= 0:
            return Unscored(f"the letter {letter} is not among the {len(given)} most probable answers")
        found.append(math.log(share))
    return tuple(found)
