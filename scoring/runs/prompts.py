"""In which words a run asks: what the study says of it when the run starts, and the chat that comes of it.

A run keeps its whole prompt among its settings, so that it can be repeated when the study has another by then. Started
again with another, it begins anew (`settle` in scoring/runs/planning.py).
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from annotation.models import Study
from annotation.studyfile.prompt import PROMPT
from annotation.tasktypes.asking import TEMPLATE, shot
from annotation.tasktypes.contract import Prompted, ScoreRequest, Shot
from corpus.provenance import digest
from scoring.scorers.questions import messages, orders

SAMPLING = ("asks", "answer_tokens", "temperature")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a run says to a model besides the item. `version` is another one for every other text of it."""

    version: str
    instructions: str
    template: str
    shots: tuple[Shot, ...]


def settings_of(study: Study, *, metric: str) -> dict[str, Any]:
    """The study's prompt as a run keeps it. What is as usual is left out: it is no other prompt."""
    declared = {name: study.prompt.get(name, setting.default) for name, setting in PROMPT.items()}
    prompt: dict[str, Any] = {"instructions": declared["system"] or study.instructions}
    if declared["template"]:
        prompt["template"] = declared["template"]
    if declared["shots"]:
        prompt["shots"] = [asdict(one) for one in _shots(study, declared["shots"])]
    if metric == "sampled":
        prompt |= {name: declared[name] for name in SAMPLING} | {"asks": _balanced(study, declared["asks"])}
    return prompt


def _balanced(study: Study, asks: int) -> int:
    """So many asks, or a few more, that every order of the options is asked equally often."""
    scale = study.task.scale
    count = len(orders(tuple((value, value) for value in scale.values), ordered=scale.ordered))
    return math.ceil(asks / count) * count


def prompt_of(settings: Mapping[str, Any]) -> Prompt:
    """What the settings of a run that asks in words say."""
    shots = settings.get("shots", [])
    template = settings.get("template", TEMPLATE)
    version = digest([settings["instructions"], template, shots])[:12]
    return Prompt(version, settings["instructions"], template, tuple(_from_json(one) for one in shots))


def in_words_of(settings: Mapping[str, Any], request: ScoreRequest) -> ScoreRequest:
    """A question in words comes with the run's prompt, so that it says all that it asks."""
    if not isinstance(request, Prompted):
        return request
    prompt = prompt_of(settings)
    return replace(request, instructions=prompt.instructions, template=settings.get("template", ""), shots=prompt.shots)


def chat_of(study: Study, content: Mapping[str, Any], settings: Mapping[str, Any]) -> list[dict[str, str]]:
    """The chat that asks an item in its first order, for people to read: `role` and `content` of each message."""
    [request] = study.task.requests(content, "prompt")
    put = in_words_of(settings, request)
    return messages(put, 0) if isinstance(put, Prompted) else []


def _shots(study: Study, names: list[str]) -> list[Shot]:
    items = study.items.filter(kind="practice", external_id__in=names).in_bulk(field_name="pk")
    by_name = {item.external_id: item for item in items.values()}
    return [shot(study.task, by_name[name].content, by_name[name].reference or "") for name in names]


def _from_json(one: Mapping[str, Any]) -> Shot:
    options = tuple((value, words) for value, words in one["options"])
    return Shot(one["text"], one["question"], options, one["answer"])
