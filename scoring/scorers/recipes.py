"""What a classifier reads of an item: one text, or two with the model's own separator between them.

The same recipe serves training and scoring, so that a model is asked about what it was trained on. docs/metrics.md
gives the rules their names.

To add one more: its texts below, what it begins with in training/classifier/settings.py, its rule in docs/metrics.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.tasktypes.contract import Labeled, Unscored


@dataclass(frozen=True, slots=True)
class Pair:
    """The texts that go to the tokenizer."""

    first: str
    second: str | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """`read` gives an item's texts, or why not; `cuts`: the second may be cut. `version` changes with what is read."""

    key: str
    title: str
    version: str
    task_type: str
    description: str
    read: Callable[[Labeled], Pair | Unscored]
    cuts: bool = False


class UnknownRecipe(LookupError):
    """There is no recipe of that name; str() lists those there are."""


def recipe(key: str) -> Recipe:
    """The recipe of that name; UnknownRecipe, listing those there are, if there is none."""
    if key not in RECIPES:
        raise UnknownRecipe(f"There is no recipe {key!r}. Available: {', '.join(RECIPES)}.")
    return RECIPES[key]


def _both(request: Labeled) -> Pair | Unscored:
    if request.paired is None:
        return Unscored("the item has one text, but this classifier reads two")
    return Pair(request.text, request.paired)


def _noun_and_modifier(request: Labeled) -> Pair | Unscored:
    if request.head is None or request.focus is None:
        return Unscored("the item has no noun and modifier, which this classifier reads")
    return Pair(request.head, request.focus)


def _first_alone(request: Labeled) -> Pair | Unscored:
    return Pair(request.text)


RECIPES = {
    one.key: one
    for one in (
        Recipe(
            "adept",
            "ADEPT",
            "1",
            "plausibility",
            "original [SEP] modified (Emami et al. 2021, section 5.1)",
            _both,
        ),
        Recipe(
            "adept-no-context",
            "ADEPT without context",
            "1",
            "plausibility",
            "noun [SEP] modifier: without the sentence (Emami et al. 2021, section 5.2)",
            _noun_and_modifier,
        ),
        Recipe("boolq", "BoolQ", "1", "yes_no", "question [SEP] passage (Clark et al. 2019)", _both, cuts=True),
        Recipe(
            "boolq-question",
            "BoolQ, question alone",
            "1",
            "yes_no",
            "the question alone (Shen 2022: QBoolQ)",
            _first_alone,
        ),
    )
}
