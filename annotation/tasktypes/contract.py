"""What every task type offers, and the words in which it speaks to scorers.

A task type is pure: it never sees a database, a request or a model. It knows what an item of its kind
contains, how to show it, how to read an answer, which texts a language model must be asked about, and
what the model's numbers say. A scorer answers requests and never learns what task they come from.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal, Protocol, Self

from annotation.languages import gettext_noop
from annotation.setting import Setting
from annotation.tasktypes.words import FORMS
from corpus.errors import Fault

# Where a word is missing in a text. Four underscores, as on a paper questionnaire.
SLOT = "____"

Shape = Literal["cloze", "sentence", "label", "prompt"]
# Whose words the options are: the task type's own, as is its question then, which pages translate; the study's; the
# item's.
OptionsFrom = Literal["task", "study", "item"]

NOT_SHOWN = gettext_noop("That answer is not one of the options shown. Please choose one of them.")


@dataclass(frozen=True, slots=True)
class ContentField:
    """One text of an item: name, what it is, and `also_called`, names of other people's columns for it.

    Where items are of several forms, `form` is that whose text it is, and `short` what it is called there.
    """

    name: str
    words: str
    required: bool = True
    also_called: tuple[str, ...] = ()
    form: str = ""
    short: str = ""


class AnswerError(ValueError):
    """An answer that is not on the scale that was shown. The message is meant for the annotator; pages translate it."""


@dataclass(frozen=True, slots=True)
class Label:
    """One canonical value, the words people see for it, and the key that chooses it."""

    value: str
    text: str
    key: str


@lru_cache(maxsize=256)
def _meanings(labels: tuple[Label, ...], words: str) -> tuple[str, ...]:
    """A column of a file has few words, each many times."""
    if any(words == label.value for label in labels):
        return (words,)
    for form in FORMS:
        said = form(words)
        if found := tuple(one.value for one in labels if said in (form(one.value), form(one.text))):
            return found
    return ()


@dataclass(frozen=True, slots=True)
class Scale:
    """The canonical values of a task, in order.

    `coarse` merges values (five degrees to three); `doubtful` ones are so unreliable in published data that figures are
    also given without the items labeled so. `of_roles`: values are the roles of each item's own options.
    """

    labels: tuple[Label, ...]
    ordered: bool = False
    of_roles: bool = False
    coarse: Mapping[str, str] = field(default_factory=dict)
    doubtful: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(label.value for label in self.labels)

    @property
    def coarse_values(self) -> tuple[str, ...]:
        """The values left after merging, in order."""
        return tuple(dict.fromkeys(self.coarse.get(value, value) for value in self.values))

    @property
    def greatest_distance(self) -> int:
        return len(self.labels) - 1 if self.ordered else 1

    def distance(self, one: str, other: str) -> int:
        """Degrees apart on an ordered scale; otherwise 0 for the same value and 1 for another."""
        return abs(self.values.index(one) - self.values.index(other)) if self.ordered else int(one != other)

    def text(self, value: str) -> str:
        return next(label.text for label in self.labels if label.value == value)

    def meanings(self, words: str) -> tuple[str, ...]:
        """The canonical values that words of a file may stand for: one, none, or several that they fit alike.

        A value or its words; these in another case; the same number (`3.0` is 3); these with other marks between words.
        A mark that is part of a number or of a label counts: -2 is not 2, and `its` is not `it's`.
        """
        return _meanings(self.labels, words)

    def meant(self, words: str) -> str | None:
        """The one canonical value that words of a file stand for; None where they stand for none, or for several."""
        found = self.meanings(words)
        return found[0] if len(found) == 1 else None


# --- What a task type asks of a scorer -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cloze:
    """Which of `candidates` stands in the one SLOT of `text`?"""

    text: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A named part of a text, in characters: `verb`, or `continuation` (all that follows what is given)."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """How probable is `text` as a whole, or one of its `regions` given the rest?"""

    text: str
    regions: tuple[Region, ...] = ()

    def region(self, name: str) -> Region | None:
        return next((region for region in self.regions if region.name == name), None)


@dataclass(frozen=True, slots=True)
class Labeled:
    """Which of `labels` belongs to `text` (and `paired`)? `focus` is the word in question, `head` its head, if any."""

    text: str
    labels: tuple[str, ...]
    paired: str | None = None
    focus: str | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """Another item with its answer, a canonical value, which a model is shown before it is asked."""

    text: str
    question: str
    options: tuple[tuple[str, str], ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Prompted:
    """The item in the words that annotators read: `text`, `question`, and `options` as (canonical value, words).

    An `ordered` scale keeps its order, or is turned round as a whole. `instructions`, `template` (empty: the usual
    one) and `shots` are the study's.
    """

    text: str
    question: str
    options: tuple[tuple[str, str], ...]
    ordered: bool = False
    instructions: str = ""
    template: str = ""
    shots: tuple[Shot, ...] = ()


ScoreRequest = Cloze | Sentence | Labeled | Prompted


# --- What a scorer answers --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClozeNumbers:
    """Natural-log probability and rank (1 is best) of each candidate over the whole vocabulary.

    `unknown` is how many tokens around the slot the vocabulary lacks.
    """

    logprobs: tuple[float, ...]
    ranks: tuple[int, ...]
    top: tuple[tuple[str, float], ...]
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class SentenceNumbers:
    """Natural-log probability of a text: the sum, and each scored token with its own."""

    logprob: float
    tokens: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class LabelNumbers:
    """The label given, with probabilities where the model has them; `note` says what else a reader must know."""

    label: str
    probabilities: Mapping[str, float] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PromptNumbers:
    """The answers to one question, asked in several orders of its options.

    `orders` holds the canonical values in the order shown; `logprobs`, place by place, the natural-log probability
    of each one's label after the prompt, over the whole vocabulary.
    """

    orders: tuple[tuple[str, ...], ...]
    logprobs: tuple[tuple[float, ...], ...]

    def of_options(self) -> dict[str, float]:
        """Natural log of each option's probability among the options, meaned over the orders."""
        found: dict[str, list[float]] = {value: [] for value in self.orders[0]}
        for order, logprobs in zip(self.orders, self.logprobs, strict=True):
            for value, logprob in zip(order, logprobs, strict=True):
                found[value].append(logprob - _log_sum(logprobs))
        return {value: _log_sum(logs) - math.log(len(self.orders)) for value, logs in found.items()}


@dataclass(frozen=True, slots=True)
class SampledNumbers:
    """The answers to one question that was put several times.

    Ask by ask: the canonical values in the order shown, the one that the reply names, the reply, and why it names none;
    empty where there is none.
    """

    orders: tuple[tuple[str, ...], ...]
    answers: tuple[str, ...]
    replies: tuple[str, ...]
    unread: tuple[str, ...]


def _log_sum(logs: Sequence[float]) -> float:
    """log Σ exp, so that no probability becomes 0 on the way."""
    greatest = max(logs)
    return greatest + math.log(sum(math.exp(log - greatest) for log in logs))


@dataclass(frozen=True, slots=True)
class Unscored:
    """No number, and why. A state of its own, never 0."""

    reason: str


Numbers = ClozeNumbers | SentenceNumbers | LabelNumbers | PromptNumbers | SampledNumbers
Result = Numbers | Unscored


@dataclass(frozen=True, slots=True)
class Readout:
    """What a model's numbers say about one item.

    `decision` is a canonical value, or None where the numbers name none; `strength` is signed and its
    meaning is given by the task type; `detail` is JSON (per option log-probability, rank, tokens, top k).
    """

    decision: str | None
    strength: float | None
    detail: dict[str, Any] = field(default_factory=dict)


class Unscorable(ValueError):
    """This item cannot be put to a model in the shape asked for. The message says why."""


# --- The contract ------------------------------------------------------------------------------------


class TaskType(Protocol):
    """One task type, configured for one study. Instances are frozen dataclasses."""

    key: ClassVar[str]
    version: ClassVar[str]
    template: ClassVar[str]
    options_from: ClassVar[OptionsFrom]
    name: ClassVar[str]
    settings: ClassVar[Mapping[str, Setting]]
    example_settings: ClassVar[dict[str, Any]]
    example: ClassVar[dict[str, Any]]
    # Of an item whose options are texts of its own, these are `options.ROLE` as well, a column for each role.
    content_fields: ClassVar[tuple[ContentField, ...]]

    @classmethod
    def faults_in_settings(cls, settings: Mapping[str, Any]) -> list[Fault]:
        """Everything wrong with a study's [task] table."""
        ...

    @classmethod
    def configured(cls, settings: Mapping[str, Any]) -> Self:
        """The task type for one study. `settings` has no faults."""
        ...

    @property
    def scale(self) -> Scale: ...

    @property
    def strength_means(self) -> str:
        """What a positive strength means, in words for the results."""
        ...

    @property
    def question(self) -> str:
        """What is asked of the annotator, above the options."""
        ...

    def validate(self, content: Mapping[str, Any]) -> list[Fault]:
        """Everything wrong with an item's content."""
        ...

    def text(self, content: Mapping[str, Any]) -> str:
        """The item on one line, for tables and exports."""

    def marked(self, content: Mapping[str, Any]) -> tuple[str, str, str]:
        """The text that is asked about, for a list: what stands before the words in question, those words, the rest."""

    def wording(self, content: Mapping[str, Any]) -> str:
        """The texts that the page shows above the question, for a model that is asked in words."""

    def without_context(self, content: Mapping[str, Any]) -> dict[str, Any] | None:
        """The item with nothing around the words in question; None where nothing surrounds them."""

    def length(self, content: Mapping[str, Any]) -> float:
        """In words: of the item's text or, where options are texts, of the first less the mean of the others."""

    def present(self, content: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
        """What will be shown, as JSON to store. `order` holds the canonical values in display order."""
        ...

    def page_context(self, content: Mapping[str, Any], presentation: Mapping[str, Any]) -> dict[str, Any]:
        """The template's context: `options`, in display order, each a Label whose value is `posted`; and the item."""
        ...

    def posted(self, value: str, presentation: Mapping[str, Any]) -> str:
        """What the page posts for a canonical value; it must not tell the annotator more than the option's words."""
        ...

    def parse(self, answer: str, presentation: Mapping[str, Any]) -> str:
        """The canonical value of a posted answer; AnswerError if it was not among those shown."""
        ...

    def requests(self, content: Mapping[str, Any], shape: Shape) -> list[ScoreRequest]:
        """The texts to put to a model; Unscorable if the item does not have this shape."""
        ...

    def readout(self, content: Mapping[str, Any], shape: Shape, results: Sequence[Numbers]) -> Readout:
        """What the model's numbers, in the order of `requests`, say about the item."""
        ...
