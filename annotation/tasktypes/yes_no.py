"""Yes or no: a question about a passage, or a question alone (BoolQ, Clark et al. 2019)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.languages import gettext_noop
from annotation.tasktypes.asking import question_of
from annotation.tasktypes.contract import (
    SLOT,
    Cloze,
    ContentField,
    Label,
    Labeled,
    Numbers,
    OptionsFrom,
    Readout,
    Scale,
    ScoreRequest,
    Shape,
)
from annotation.tasktypes.fixed_order import FixedOrder, WithoutSettings, text_faults
from annotation.tasktypes.readouts import most_probable, of_options, own_readout
from annotation.tasktypes.regions import sentence
from corpus.errors import Fault

ANSWERS = Scale(labels=(Label("yes", gettext_noop("Yes"), "F"), Label("no", gettext_noop("No"), "J")))


@dataclass(frozen=True)
class YesNo(WithoutSettings, FixedOrder):
    key: ClassVar[str] = "yes_no"
    version: ClassVar[str] = "1"
    template: ClassVar[str] = "tasktypes/yes_no.html"
    options_from: ClassVar[OptionsFrom] = "task"
    name: ClassVar[str] = "Yes or no"
    example_settings: ClassVar[dict[str, Any]] = {}
    example: ClassVar[dict[str, Any]] = {
        "passage": "The lighthouse was built in 1871 and still guides ships into the bay.",
        "question": "Is the lighthouse still in use?",
    }
    content_fields: ClassVar[tuple[ContentField, ...]] = (
        ContentField("question", "Question", also_called=("query", "prompt", "ask")),
        ContentField("passage", "Passage", required=False, also_called=("context", "paragraph", "text", "document")),
    )
    scale: ClassVar[Scale] = ANSWERS
    question: ClassVar[str] = gettext_noop("What is the answer to the question?")
    strength_means: ClassVar[str] = "positive if yes is more probable than no (difference of log-probabilities)"

    def validate(self, content: Mapping[str, Any]) -> list[Fault]:
        return text_faults(content, required=("question",), optional=("passage",))

    def text(self, content: Mapping[str, Any]) -> str:
        return " ".join(filter(None, [content.get("passage"), content["question"]]))

    def wording(self, content: Mapping[str, Any]) -> str:
        return "\n\n".join(filter(None, [content.get("passage"), content["question"]]))

    def without_context(self, content: Mapping[str, Any]) -> dict[str, Any] | None:
        """The question alone."""
        return {"question": content["question"]} if "passage" in content else None

    def page_context(self, content: Mapping[str, Any], presentation: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "passage": content.get("passage", ""),
            "asked": content["question"],
            "options": self.labels_in_order(presentation),
        }

    def requests(self, content: Mapping[str, Any], shape: Shape) -> list[ScoreRequest]:
        """The answer is one more word after the question: `… ? Yes.` against `… ? No.`"""
        before = self.text(content)
        if shape == "prompt":
            return [question_of(self, content)]
        if shape == "label":
            return [Labeled(content["question"], ANSWERS.values, paired=content.get("passage"))]
        if shape == "sentence":
            return [sentence(f"{label.text}.", before=before, goes_on_at=0) for label in ANSWERS.labels]
        return [Cloze(f"{before} {SLOT}.", tuple(label.text for label in ANSWERS.labels))]

    def readout(self, content: Mapping[str, Any], shape: Shape, results: Sequence[Numbers]) -> Readout:
        if answer := own_readout(self, content, results):
            return answer
        (yes, no), detail = of_options({label.value: label.text for label in ANSWERS.labels}, results)
        decision, undecided = most_probable({"yes": yes, "no": no})
        return Readout(decision, yes - no, detail | undecided)
