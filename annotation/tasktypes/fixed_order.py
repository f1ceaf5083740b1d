"""What task types share that show their options in the scale's own order: nothing is drawn, and nothing hidden.

Here are also the checks of content that several of them share.
"""

import random
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol, Self

from annotation.setting import Setting
from annotation.tasktypes.contract import NOT_SHOWN, AnswerError, Label, Scale
from corpus.errors import Fault


def text_faults(content: Mapping[str, Any], *, required: Iterable[str], optional: Iterable[str] = ()) -> list[Fault]:
    """Missing, empty, non-text and unknown fields of an object whose values are texts."""
    required, optional = tuple(required), tuple(optional)
    faults = [Fault(name, "is missing") for name in required if name not in content]
    for name, value in content.items():
        if name not in required + optional:
            faults.append(Fault(name, f"is not recognized; use one of: {', '.join(required + optional)}"))
        elif not isinstance(value, str):
            faults.append(Fault(name, f"must be text, not {type(value).__name__}"))
        elif not value.strip():
            faults.append(Fault(name, "is empty"))
    return faults


class HasScale(Protocol):
    @property
    def scale(self) -> Scale: ...


class HasText(Protocol):
    def text(self, content: Mapping[str, Any]) -> str: ...


class FixedOrder:
    """The part of a task type that shows the scale and reads an answer on it; the page posts canonical values."""

    def length(self: HasText, content: Mapping[str, Any]) -> float:
        return float(len(self.text(content).split()))

    def marked(self: HasText, content: Mapping[str, Any]) -> tuple[str, str, str]:
        return self.text(content), "", ""

    def present(self: HasScale, content: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
        return {"order": list(self.scale.values)}

    def labels_in_order(self: HasScale, presentation: Mapping[str, Any]) -> list[Label]:
        """The scale's labels in the order that was stored, each with the key of its place."""
        by_value = {label.value: label for label in self.scale.labels}
        return [by_value[value] for value in presentation["order"]]

    def posted(self, value: str, presentation: Mapping[str, Any]) -> str:
        return value

    def parse(self, answer: str, presentation: Mapping[str, Any]) -> str:
        if answer not in presentation["order"]:
            raise AnswerError(NOT_SHOWN)
        return answer


class WithoutSettings:
    """A task type of which a study can choose nothing."""

    settings: ClassVar[Mapping[str, Setting]] = {}

    @classmethod
    def faults_in_settings(cls, settings: Mapping[str, Any]) -> list[Fault]:
        return [Fault(name, "is not recognized; this task has no settings") for name in settings]

    @classmethod
    def configured(cls, settings: Mapping[str, Any]) -> Self:
        return cls()
