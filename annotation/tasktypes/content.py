"""Checks and presentation that several task types share."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.tasktypes.contract import AnswerError, Label, Scale
from corpus.errors import Fault

NOT_SHOWN = "That answer is not one of the options shown. Please choose one of them."


def text_faults(content: Mapping[str, Any], *, required: Iterable[str], optional: Iterable[str] = ()) -> list[Fault]:
    """Missing, empty, non-text and unknown fields of an object whose values are texts."""
    required, optional = tuple(required), tuple(optional)
    faults = [Fault(name, "is missing") for name in required if name not in content]
    for name, value in content.items():
        if name not in required + optional:
            faults.append(Fault(name, f"is not known here; known are {', '.join(required + optional)}"))
        elif not isinstance(value, str):
            faults.append(Fault(name, f"must be text, not {type(value).__name__}"))
        elif not value.strip():
            faults.append(Fault(name, "is empty"))
    return faults


def shown_labels(scale: Scale, presentation: Mapping[str, Any]) -> list[Label]:
    """The scale's labels in the order that was stored, each with the key of its place."""
    by_value = {label.value: label for label in scale.labels}
    return [by_value[value] for value in presentation["order"]]


def parse_shown(answer: str, presentation: Mapping[str, Any]) -> str:
    """The answer, if it was among those shown."""
    if answer not in presentation["order"]:
        raise AnswerError(NOT_SHOWN)
    return answer
