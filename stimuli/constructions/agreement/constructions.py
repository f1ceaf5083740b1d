"""The constructions of the generator, after Marvin and Linzen (2018, section 4); words and sentences are our own.

Each takes a set of words and gives a frame (agreement and reflexives: one word must agree with the head) or a
licensing (negative polarity). A set of words is used in every combination of numbers, so that all cells of a
construction are equally many, equally long and made of the same words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stimuli.constructions.agreement import words
from stimuli.constructions.agreement.grammar import Frame
from stimuli.constructions.agreement.polarity import Licensing

AGREEMENT, REFLEXIVE, POLARITY = "subject–verb agreement", "reflexive", "negative polarity"
Words = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Construction:
    """`choices` are the words for each place, `make` what becomes of one for each place."""

    key: str
    family: str
    phenomenon: str
    choices: Mapping[str, Sequence[Any]]
    make: Callable[[str, str, Words], "Frame | Licensing"]


def _frame(template: str, *, agrees_with: str = "head") -> Callable[[str, str, Words], Frame]:
    """A frame whose template holds, beside {head}, {attractor}, {inner} and {main}, other places in angle brackets."""

    def make(name: str, phenomenon: str, chosen: Words) -> Frame:
        main, rest = chosen["main"] if isinstance(chosen["main"], tuple) else (chosen["main"], "")
        text = template.replace("<rest>", rest)
        for place, word in chosen.items():
            text = text.replace(f"<{place}>", str(word))
        return Frame(
            name,
            phenomenon,
            text,
            head=chosen["head"],
            main=main,
            attractor=chosen.get("attractor"),
            inner=chosen.get("inner"),
            inner_agrees_with="attractor" if agrees_with == "attractor" else "head",
        )

    return make


def _licensing(*, relative: bool) -> Callable[[str, str, Words], Licensing]:
    def make(name: str, phenomenon: str, chosen: Words) -> Licensing:
        return Licensing(
            name,
            phenomenon,
            head=chosen["head"],
            ending=chosen["ending"],
            attractor=chosen["attractor"] if relative else None,
            met=chosen["met"] if relative else "",
        )

    return make


Choices = dict[str, Sequence[Any]]
PEOPLE: Choices = {"head": words.PEOPLE}
PAIRED: Choices = {"head": words.PEOPLE, "attractor": words.PEOPLE}
DO: Choices = {"main": words.PEOPLE_DO}
ONESELF: Choices = {"main": words.PRONOUNS, "did": words.DID_TO_SELF}

CONSTRUCTIONS = (
    Construction("simple", AGREEMENT, "simple", PEOPLE | DO, _frame("The {head} {main}<rest>.")),
    Construction(
        "prepositional-animate",
        AGREEMENT,
        "across a prepositional phrase, animate head",
        PAIRED | DO | {"near": words.NEAR},
        _frame("The {head} <near> the {attractor} {main}<rest>."),
    ),
    Construction(
        "prepositional-inanimate",
        AGREEMENT,
        "across a prepositional phrase, inanimate head",
        {"head": words.THINGS, "attractor": words.PEOPLE, "main": words.THINGS_DO, "of": words.OF},
        _frame("The {head} <of> the {attractor} {main}<rest>."),
    ),
    Construction(
        "subject-relative",
        AGREEMENT,
        "across a subject relative clause",
        PAIRED | DO | {"inner": words.SEE},
        _frame("The {head} that {inner} the {attractor} {main}<rest>."),
    ),
    Construction(
        "object-relative-animate",
        AGREEMENT,
        "across an object relative clause, animate head",
        PAIRED | DO | {"inner": words.SEE},
        _frame("The {head} that the {attractor} {inner} {main}<rest>.", agrees_with="attractor"),
    ),
    Construction(
        "object-relative-inanimate",
        AGREEMENT,
        "across an object relative clause, inanimate head",
        {"head": words.THINGS, "attractor": words.PEOPLE, "main": words.THINGS_DO, "inner": words.TO_THINGS},
        _frame("The {head} that the {attractor} {inner} {main}<rest>.", agrees_with="attractor"),
    ),
    Construction(
        "coordination",
        AGREEMENT,
        "in coordinated verb phrases",
        PAIRED | DO | {"inner": words.SEE},
        _frame("The {head} {inner} the {attractor} and {main}<rest>."),
    ),
    Construction("reflexive-simple", REFLEXIVE, "simple", PEOPLE | ONESELF, _frame("The {head} <did> {main}.")),
    Construction(
        "reflexive-relative",
        REFLEXIVE,
        "across an object relative clause",
        PAIRED | ONESELF | {"met": words.MET},
        _frame("The {head} that the {attractor} <met> <did> {main}."),
    ),
    Construction(
        "reflexive-complement",
        REFLEXIVE,
        "in a sentential complement",
        PAIRED | ONESELF | {"said": words.SAID},
        _frame("The {attractor} <said> that the {head} <did> {main}."),
    ),
    Construction("polarity-simple", POLARITY, "simple", PEOPLE | {"ending": words.EVER}, _licensing(relative=False)),
    Construction(
        "polarity-relative",
        POLARITY,
        "across an object relative clause",
        PAIRED | {"ending": words.EVER, "met": words.MET},
        _licensing(relative=True),
    ),
)
