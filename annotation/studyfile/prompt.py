"""`[prompt]` of study.toml: in which words models are asked, what they are shown before, and how often."""

from typing import Any

from annotation.itemfile import ItemRow
from annotation.setting import Number, Setting, Text, Texts, Whole
from annotation.tasktypes.asking import TEMPLATE, fault_of
from corpus.errors import Fault

MOST_SHOTS = 50
PROMPT: dict[str, Setting] = {
    "system": Text(
        label="System message",
        empty="the annotators’ instructions",
        most=20_000,
        rows=6,
        default="",
    ),
    "template": Text(
        label="User message",
        help="You can use {item}, {question}, {options} and {letters}.",
        empty=TEMPLATE.replace("\n", " ").removesuffix("."),
        more="{item} and {options} are required.",
        most=20_000,
        rows=6,
        default="",
    ),
    "shots": Texts(
        label="Few-shot examples",
        help="IDs of practice items, shown with their reference as the answer.",
        more=f"{MOST_SHOTS} at most.",
        like="ids of practice items, each once",
        default=[],
        of_items=True,
    ),
    "asks": Whole(
        label="Prompts per item",
        help="Rounded up until every order of the options is equally frequent.",
        more="Of `sampled`. 5 is 6 with two options.",
        least=1,
        most=100,
        default=5,
    ),
    "temperature": Number(label="Temperature", more="Of `sampled`.", least=0, most=2, default=1.0),
    "answer_tokens": Whole(
        label="Maximum reply length in tokens",
        help="Raise it if the prompt asks for reasons.",
        more="Of `sampled`.",
        least=1,
        most=8192,
        default=16,
    ),
}


def faults_of_template(prompt: dict[str, Any]) -> list[Fault]:
    fault = fault_of(prompt["template"]) if prompt["template"] else ""
    return [Fault("prompt.template", fault)] if fault else []


def faults_of_shots(prompt: dict[str, Any], items: list[ItemRow]) -> list[Fault]:
    """A shot is a practice item: no label is wanted for it, and its answer is known."""
    shots = prompt["shots"]
    if len(shots) > MOST_SHOTS:
        return [Fault("prompt.shots", f"names {len(shots)} items; the maximum is {MOST_SHOTS}")]
    answer_of = {row.id: row.reference for row in items if row.kind == "practice"}
    faults = {name: "is not a practice item" for name in shots if name not in answer_of}
    faults |= {name: "has no reference" for name in shots if answer_of.get(name, "") is None}
    return [Fault("prompt.shots", f"names {name!r}, which {fault}") for name, fault in faults.items()]
