"""What a trained model is called: *ADEPT, all-MiniLM-L6-v2*, and more only where another would be called the same.

One that was taught by people's majority says so always: *ADEPT by the majority, …*, or *by a synthetic majority*.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from scoring.scorers.recipes import recipe
from training.classifier.settings import NEW
from training.models import Training

# What a base's name says of its architecture.
IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")
LONGEST_ENCODER, LONGEST = 60, 120


def name_for(training: Training) -> str:
    """The name for its new model, beside those there are."""
    there = Training.objects.filter(model__isnull=False).exclude(pk=training.pk)
    return name_of(training, [one for one in there if _plain(one) == _plain(training)])


def name_of(training: Training, alike: Iterable[Training]) -> str:
    """`alike` are those that would be called the same: what sets it apart from any of them is in the name."""
    apart = [tuple(_apart(training, one)) for one in alike]
    found = ", ".join(dict.fromkeys([_plain(training), *chain.from_iterable(apart)]))
    if all(apart) and len(found) <= LONGEST:
        return found
    # Of other items, or from another encoder of that name: nothing short says which.
    return f"{_plain(training)}, {training.fingerprint[:6]}"


def _plain(training: Training) -> str:
    encoder = IN_BRACKETS.sub("", training.base["name"])[:LONGEST_ENCODER]
    taught = f"{recipe(training.recipe).title}{_taught(training)}, {encoder}"
    return ", ".join([taught, *_of_another_kind(training)])


def _of_another_kind(training: Training) -> Iterator[str]:
    """What nobody may take it for: it is always in the name."""
    if training.settings.get("learns") == NEW:
        yield "encoder frozen"
    if without := training.settings.get("without"):
        yield f"without {without}"


def _taught(training: Training) -> str:
    if training.taught_by == Training.TaughtBy.REFERENCE:
        return ""
    return " by a synthetic majority" if training.synthetic else " by the majority"


def _apart(training: Training, other: Training) -> Iterator[str]:
    """What of the training is not so in the other one, in words."""
    if training.studies != other.studies:
        yield f"on {' and '.join(training.studies)}"
    for name, value in training.settings.items():
        if other.settings.get(name) != value:
            yield _in_words(name, value)


def _in_words(name: str, value: object) -> str:
    if name == "learning_rate":
        return f"rate {value:g}"
    if name == "epochs":
        return "1 epoch" if value == 1 else f"{value} epochs"
    return f"{name.replace('_', ' ')} {value}"
