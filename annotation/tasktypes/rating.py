"""Rating: one sentence, or a second sentence beside a first, on an ordered scale of numbered points.

The scale of Kauf, Ivanova et al. (2023) has seven points, from completely implausible to completely plausible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from annotation.setting import Setting, Text, Whole, read_table
from annotation.tasktypes.asking import ASKED, QUESTION, question_of
from annotation.tasktypes.contract import (
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
    Unscorable,
)
from annotation.tasktypes.fixed_order import FixedOrder, text_faults
from annotation.tasktypes.readouts import of_options, own_readout
from annotation.tasktypes.regions import one_slot, sentence, verb_faults
from corpus.errors import Fault

FEWEST, MOST = 2, 10
PAIR = ("first", "second")
# The longest end label that still stands beside its number on a phone.
LONGEST_END = 60


@dataclass(frozen=True, slots=True)
class Point(Label):
    """A point of the scale, and the words of the end that it stands at; its text is both."""

    end: str = ""


def _end(label: str) -> Text:
    return Text(
        label=label,
        most=LONGEST_END,
        like=f"text of at most {LONGEST_END} characters that says what this end means",
        fixed=ASKED,
    )


@dataclass(frozen=True)
class Rating(FixedOrder):
    question: str
    points: int
    low: str
    high: str

    key: ClassVar[str] = "rating"
    version: ClassVar[str] = "1"
    template: ClassVar[str] = "tasktypes/rating.html"
    options_from: ClassVar[OptionsFrom] = "study"
    name: ClassVar[str] = "Rating"
    settings: ClassVar[Mapping[str, Setting]] = {
        "question": QUESTION,
        "points": Whole(label="Points", help="Of the scale, from 1.", least=FEWEST, most=MOST, fixed=ASKED),
        "low": _end("First point"),
        "high": _end("Last point"),
    }
    example_settings: ClassVar[dict[str, Any]] = {
        "question": "How plausible is the second sentence, compared with the first?",
        "points": 7,
        "low": "Much less plausible",
        "high": "Much more plausible",
    }
    example: ClassVar[dict[str, Any]] = {
        "first": "The chef tasted the soup.",
        "second": "The chef tasted the stone.",
    }
    content_fields: ClassVar[tuple[ContentField, ...]] = (
        ContentField(
            "sentence",
            "Sentence",
            required=False,
            also_called=("text", "stimulus"),
            form="one",
            short="Sentence",
        ),
        ContentField(
            "first",
            "First of two sentences",
            required=False,
            also_called=("sentence1", "original"),
            form="two",
            short="First sentence",
        ),
        ContentField(
            "second",
            "Second of two sentences",
            required=False,
            also_called=("sentence2", "modified"),
            form="two",
            short="Second sentence",
        ),
    )
    strength_means: ClassVar[str] = (
        "higher if the sentence is more probable; of a pair, the second (difference of log-probabilities)"
    )

    @classmethod
    def faults_in_settings(cls, settings: Mapping[str, Any]) -> list[Fault]:
        return read_table(settings, cls.settings)[1]

    @classmethod
    def configured(cls, settings: Mapping[str, Any]) -> Self:
        return cls(**{name: settings[name] for name in cls.settings})

    @property
    def scale(self) -> Scale:
        """The points from 1; the two ends carry their words. The key of the tenth point is 0."""
        ends = {1: self.low, self.points: self.high}
        points = [(str(point), str(point % 10), ends.get(point, "")) for point in range(1, self.points + 1)]
        labels = (Point(point, f"{point} {end}" if end else point, key, end) for point, key, end in points)
        return Scale(tuple(labels), ordered=True)

    def validate(self, content: Mapping[str, Any]) -> list[Fault]:
        texts = {name: content[name] for name in content if name != "verb_at"}
        faults = text_faults(texts, required=_names(content))
        return faults or verb_faults(content, texts)

    def text(self, content: Mapping[str, Any]) -> str:
        return str(content["sentence"]) if "sentence" in content else f"{content['first']} → {content['second']}"

    def wording(self, content: Mapping[str, Any]) -> str:
        if "sentence" in content:
            return str(content["sentence"])
        return f"First\n{content['first']}\n\nSecond\n{content['second']}"

    def without_context(self, content: Mapping[str, Any]) -> dict[str, Any] | None:
        """A sentence is rated as a whole: nothing stands around it."""
        return None

    def page_context(self, content: Mapping[str, Any], presentation: Mapping[str, Any]) -> dict[str, Any]:
        names = ("sentence", *PAIR)
        return {name: content.get(name, "") for name in names} | {"options": self.labels_in_order(presentation)}

    def requests(self, content: Mapping[str, Any], shape: Shape) -> list[ScoreRequest]:
        if shape == "prompt":
            return [question_of(self, content)]
        if shape == "label":
            alone = content.get("sentence")
            paired = None if alone else content["second"]
            return [Labeled(alone or content["first"], self.scale.values, paired=paired)]
        if shape == "sentence":
            verbs = content.get("verb_at", {})
            return [sentence(content[name], verb_at=verbs.get(name)) for name in _names(content)]
        if "sentence" in content:
            raise Unscorable("a single sentence has no slot")
        text, (first, second) = one_slot([content[name] for name in PAIR])
        return [Cloze(text, (first, second))]

    def readout(self, content: Mapping[str, Any], shape: Shape, results: Sequence[Numbers]) -> Readout:
        """A probability gives a strength and no point: where one point ends cannot be read off the model."""
        if answer := own_readout(self, content, results):
            return answer
        logprobs, detail = of_options({name: content[name] for name in _names(content)}, results)
        return Readout(None, logprobs[0] if len(logprobs) == 1 else logprobs[1] - logprobs[0], detail)


def _names(content: Mapping[str, Any]) -> tuple[str, ...]:
    return ("sentence",) if "sentence" in content else PAIR
