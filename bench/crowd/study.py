"""The study that the crowd comes to: Prolific's preset, every stage, checks that a reader passes; and its truth."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotation.itemfile import ItemRow, write_items
from annotation.platforms import Outcome
from annotation.tasktypes import task_type
from bench.analysis.made_study import ADJECTIVES, ENDINGS, NOUNS

SCALE = task_type("plausibility").configured({}).scale
GOLD_DISTANCE = 2
PAY = "1.50"
CODES = {outcome: f"CROWD{number:02}" for number, outcome in enumerate(Outcome, start=1)}
# How many there are, of which a sitting meets four and two.
GOLD, ATTENTION, PRACTICE = 12, 6, 2
# As often in ADEPT: two items of three are as likely as before.
MOST_FREQUENT, SHARE = "equally_likely", 2 / 3
# By the name of its field: the right answer and another.
COMPREHENSION = {
    "question_1": ("The second sentence", "The first sentence"),
    "question_2": ("No", "Yes"),
}
HOUSE = re.compile(r"of house (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    targets: int
    labels_per_item: int = 3
    sitting_length: int = 20
    lease_minutes: int = 1


@dataclass(frozen=True, slots=True)
class World:
    """Every item by the number of the house that its sentence names; the reference of each is what a reader sees."""

    rows: dict[int, ItemRow]

    def read(self, text: str) -> ItemRow:
        """The item that stands on a page."""
        found = HOUSE.search(text)
        assert found is not None, text
        return self.rows[int(found[1])]


def make_world(targets: int, *, seed: int) -> World:
    return World(dict(enumerate(_rows(targets, random.Random(f"{seed}/items")), start=1)))


def write_study(folder: Path, world: World, size: Size, *, slug: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(_settings(size, slug), encoding="utf-8")
    write_items(folder / "items.jsonl", world.rows.values())
    return folder


def _rows(targets: int, rng: random.Random) -> Iterator[ItemRow]:
    house = 0
    kinds = {"target": targets, "gold": GOLD, "attention": ATTENTION, "practice": PRACTICE}
    for kind, count in kinds.items():
        for number in range(1, count + 1):
            house += 1
            reference = _reference(kind, number, rng)
            yield ItemRow(
                f"{kind}-{number}",
                _attention(house, reference) if kind == "attention" else _sentences(house, rng),
                kind,
                reference,
                explanation="The adjective says so." if kind == "practice" else "",
            )


def _reference(kind: str, number: int, rng: random.Random) -> str:
    if kind == "gold":
        return SCALE.values[0 if number % 2 else -1]
    if kind == "attention":
        return SCALE.values[number % len(SCALE.values)]
    return MOST_FREQUENT if rng.random() < SHARE else rng.choice(SCALE.values)


def _sentences(house: int, rng: random.Random) -> dict[str, str]:
    # The last ending is none.
    noun, adjective, ending = rng.choice(NOUNS), rng.choice(ADJECTIVES), rng.choice(ENDINGS[:-1])
    rest = f"{noun} of house {house} {ending}."
    return {"original": f"The {rest}", "modified": f"The {adjective} {rest}", "modifier": adjective, "noun": noun}


def _attention(house: int, reference: str) -> dict[str, str]:
    return {
        "original": "This one is here to see that you read to the end.",
        "modified": f"Please choose “{SCALE.text(reference)}” for the tired guest of house {house}.",
        "modifier": "tired",
    }


def _settings(size: Size, slug: str) -> str:
    codes = "\n".join(f'{outcome} = "{code}"' for outcome, code in CODES.items())
    return f"""slug = "{slug}"
title = "Which is more plausible?"
instructions = "You will read two sentences. Say how plausible the second is, compared with the first."
[task]
type = "plausibility"
[collection]
platform = "prolific"
recovery = ["session"]
labels_per_item = {size.labels_per_item}
sitting_length = {size.sitting_length}
max_items_per_annotator = {size.sitting_length}
gold_per_sitting = 4
attention_per_sitting = 2
lease_minutes = {size.lease_minutes}
# All of them come at once.
max_unanswered = 0
pay = "{PAY}"
currency = "GBP"
[quality]
max_attention_failures = 1
gold_distance = {GOLD_DISTANCE}
gold_tolerance = 0.5
gold_least = 4
item_floor_ms = 1200
max_same_in_a_row = 10
max_in_pattern = 12
[return]
redirect = true
[codes]
{codes}
{_stages()}"""


def _stages() -> str:
    questions = "".join(
        f'[[comprehension.questions]]\nquestion = "{asked}"\noptions = ["{right}", "{wrong}"]\nanswer = "{right}"\n'
        for asked, (right, wrong) in zip(("What do you judge?", "May you guess?"), COMPREHENSION.values(), strict=True)
    )
    return f"""[information]
minutes = 6
pay = "1.50 pounds"
[consent]
text = "I am **18 or older** and agree to take part."
[debriefing]
text = "We compare people with language models."
{questions}[[questionnaire.fields]]
name = "first_language"
question = "Which language did you learn first?"
kind = "language"
required = true
"""
