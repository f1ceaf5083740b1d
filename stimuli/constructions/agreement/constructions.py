"""The constructions of the generator, after Marvin and Linzen (2018, section 4); words and sentences are our own.

Each takes a set of words and gives a frame (agreement and reflexives: one word must agree with the head) or a
licensing (negative polarity). A set of words is used in every combination of numbers, so that all cells of a
construction are equally many, equally long and made of the same words.

Negative polarity: `ever` wants a negation that stands above it (Marvin and Linzen 2018, section 4).

`No guest has ever laughed` against `The guest has ever laughed`. With a relative clause there is a second form
of the wrong sentence, in which the negation is there but inside the clause: `The guest that no nurse met has …`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from stimuli.constructions.agreement.grammar import BE, HAVE, NUMBERS, Frame, Number, Pair, Word, noun, verb

PEOPLE = tuple(
    noun(*word.split("/"))
    for word in (
        "artist", "author", "baker", "captain", "child/children", "cook", "dancer", "doctor", "driver", "farmer",
        "friend", "guard", "guest", "hunter", "judge", "lawyer", "leader", "manager", "neighbor", "nurse",
        "painter", "player", "sailor", "scientist", "singer", "student", "teacher", "tourist", "visitor", "worker",
    )
)  # fmt: skip
# What people make and give: heads of prepositional phrases and of object relative clauses.
THINGS = tuple(
    noun(*word.split("/"))
    for word in (
        "book",
        "letter",
        "message",
        "note",
        "picture",
        "poem",
        "report",
        "song",
        "speech/speeches",
        "story/stories",
    )
)
# A verb, which agrees, and what follows it.
Predicate = tuple[Word, str]
PEOPLE_DO: tuple[Predicate, ...] = (
    (verb("laugh"), ""), (verb("smile"), ""), (verb("sleep"), ""), (verb("sing"), ""), (verb("wait"), ""),
    (verb("work"), ""), (verb("swim"), ""), (verb("walk"), ""), (BE, " happy"), (BE, " tired"), (BE, " young"),
    (BE, " quiet"), (BE, " late"), (BE, " strong"),
)  # fmt: skip
THINGS_DO: tuple[Predicate, ...] = (
    (BE, " long"), (BE, " short"), (BE, " new"), (BE, " good"), (BE, " strange"), (BE, " famous"),
    (verb("look"), " old"), (verb("seem"), " nice"), (verb("appear"), " simple"),
)  # fmt: skip
# Between people, in the present; and what one does to somebody or to oneself, in the past.
SEE = tuple(verb(word) for word in ("admire", "help", "know", "like", "love", "respect", "trust", "visit"))
TO_THINGS = tuple(verb(word) for word in ("like", "love", "want", "need", "enjoy"))
MET = ("met", "knew", "saw", "liked", "thanked", "called")
DID_TO_SELF = ("hurt", "blamed", "praised", "defended", "introduced", "watched")
SAID = ("said", "thought", "claimed", "knew", "believed")
NEAR = ("near", "behind", "beside", "opposite", "with")
OF = ("from", "for", "by")
# himself or herself against themselves: half of the sets of words each.
PRONOUNS = (Word("himself", "themselves"), Word("herself", "themselves"))
# What may follow `ever`.
EVER = ("laughed", "smiled", "slept here", "worked here", "been happy", "been late", "been famous", "lied", "won")
AGREEMENT, REFLEXIVE, POLARITY = "subject–verb agreement", "reflexive", "negative polarity"
Words = Mapping[str, Any]
# Of a sentence whose relative clause could hold the negation, the wrong one has none, or has it there.
WRONG = (("no negation", "the", "absent"), ("negation in the clause", "no", "misplaced"))


@dataclass(frozen=True, slots=True)
class Licensing:
    """A set of words for it; `attractor` and `met` make the relative clause."""

    name: str
    phenomenon: str
    head: Word
    ending: str
    attractor: Word | None = None
    met: str = ""

    def pairs(self) -> list[Pair]:
        """Two without a clause; with one, eight: numbers of head and attractor, and where the negation is."""
        if self.attractor is None:
            simple = "no attractor"
            return [
                self._pair(head, None, simple, self._simple("No", head), self._simple("The", head)) for head in NUMBERS
            ]
        return [
            self._pair(
                head,
                inner,
                attraction,
                self._relative("No", head, "the", inner),
                self._relative("The", head, negation, inner),
                form,
            )
            for head, inner, (attraction, negation, form) in product(NUMBERS, NUMBERS, WRONG)
        ]

    def _pair(self, head: Number, attractor: Number | None, *rest: str) -> Pair:
        return Pair(self.name, self.phenomenon, head, attractor, *rest)

    def _simple(self, first: str, head: Number) -> str:
        return f"{first} {self.head.in_number(head)} {HAVE.in_number(head)} ever {self.ending}."

    def _relative(self, first: str, head: Number, second: str, inner: Number) -> str:
        assert self.attractor is not None
        clause = f"that {second} {self.attractor.in_number(inner)} {self.met}"
        return f"{first} {self.head.in_number(head)} {clause} {HAVE.in_number(head)} ever {self.ending}."


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
HEAD: Choices = {"head": PEOPLE}
PAIRED: Choices = {"head": PEOPLE, "attractor": PEOPLE}
DO: Choices = {"main": PEOPLE_DO}
ONESELF: Choices = {"main": PRONOUNS, "did": DID_TO_SELF}
CONSTRUCTIONS = (
    Construction("simple", AGREEMENT, "simple", HEAD | DO, _frame("The {head} {main}<rest>.")),
    Construction(
        "prepositional-animate",
        AGREEMENT,
        "across a prepositional phrase, animate head",
        PAIRED | DO | {"near": NEAR},
        _frame("The {head} <near> the {attractor} {main}<rest>."),
    ),
    Construction(
        "prepositional-inanimate",
        AGREEMENT,
        "across a prepositional phrase, inanimate head",
        {"head": THINGS, "attractor": PEOPLE, "main": THINGS_DO, "of": OF},
        _frame("The {head} <of> the {attractor} {main}<rest>."),
    ),
    Construction(
        "subject-relative",
        AGREEMENT,
        "across a subject relative clause",
        PAIRED | DO | {"inner": SEE},
        _frame("The {head} that {inner} the {attractor} {main}<rest>."),
    ),
    Construction(
        "object-relative-animate",
        AGREEMENT,
        "across an object relative clause, animate head",
        PAIRED | DO | {"inner": SEE},
        _frame("The {head} that the {attractor} {inner} {main}<rest>.", agrees_with="attractor"),
    ),
    Construction(
        "object-relative-inanimate",
        AGREEMENT,
        "across an object relative clause, inanimate head",
        {"head": THINGS, "attractor": PEOPLE, "main": THINGS_DO, "inner": TO_THINGS},
        _frame("The {head} that the {attractor} {inner} {main}<rest>.", agrees_with="attractor"),
    ),
    Construction(
        "coordination",
        AGREEMENT,
        "in coordinated verb phrases",
        PAIRED | DO | {"inner": SEE},
        _frame("The {head} {inner} the {attractor} and {main}<rest>."),
    ),
    Construction("reflexive-simple", REFLEXIVE, "simple", HEAD | ONESELF, _frame("The {head} <did> {main}.")),
    Construction(
        "reflexive-relative",
        REFLEXIVE,
        "across an object relative clause",
        PAIRED | ONESELF | {"met": MET},
        _frame("The {head} that the {attractor} <met> <did> {main}."),
    ),
    Construction(
        "reflexive-complement",
        REFLEXIVE,
        "in a sentential complement",
        PAIRED | ONESELF | {"said": SAID},
        _frame("The {attractor} <said> that the {head} <did> {main}."),
    ),
    Construction("polarity-simple", POLARITY, "simple", HEAD | {"ending": EVER}, _licensing(relative=False)),
    Construction(
        "polarity-relative",
        POLARITY,
        "across an object relative clause",
        PAIRED | {"ending": EVER, "met": MET},
        _licensing(relative=True),
    ),
)
