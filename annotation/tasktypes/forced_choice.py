"""Forced choice: two or more options, words for a slot in a sentence or whole sentences.

Every option has a role that is the same in all items of a study (`intensifier` and `negation`,
`grammatical` and `ungrammatical`), so that labels can be counted across items. The role is the
canonical value; people see the item's own words for it, in a random order that is stored.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from annotation.setting import Setting, Texts, read_table
from annotation.tasktypes.asking import ASKED, QUESTION, question_of
from annotation.tasktypes.contract import (
    NOT_SHOWN,
    SLOT,
    AnswerError,
    Cloze,
    ClozeNumbers,
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
from annotation.tasktypes.readouts import most_probable, of_options, own_readout
from annotation.tasktypes.regions import one_slot, parting, sentence, verb_faults
from corpus.errors import Fault

# Two options lie under the index fingers, more are numbered.
PAIR_KEYS = ("F", "J")
# `neutral` is the slot with next to no context. It is there for models; people never see it.
FIELDS = ("context", "sentence", "options", "neutral", "verb_at")


@dataclass(frozen=True)
class ForcedChoice:
    question: str
    roles: tuple[str, ...]

    key: ClassVar[str] = "forced_choice"
    version: ClassVar[str] = "1"
    template: ClassVar[str] = "tasktypes/forced_choice.html"
    options_from: ClassVar[OptionsFrom] = "item"
    name: ClassVar[str] = "Forced choice"
    settings: ClassVar[Mapping[str, Setting]] = {
        "question": QUESTION,
        "options": Texts(
            label="Options",
            help="Names of the options, the same in all items.",
            more="Annotators never see these names: they see the item's own words, in a random order.",
            like="two to nine different role names, such as ['intensifier', 'negation']",
            least=2,
            most=9,
            fixed=ASKED,
        ),
    }
    example_settings: ClassVar[dict[str, Any]] = {
        "question": "Which word fits best?",
        "options": ["intensifier", "negation"],
    }
    example: ClassVar[dict[str, Any]] = {
        "sentence": f"The soup was {SLOT} cold.",
        "options": {"intensifier": "very", "negation": "not"},
    }
    content_fields: ClassVar[tuple[ContentField, ...]] = (
        ContentField("sentence", "Sentence with the slot", required=False, also_called=("text", "frame", "stimulus")),
        ContentField("context", "Text before it", required=False, also_called=("passage", "preceding", "discourse")),
        ContentField("neutral", "The slot without context, for models", required=False),
    )

    @classmethod
    def faults_in_settings(cls, settings: Mapping[str, Any]) -> list[Fault]:
        return read_table(settings, cls.settings)[1]

    @classmethod
    def configured(cls, settings: Mapping[str, Any]) -> Self:
        return cls(question=settings["question"], roles=tuple(settings["options"]))

    @property
    def scale(self) -> Scale:
        keys = PAIR_KEYS if len(self.roles) == 2 else tuple("123456789")
        return Scale(tuple(Label(role, role, key) for role, key in zip(self.roles, keys, strict=False)), of_roles=True)

    @property
    def strength_means(self) -> str:
        return f"positive: {self.roles[0]} is more probable than any other option (difference of log-probabilities)"

    def validate(self, content: Mapping[str, Any]) -> list[Fault]:
        faults = [
            Fault(name, f"is not recognized; use one of: {', '.join(FIELDS)}") for name in content if name not in FIELDS
        ]
        for name in ("context", "sentence", "neutral"):
            if name in content and (not isinstance(content[name], str) or not content[name].strip()):
                faults.append(Fault(name, "must be text"))
        for name in ("sentence", "neutral"):
            if isinstance(content.get(name), str):
                faults += _slot_faults(name, content[name])
        options = content.get("options")
        if not isinstance(options, dict) or set(options) != set(self.roles):
            faults += self._without_roles(options)
        elif not all(isinstance(text, str) and text.strip() for text in options.values()):
            faults.append(Fault("options", "every option must be text"))
        elif len({text.strip() for text in options.values()}) != len(options):
            faults.append(Fault("options", "two options have the same text"))
        elif "sentence" not in content:
            faults += verb_faults(content, options)
        elif "verb_at" in content:
            faults.append(Fault("verb_at", "is for options that are whole sentences, but these are words for a slot"))
        return faults

    def _without_roles(self, options: object) -> list[Fault]:
        if isinstance(options, dict) and options.keys() < {*self.roles}:
            return [Fault(f"options.{role}", "is missing") for role in self.roles if role not in options]
        return [Fault("options", f"must give one text for each of {', '.join(self.roles)}")]

    def text(self, content: Mapping[str, Any]) -> str:
        options = " / ".join(content["options"][role] for role in self.roles)
        if "sentence" not in content:
            return " ".join(filter(None, [content.get("context"), options]))
        return self._in_context(content, content["sentence"].replace(SLOT, f"[{options}]"))

    def marked(self, content: Mapping[str, Any]) -> tuple[str, str, str]:
        return self.text(content), "", ""

    def wording(self, content: Mapping[str, Any]) -> str:
        return "\n\n".join(filter(None, [content.get("context"), content.get("sentence")]))

    def without_context(self, content: Mapping[str, Any]) -> dict[str, Any] | None:
        """The neutral sentence, where there is one; or else without the sentences before."""
        if "neutral" in content:
            return {"sentence": content["neutral"], "options": content["options"]}
        return {name: part for name, part in content.items() if name != "context"} if "context" in content else None

    def length(self, content: Mapping[str, Any]) -> float:
        first, *others = (len(content["options"][role].split()) for role in self.roles)
        return first - sum(others) / len(others)

    def present(self, content: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
        return {"order": rng.sample(self.roles, len(self.roles))}

    def page_context(self, content: Mapping[str, Any], presentation: Mapping[str, Any]) -> dict[str, Any]:
        """Keys follow the place on the screen, not the role: F is always the left option."""
        before, slot, after = content.get("sentence", "").partition(SLOT)
        keys = [label.key for label in self.scale.labels]
        return {
            "context": content.get("context", ""),
            "before": before,
            "after": after,
            "has_slot": bool(slot),
            "options": [
                Label(self.posted(role, presentation), content["options"][role], key)
                for role, key in zip(presentation["order"], keys, strict=True)
            ],
        }

    def posted(self, value: str, presentation: Mapping[str, Any]) -> str:
        """The place on the screen, from 1: the name of a role would say which option is which."""
        return str(presentation["order"].index(value) + 1)

    def parse(self, answer: str, presentation: Mapping[str, Any]) -> str:
        places: dict[str, str] = {self.posted(role, presentation): role for role in presentation["order"]}
        if answer not in places:
            raise AnswerError(NOT_SHOWN)
        return places[answer]

    def requests(self, content: Mapping[str, Any], shape: Shape) -> list[ScoreRequest]:
        if shape == "prompt":
            return [question_of(self, content)]
        if shape == "label":
            return [Labeled(self.text(content), self.roles)]
        if shape == "sentence":
            return self._sentences(content)
        if "sentence" not in content:
            return [self._cloze_of_sentences(content)]
        candidates = tuple(content["options"][role] for role in self.roles)
        clozes: list[ScoreRequest] = [Cloze(self._in_context(content, content["sentence"]), candidates)]
        # The same slot without its context tells what the words' own frequency does (seed work on intensifiers).
        return clozes + ([self._neutral(content, candidates)] if "neutral" in content else [])

    def readout(self, content: Mapping[str, Any], shape: Shape, results: Sequence[Numbers]) -> Readout:
        """The most probable option; strength is the first role's lead over the best of the others."""
        if answer := own_readout(self, content, results):
            return answer
        logprobs, detail = of_options({role: content["options"][role] for role in self.roles}, results)
        detail |= self._without_context(*(numbers for numbers in results if isinstance(numbers, ClozeNumbers)))
        decision, undecided = most_probable(dict(zip(self.roles, logprobs, strict=True)))
        return Readout(decision, logprobs[0] - max(logprobs[1:]), detail | undecided)

    def _without_context(self, *clozes: ClozeNumbers) -> dict[str, Any]:
        """The neutral context's numbers, and how much the context adds: the difference of the two strengths."""
        if len(clozes) < 2:
            return {}
        strength, prior = (one.logprobs[0] - max(one.logprobs[1:]) for one in clozes)
        options = {
            role: {"logprob": logprob, "rank": rank}
            for role, logprob, rank in zip(self.roles, clozes[1].logprobs, clozes[1].ranks, strict=True)
        }
        return {"neutral": {"options": options, "strength": prior, "difference": strength - prior}}

    def _sentences(self, content: Mapping[str, Any]) -> list[ScoreRequest]:
        """The text with each option. What precedes the slot, or the first word that differs, is given to all."""
        before = content.get("context", "")
        if "sentence" in content:
            goes_on_at = content["sentence"].index(SLOT)
            texts = [content["sentence"].replace(SLOT, content["options"][role]) for role in self.roles]
        else:
            texts = [content["options"][role] for role in self.roles]
            goes_on_at = parting(texts)
        verbs = content.get("verb_at", {})
        return [
            sentence(text, before=before, verb_at=verbs.get(role), goes_on_at=goes_on_at)
            for role, text in zip(self.roles, texts, strict=True)
        ]

    def _neutral(self, content: Mapping[str, Any], candidates: tuple[str, ...]) -> Cloze:
        """The neutral context. Words that only stood first in their sentence begin with a small letter inside of it."""
        sentence, neutral = content["sentence"], content["neutral"]
        if _is_first(sentence) and not _is_first(neutral) and all(map(_is_capitalized, candidates)):
            candidates = tuple(f"{one[0].lower()}{one[1:]}" for one in candidates)
        return Cloze(neutral, candidates)

    def _in_context(self, content: Mapping[str, Any], sentence: str) -> str:
        return " ".join(filter(None, [content.get("context"), sentence]))

    def _cloze_of_sentences(self, content: Mapping[str, Any]) -> Cloze:
        text, candidates = one_slot([content["options"][role] for role in self.roles])
        return Cloze(self._in_context(content, text), candidates)


def _is_first(text: str) -> bool:
    """Whether the slot begins a sentence: no word is before it, or one that ended."""
    before = text[: text.index(SLOT)].rstrip(" \t\n\"'“”‘’«»„([¿¡—–-")
    return not re.search(r"\w", before) or before[-1] in ".!?…"


def _is_capitalized(text: str) -> bool:
    """As any word is that stands first: not one that has further capitals, nor a single letter, such as *I*."""
    first = text.split()[0]
    return len(first) > 1 and first[0].isupper() and first[1:].islower()


def _slot_faults(name: str, text: str) -> list[Fault]:
    if text.count(SLOT) != 1:
        return [Fault(name, f"must have exactly one slot, written {SLOT}")]
    if f"_{SLOT}" in text or f"{SLOT}_" in text:
        return [Fault(name, f"has an extra underscore next to its slot, which must be exactly {SLOT}")]
    return []
