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
        empty="the instructions that annotators read",
        most=20_000,
        rows=6,
        default="",
    ),
    "template": Text(
        label="The user’s message",
        help="{item}, {question}, {options} and {letters} are filled in.",
        empty=TEMPLATE.replace("\n", " ").removesuffix("."),
        more="{item} and {options} must be there.",
        most=20_000,
        rows=6,
        default="",
    ),
    "shots": Texts(
        label="Shots",
        help="Ids of practice items: each is shown before, with its reference as the answer.",
        more=f"{MOST_SHOTS} at most.",
        like="ids of practice items, each once",
        default=[],
        of_items=True,
    ),
    "asks": Whole(
        label="Asks of each item",
        help="Raised until every order is asked equally often: two orders on a scale, otherwise one per option.",
        more="Of `sampled`. 5 is 6 with two options.",
        least=1,
        most=100,
        default=5,
    ),
    "temperature": Number(label="Temperature", more="Of `sampled`.", least=0, most=2, default=1.0),
    "answer_tokens": Whole(
        label="Tokens of a reply, at most",
        help="More than a few where the prompt asks for reasons first.",
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
        return [Fault("prompt.shots", f"names {len(shots)} items; {MOST_SHOTS} are the most")]
    answer_of = {row.id: row.reference for row in items if row.kind == "practice"}
    faults = {name: "is no practice item of items.jsonl" for name in shots if name not in answer_of}
    faults |= {name: "has no reference to be its answer" for name in shots if answer_of.get(name, "") is None}
    return [Fault("prompt.shots", f"names {name!r}, which {fault}") for name, fault in faults.items()]
