"""A model behind an endpoint that is asked several times, its replies read as text (docs/metrics.md, `sampled`).

For servers that give no log-probabilities, and for how consistent a model is with itself (Wang et al. 2023,
arXiv:2203.11171): several answers are sampled, and the one that most of them name stands.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.contract import Prompted, Result, SampledNumbers, ScoreRequest, Unscored
from annotation.tasktypes.readouts import answers_by_order
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.endpoint.calling import Endpoint
from scoring.scorers.endpoint.replies import read
from scoring.scorers.endpoint.scorer import EndpointScorer
from scoring.scorers.questions import WORDING, messages, orders

# Of a reply, so much is kept beside the answer.
KEPT = 1000


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
        taken, readings, replies = [], [], []
        for ask in range(self.asks):
            order = shown[ask % len(shown)]
            # A server that takes a seed repeats the run; one that does not leaves it alone.
            reply = _reply(self.asked.said(messages(request, ask % len(shown)), {**self.wanted, "seed": ask}))
            taken.append(tuple(value for value, _ in order))
            readings.append(read(reply, order))
            replies.append(reply[:KEPT])
        answers, unread = zip(*((one.answer, one.unread) for one in readings), strict=True)
        numbers = SampledNumbers(tuple(taken), answers, tuple(replies), unread)
        unanswered = [order for order, counts in answers_by_order(numbers).items() if not counts]
        if not unanswered:
            return numbers
        reply, why = next((replies[ask], unread[ask]) for ask, order in enumerate(taken) if order == unanswered[0])
        which = "no reply" if not any(answers) else f"no reply to the order {', '.join(unanswered[0])}"
        return Unscored(f"{which} names an option: {why}; the first: {reply[:100]!r}")


def _reply(body: Mapping[str, Any]) -> str:
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
