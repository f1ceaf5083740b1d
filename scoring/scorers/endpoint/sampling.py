"""A model behind an endpoint that is asked several times, its replies read as text (docs/metrics.md, `sampled`).

For servers that give no log-probabilities, and for how consistent a model is with itself (Wang et al. 2023,
arXiv:2203.11171): several answers are sampled, and the one that most of them name stands.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.contract import Prompted, Result, SampledNumbers, ScoreRequest, Unscored
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.endpoint.calling import Endpoint
from scoring.scorers.endpoint.scorer import EndpointScorer
from scoring.scorers.questions import WORDING, labels, messages, orders

# Of a reply, so much is kept beside the answer.
KEPT = 1000
# "Answer: B", "the answer is (B)"; the last one stands, after whatever was said on the way to it.
_NAMED = re.compile(r"\banswer(?:\s+is)?\s*:?\s*[*_(\[\"'`]*([A-Z])\b", re.IGNORECASE)
# A letter alone, or one that is set off from what follows: "B", "**B**", "B. Likely", but not "A dog".
_ALONE = re.compile(r"[\s*_(\[\"'`]*([A-Z])(?:[\s*_)\]\"'`]*$|[*_\"'`]*[.):,]|[*_)\]\"'`]*\n)")


class SamplingScorer:
    """As `EndpointScorer` in who is asked; each request is put `settings["asks"]` times, in every order in turn."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any], endpoint: Endpoint) -> None:
        self.asked = EndpointScorer(spec, metric=metric, settings=settings, endpoint=endpoint)
        self.asks = int(settings["asks"])
        self.wanted = {"max_tokens": settings["answer_tokens"], "temperature": settings["temperature"]}

    def provenance(self) -> dict[str, Any]:
        return {
            "endpoint": self.asked.address,
            "model": self.asked.model,
            "prompt_wording": WORDING,
            "instructions_in": "a system message",
        }

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        return [self._score(request) for request in requests]

    def _score(self, request: ScoreRequest) -> Result:
        if not isinstance(request, Prompted):
            return Unscored("this model is asked in words, and this asks for a probability")
        shown = orders(request.options, ordered=request.ordered)
        taken, answers, replies = [], [], []
        for ask in range(self.asks):
            order = shown[ask % len(shown)]
            # A server that takes a seed repeats the run; one that does not leaves it alone.
            body = self.asked.said(messages(request, ask % len(shown)), {**self.wanted, "seed": ask})
            reply = _reply(body)
            letter = named(reply, labels(len(order)))
            taken.append(tuple(value for value, _ in order))
            answers.append(order[labels(len(order)).index(letter)][0] if letter else "")
            replies.append(reply[:KEPT])
        if not any(answers):
            return Unscored(f"none of {self.asks} replies names one of the letters; the first: {replies[0][:100]!r}")
        return SampledNumbers(tuple(taken), tuple(answers), tuple(replies))


def named(reply: str, letters: Sequence[str]) -> str:
    """The letter that a reply names: the last after the word *answer*, or the one it begins with, set off; else none.

    >>> named("Dogs bark. Answer: b", ["A", "B"]), named("A. Impossible", ["A", "B"]), named("A dog barks.", ["A", "B"])
    ('B', 'A', '')
    """
    said: list[str] = [letter.upper() for letter in _NAMED.findall(reply) if letter.upper() in letters]
    if said:
        return said[-1]
    alone = _ALONE.match(reply)
    return alone[1] if alone and alone[1] in letters else ""


def _reply(body: Mapping[str, Any]) -> str:
    """The reply's text; a reply that ended before it said anything is an empty one. ModelError for no reply at all."""
    try:
        content = body["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise ModelError("the endpoint's answer holds no message") from None
    # PostgreSQL keeps no text with a NUL.
    return str(content).replace("\0", "") if isinstance(content, str) else ""
