"""A made study of any size, as files: a study folder, a label file and score files. The same arguments, the same bytes.

People are made so that figures have something to find: annotators differ in how often they see what is there, in the
degree they fall back on and in care; items differ in how hard they are; degrees are skewed as in ADEPT. Items that
share an original sentence share a group, and each has two attributes. A few annotators break the policy.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotation.itemfile import ItemRow, write_items
from annotation.tasktypes import task_type

SLUG = "million"
DEGREES = task_type("plausibility").configured({}).scale.values
# Shares of degrees as skewed as ADEPT's.
TRUTH = (0.04, 0.17, 0.56, 0.17, 0.06)
ADJECTIVES = (
    "broken", "heavy", "silent", "golden", "wooden", "fake", "ancient", "bright", "clean", "cold", "dark", "deep",
    "dirty", "dry", "empty", "famous", "fresh", "frozen", "full", "gentle", "green", "hidden", "hollow", "huge",
    "hungry", "idle", "large", "late", "lazy", "light", "little", "local", "long", "loud", "lucky", "modern", "narrow",
    "new", "noisy", "odd", "old", "open", "pale", "perfect", "plain", "polite", "poor", "pretty", "proud", "public",
    "quick", "quiet", "rare", "raw", "real", "red", "rich", "ripe", "rough", "round", "royal", "rusty", "sad", "safe",
    "sharp", "short", "shy", "sick", "simple", "slow", "small", "smart", "smooth", "soft", "solid", "sour", "spare",
    "square", "steep", "sticky", "straight", "strange", "strong", "sweet", "tall", "tame", "thick", "thin", "tiny",
    "tired", "toy", "true", "ugly", "useful", "vast", "warm", "weak", "wet", "white", "wide", "wild", "wise", "young",
)  # fmt: skip
NOUNS = (
    "actor", "baker", "banker", "bird", "boat", "bridge", "bus", "camera", "candle", "car", "cat", "child", "clerk",
    "clock", "cook", "cow", "dancer", "doctor", "dog", "door", "driver", "engine", "farmer", "fire", "flower", "fox",
    "garden", "ghost", "guard", "hammer", "horse", "house", "judge", "key", "king", "knife", "lamp", "lawyer", "lion",
    "machine", "mayor", "nurse", "painter", "pilot", "poet", "river", "robot", "sailor", "singer", "soldier",
)  # fmt: skip
ENDINGS = (
    "opens in the morning", "waits by the road", "makes a sound", "stands near the wall", "moves across the hall",
    "falls to the ground", "turns to the left", "stays in the village", "comes from the north", "rests after noon",
    "belongs to the town", "appears at night", "stops at the corner", "works without a break", "returns in spring",
    "leaves a mark", "draws a crowd", "helps the neighbors", "needs some care", "looks at the sea",
    "crosses the square", "passes the gate", "keeps still in the rain", "costs the family a lot",
    "changes with the season", "lies behind the barn", "shines in the sun", "sinks in the lake", "starts on time",
    "breaks under a load", "hides from the wind", "warms the room", "fills the yard", "reaches the border",
    "follows the path", "scares the guests", "pleases the owner", "blocks the lane", "leans on the fence",
    "ends up in the news", "",
)  # fmt: skip
SOURCES = ("novels", "news", "forums", "captions", "manuals", "subtitles")
CHECKS = {"gold": 12, "attention": 6}
# Name, what share of items is decided rightly, and which part of a score file it gives.
MODELS = (
    ("Best", 0.66, "label,score"), ("Almost best", 0.66, "label,score"), ("Good", 0.63, "label,score"),
    ("Fair", 0.58, "label,score"), ("Majority-like", 0.56, "label"), ("Below", 0.48, "label,score"),
    ("Poor", 0.35, "label"), ("Chance", 0.20, "label"), ("Strengths strong", 0.70, "score"),
    ("Strengths weak", 0.30, "score"),
)  # fmt: skip

Codes = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Size:
    items: int = 200_000
    labels_per_item: int = 5
    annotators: int = 1_000

    @property
    def words(self) -> str:
        return f"{self.items:,} items, {self.labels_per_item} labels each, {self.annotators:,} annotators"


def make_study(folder: Path, size: Size) -> None:
    """`study/`, `labels.csv` and `scores-NN.csv` in the folder."""
    rng = np.random.default_rng(1)
    truth = rng.choice(len(DEGREES), size.items, p=TRUTH)
    (folder / "study").mkdir(parents=True, exist_ok=True)
    (folder / "study" / "study.toml").write_text(_settings(size), encoding="utf-8")
    write_items(folder / "study" / "items.jsonl", [*_targets(truth, rng), *_checks()])
    _write_labels(folder / "labels.csv", truth, size, rng)
    for number, (_, accuracy, columns) in enumerate(MODELS, start=1):
        _write_scores(folder / f"scores-{number:02}.csv", truth, accuracy, columns, rng)


def _settings(size: Size) -> str:
    return f"""slug = "{SLUG}"
title = "A made study: {size.words}"
instructions = "Compared with the first sentence, how plausible is the second?"
[task]
type = "plausibility"
[collection]
labels_per_item = {size.labels_per_item}
sitting_length = 50
max_items_per_annotator = 2000
[quality]
max_attention_failures = 1
gold_tolerance = 0.25
gold_distance = 2
"""


def _targets(truth: Codes, rng: np.random.Generator) -> Iterator[ItemRow]:
    originals = [f"The {noun} {ending}." for ending in ENDINGS for noun in NOUNS]
    sources = rng.integers(len(SOURCES), size=len(truth))
    for number, code in enumerate(truth):
        place, turn = divmod(number, len(ADJECTIVES))
        round_, original = divmod(place, len(originals))
        noun, adjective = NOUNS[original % len(NOUNS)], ADJECTIVES[turn]
        # More items than there are sentences: a number makes them other ones.
        sentence = originals[original] if not round_ else originals[original].replace(".", f" {round_}.")
        yield ItemRow(
            f"item-{number + 1}",
            {
                "original": sentence,
                "modified": sentence.replace(noun, f"{adjective} {noun}", 1),
                "modifier": adjective,
                "noun": noun,
            },
            reference=DEGREES[code],
            attributes={"noun": noun, "source": SOURCES[sources[number]]},
            group=f"sentence {place + 1}",
        )


def _checks() -> Iterator[ItemRow]:
    for kind, many in CHECKS.items():
        for number in range(1, many + 1):
            original = f"Sentence {number} of the {kind} checks stands here."
            content = {
                "original": original,
                "modified": original.replace("checks", "plain checks"),
                "modifier": "plain",
            }
            yield ItemRow(f"{kind}-{number}", content, kind, DEGREES[_check(kind, number)])


def _check(kind: str, number: int) -> int:
    return 0 if kind == "attention" else (number % 2) * 4


def _write_labels(path: Path, truth: Codes, size: Size, rng: np.random.Generator) -> None:
    """Every annotator answers all checks and a random share of the targets."""
    items, people = _draw(size, rng)
    care = np.clip(rng.beta(9, 2, size.annotators), 0.02, 0.99)
    # Three in a hundred press anything.
    care[rng.random(size.annotators) < 0.03] = 0.02
    habit = rng.choice(len(DEGREES), size.annotators, p=TRUTH)
    easy = rng.beta(5, 1.5, size.items)
    labels = _answers(truth[items], care[people] * easy[items], habit[people], rng)
    seconds = np.round(rng.lognormal(1.4, 0.5, len(items)), 1)
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["item", "annotator", "label", "seconds"])
        for item, person, label, took in zip(items, people, labels, seconds, strict=True):
            writer.writerow([f"item-{item + 1}", f"w{person + 1:05}", DEGREES[label], f"{took:g}"])
        for kind, many in CHECKS.items():
            for number in range(1, many + 1):
                right = np.full(size.annotators, _check(kind, number))
                given = _answers(right, np.where(care > 0.1, 0.97, 0.2), habit, rng)
                for person, label in enumerate(given):
                    writer.writerow([f"{kind}-{number}", f"w{person + 1:05}", DEGREES[label], "2"])


def _draw(size: Size, rng: np.random.Generator) -> tuple[Codes, Codes]:
    """Which item by whom, shape (labels,) each: every item by as many different people, everyone as many items."""
    at_once = size.annotators // size.labels_per_item
    order = rng.permutation(size.items)
    people = [
        rng.permutation(size.annotators)[: at_once * size.labels_per_item].reshape(at_once, size.labels_per_item)
        for _ in range(-(-size.items // at_once))
    ]
    table = np.concatenate(people)[: size.items]
    items = np.repeat(order, size.labels_per_item)
    # A file of answers comes in the order in which they were given, not by item.
    shuffled = rng.permutation(len(items))
    return items[shuffled], table.reshape(-1)[shuffled]


def _answers(truth: Codes, care: NDArray[np.float64], habit: Codes, rng: np.random.Generator) -> Codes:
    """What is there, or, without care, half of the time a neighboring degree and else the habit."""
    beside = np.clip(truth + rng.choice([-1, 1], len(truth)), 0, len(DEGREES) - 1)
    slip = np.where(rng.random(len(truth)) < 0.5, beside, habit)
    return np.asarray(np.where(rng.random(len(truth)) < care, truth, slip), dtype=np.int64)


def _write_scores(path: Path, truth: Codes, accuracy: float, columns: str, rng: np.random.Generator) -> None:
    """A line an item; two in a thousand without a score where scores are all there is."""
    size = len(truth)
    decided = np.where(rng.random(size) < accuracy, truth, rng.choice(len(DEGREES), size, p=TRUTH))
    scores = accuracy * (truth - 2) + rng.normal(0, 1.2, size)
    parts: dict[str, Sequence[str]] = {
        "label": [DEGREES[code] for code in decided],
        "score": [f"{score:.6f}" for score in scores],
    }
    if columns == "score":
        parts["score"] = [
            "None" if gone else text for gone, text in zip(rng.random(size) < 0.002, parts["score"], strict=True)
        ]
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["item", *columns.split(",")])
        writer.writerows(
            [f"item-{number}", *values]
            for number, *values in zip(range(1, size + 1), *(parts[name] for name in columns.split(",")), strict=True)
        )
