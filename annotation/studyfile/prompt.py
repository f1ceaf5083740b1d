"""`[prompt]` of study.toml: in which words models are asked, what they are shown before, and how often."""

from typing import Any

from annotation.itemfile import ItemRow
from annotation.studyfile.settings import Setting, names, text_within, whole
from annotation.tasktypes.asking import fault_of
from corpus.errors import Fault


def _no_text(value: Any) -> bool:
    return value == "" or text_within(20_000)(value)


def _temperature(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 2


PROMPT = {
    "system": Setting("a text of 20,000 characters at most", _no_text, ""),
    "template": Setting("a text of 20,000 characters at most", _no_text, ""),
    "shots": Setting("a list of ids of practice items, each once", names, []),
    "asks": Setting("a whole number from 1 to 100", whole(1, 100), 5),
    "answer_tokens": Setting("a whole number from 1 to 8192", whole(1, 8192), 16),
    "temperature": Setting("a number from 0 to 2", _temperature, 1.0),
}
MOST_SHOTS = 50


def faults_of_template(prompt: dict[str, Any]) -> list[Fault]:
    fault = fault_of(prompt["template"]) if prompt["template"] else ""
    return [Fault("prompt.template", fault)] if fault else []


def faults_of_shots(prompt: dict[str, Any], items: list[ItemRow]) -> list[Fault]:
    """A shot is a practice item: no label is wanted for it, and its answer is known."""
    shots = prompt["shots"]
    if len(shots) > MOST_SHOTS:
        return [Fault("prompt.shots", f"names {len(shots)} items; {MOST_SHOTS} are the most")]
    answer_of = {row.id: row.reference for row in items if row.kind == "practice"}
    faults = {name: "is no practice item of items.jsonl" for name in shots if name not in answer_of}
    faults |= {name: "has no reference to be its answer" for name in shots if answer_of.get(name, "") is None}
    return [Fault("prompt.shots", f"names {name!r}, which {fault}") for name, fault in faults.items()]
