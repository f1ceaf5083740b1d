"""Plausibility: how likely is an event once an adjective is added to its noun? Five ordered degrees.

The task and the wording of the degrees follow ADEPT (Emami et al. 2021, section 3).
"""

import re
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
    Sentence,
    Shape,
    Unscorable,
)
from annotation.tasktypes.fixed_order import FixedOrder, WithoutSettings, text_faults
from annotation.tasktypes.readouts import of_options, own_readout
from corpus.errors import Fault

DEGREES = Scale(
    labels=(
        Label("impossible", gettext_noop("Impossible"), "1"),
        Label("less_likely", gettext_noop("Less likely"), "2"),
        Label("equally_likely", gettext_noop("Equally likely"), "3"),
        Label("more_likely", gettext_noop("More likely"), "4"),
        Label("necessarily_true", gettext_noop("Necessarily true"), "5"),
    ),
    ordered=True,
    coarse={"impossible": "less_likely", "necessarily_true": "more_likely"},
    # About half of them are false positives, ungrammatical or nonsense (Emami et al. 2021, section 4.2).
    doubtful=("impossible",),
)


@dataclass(frozen=True)
class Plausibility(WithoutSettings, FixedOrder):
    key: ClassVar[str] = "plausibility"
    version: ClassVar[str] = "1"
    template: ClassVar[str] = "tasktypes/plausibility.html"
    options_from: ClassVar[OptionsFrom] = "task"
    name: ClassVar[str] = "Five-way plausibility"
    example_settings: ClassVar[dict[str, Any]] = {}
    example: ClassVar[dict[str, Any]] = {
        "original": "A key opens doors.",
        "modified": "A false key opens doors.",
        "modifier": "false",
        "noun": "key",
    }
    content_fields: ClassVar[tuple[ContentField, ...]] = (
        ContentField("original", "First sentence", also_called=("sentence1", "premise", "base", "without")),
        ContentField("modified", "Second sentence, with the modifier", also_called=("sentence2", "hypothesis", "with")),
        ContentField("modifier", "Modifier", also_called=("adjective", "adj", "word")),
        ContentField("noun", "Noun", required=False, also_called=("head",)),
    )
    scale: ClassVar[Scale] = DEGREES
    question: ClassVar[str] = gettext_noop("How plausible is the second sentence, compared with the first?")
    strength_means: ClassVar[str] = (
        "higher if the modified sentence (for cloze, the modifier in its place) is more probable"
    )

    def validate(self, content: Mapping[str, Any]) -> list[Fault]:
        faults = text_faults(content, required=("original", "modified", "modifier"), optional=("noun",))
        if not faults and _modifier_in(content) is None:
            faults.append(Fault("modifier", f"{content['modifier']!r} does not occur in the modified sentence"))
        return faults

    def text(self, content: Mapping[str, Any]) -> str:
        return f"{content['original']} → {content['modified']}"

    def marked(self, content: Mapping[str, Any]) -> tuple[str, str, str]:
        """The second sentence: the first is the same without its modifier."""
        found, modified = _modifier_in(content), content["modified"]
        if found is None:
            return modified, "", ""
        return modified[: found.start()], found.group(), modified[found.end() :]

    def wording(self, content: Mapping[str, Any]) -> str:
        return f"Compared with\n{content['original']}\n\nhow plausible is\n{content['modified']}"

    def without_context(self, content: Mapping[str, Any]) -> dict[str, Any] | None:
        """Noun and modifier alone (Emami et al. 2021, Table 5); None where no noun is given."""
        noun, modifier = content.get("noun"), content["modifier"]
        if not noun or content["original"] == noun:
            return None
        return {"original": noun, "modified": f"{modifier} {noun}", "modifier": modifier, "noun": noun}

    def page_context(self, content: Mapping[str, Any], presentation: Mapping[str, Any]) -> dict[str, Any]:
        found = _modifier_in(content)
        assert found is not None  # validate() has seen it
        modified = content["modified"]
        return {
            "original": content["original"],
            "before": modified[: found.start()],
            "modifier": found.group(),
            "after": modified[found.end() :],
            "options": self.labels_in_order(presentation),
        }

    def requests(self, content: Mapping[str, Any], shape: Shape) -> list[ScoreRequest]:
        if shape == "prompt":
            return [question_of(self, content)]
        if shape == "label":
            return [
                Labeled(
                    content["original"],
                    DEGREES.values,
                    paired=content["modified"],
                    focus=content["modifier"],
                    head=content.get("noun"),
                )
            ]
        if shape == "sentence":
            return [Sentence(content["original"]), Sentence(content["modified"])]
        found = _modifier_in(content)
        if found is None:
            raise Unscorable("the modifier does not occur in the modified sentence")
        modified = content["modified"]
        return [Cloze(modified[: found.start()] + SLOT + modified[found.end() :], (found.group(),))]

    def readout(self, content: Mapping[str, Any], shape: Shape, results: Sequence[Numbers]) -> Readout:
        """A probability gives a strength and no degree: where one degree ends cannot be read off the model."""
        if answer := own_readout(self, content, results):
            return answer
        names = ("original", "modified") if shape == "sentence" else ("modifier",)
        logprobs, detail = of_options({name: content[name] for name in names}, results)
        return Readout(None, logprobs[0] if len(logprobs) == 1 else logprobs[1] - logprobs[0], detail)


def _modifier_in(content: Mapping[str, Any]) -> re.Match[str] | None:
    """The modifier in the modified sentence, as a whole word; sentence-initial capitals do not matter."""
    pattern = rf"(?<!\w){re.escape(content['modifier'])}(?!\w)"
    return re.search(pattern, content["modified"], re.IGNORECASE)
