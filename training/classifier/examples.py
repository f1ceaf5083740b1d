"""From items to what a classifier is trained on and what it is chosen by. Free of Django."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.tasktypes.contract import Labeled, Unscored
from corpus.provenance import digest
from scoring.scorers.recipes import Pair, Recipe

NO_REFERENCE = "has no reference"
LEFT_OUT = "its label is left out"
NO_LABEL = "no one has labeled it"
ONE_LABEL = "has only one label, so no majority"
NO_MAJORITY = "its labels have no majority"
ELSEWHERE = "its text is also in an excluded study"


@dataclass(frozen=True, slots=True)
class StudyItem:
    """An item as it comes out of a study. Items with the same `group` share a source and stay on one side.

    `lacks` is why it has no label to teach, where it has none.
    """

    group: str
    request: Labeled
    label: str | None
    lacks: str = NO_REFERENCE


@dataclass(frozen=True, slots=True)
class Example:
    """What is read, and the label that belongs to it."""

    pair: Pair
    label: str
    group: str


@dataclass(frozen=True, slots=True)
class Split:
    """`train` teaches, `held_out` chooses the best epoch and the best of a grid. `left_out` counts by reason."""

    labels: tuple[str, ...]
    train: tuple[Example, ...]
    held_out: tuple[Example, ...]
    left_out: Mapping[str, int]

    @property
    def train_sha256(self) -> str:
        return content_hash(self.train)

    @property
    def held_out_sha256(self) -> str:
        return content_hash(self.held_out)

    @property
    def commonest_right(self) -> int:
        """How many of the held-out part have the commonest label of the training part."""
        commonest = Counter(example.label for example in self.train).most_common(1)[0][0]
        return sum(example.label == commonest for example in self.held_out)

    @property
    def majority_share(self) -> float:
        """The accuracy that this label would have on the held-out part."""
        return self.commonest_right / len(self.held_out)


class CannotSplit(ValueError):
    """These items teach nothing. str() says why."""


def content_hash(examples: Iterable[Example]) -> str:
    """sha256 of the texts and labels, in order."""
    return digest([[example.pair.first, example.pair.second, example.label] for example in examples])


def split(
    rows: Iterable[StudyItem],
    recipe: Recipe,
    *,
    labels: Sequence[str],
    apart_from: frozenset[str] = frozenset(),
    without: str | None = None,
    held_out: float,
    seed: int,
) -> Split:
    """The items that can be read, parted by group into a training and a held-out part.

    `apart_from` are texts, as `normal` gives them, that must not be trained on. Items of the label `without` are left
    out. Raises CannotSplit where a part would be empty or only one label is left.
    """
    left_out: Counter[str] = Counter()
    examples: list[Example] = []
    for row in rows:
        is_wanted = row.label is None or row.label != without
        outcome = _example(row, recipe, apart_from) if is_wanted else LEFT_OUT
        if isinstance(outcome, Example):
            examples.append(outcome)
        else:
            left_out[outcome] += 1
    chosen = _drawn(examples, share=held_out, seed=seed)
    parts = Split(
        tuple(labels),
        tuple(example for example in examples if example.group not in chosen),
        tuple(example for example in examples if example.group in chosen),
        dict(sorted(left_out.items())),
    )
    _require_sense(parts)
    return parts


def normal(text: str) -> str:
    """A text as it is compared: case and white space do not count."""
    return " ".join(text.casefold().split())


def texts(request: Labeled) -> list[str]:
    """The item's texts, for keeping studies apart."""
    return [normal(text) for text in (request.text, request.paired) if text is not None]


def _example(row: StudyItem, recipe: Recipe, apart_from: frozenset[str]) -> Example | str:
    """The example, or why the item is left out."""
    if row.label is None:
        return row.lacks
    if apart_from and not apart_from.isdisjoint(texts(row.request)):
        return ELSEWHERE
    pair = recipe.read(row.request)
    return pair.reason if isinstance(pair, Unscored) else Example(pair, row.label, row.group)


def _drawn(examples: Sequence[Example], *, share: float, seed: int) -> set[str]:
    """Groups with at least that share of the examples, in an order that the seed and their names alone decide."""
    sizes = Counter(example.group for example in examples)
    chosen: set[str] = set()
    count = 0
    for group in sorted(sizes, key=lambda name: hashlib.sha256(f"{seed}/{name}".encode()).digest()):
        if count >= share * len(examples):
            break
        chosen.add(group)
        count += sizes[group]
    return chosen


def _require_sense(parts: Split) -> None:
    if not parts.train or not parts.held_out:
        left_out = "; ".join(f"{count} left out: {reason}" for reason, count in parts.left_out.items())
        sizes = f"{len(parts.train)} training items and {len(parts.held_out)} held-out items"
        raise CannotSplit(f"There are {sizes}" + (f" ({left_out})." if left_out else "."))
    if len({example.label for example in parts.train}) < 2:
        raise CannotSplit(f"Every training item is {parts.train[0].label}, so there is nothing to learn.")
    stray = {example.label for example in (*parts.train, *parts.held_out)} - set(parts.labels)
    if stray:
        raise CannotSplit(f"Labels are off the scale: {', '.join(sorted(stray))}.")
