"""The frames of the sample study: five constructions, twelve pairs each, in a fixed order."""

from typing import Literal

from annotation.itemfile import ItemRow
from stimuli.constructions.agreement.grammar import BE, HAVE, Frame, Word, noun, verb

SIMPLE = "simple"
PREPOSITIONAL = "across a prepositional phrase"
SUBJECT_RELATIVE = "across a subject relative clause"
OBJECT_RELATIVE = "across an object relative clause"
COORDINATION = "in coordinated verb phrases"


def _frame(
    phenomenon: str, template: str, head: Word, main: Word, attractor: Word | None = None, inner: Word | None = None
) -> Frame:
    """Named after its head. In an object relative clause the attractor is the subject of the inner verb."""
    agrees_with: Literal["head", "attractor"] = "attractor" if phenomenon == OBJECT_RELATIVE else "head"
    return Frame(head.singular, phenomenon, template, head, main, attractor, inner, agrees_with)


FRAMES = (
    _frame(SIMPLE, "The {head} {main} in the morning.", noun("gardener"), verb("whistle")),
    _frame(SIMPLE, "The {head} {main} after dinner.", noun("violinist"), verb("practice")),
    _frame(SIMPLE, "The {head} {main} open.", noun("window"), BE),
    _frame(SIMPLE, "The {head} {main} a question.", noun("pupil"), HAVE),
    _frame(SIMPLE, "The {head} {main} in the shade.", noun("lion"), verb("sleep")),
    _frame(SIMPLE, "The {head} {main} the bus every day.", noun("child", "children"), verb("miss", "misses")),
    _frame(PREPOSITIONAL, "The {head} for the {attractor} {main} in my coat.", noun("ticket"), BE, noun("concert")),
    _frame(
        PREPOSITIONAL, "The {head} behind the {attractor} {main} old.", noun("painting"), verb("look"), noun("curtain")
    ),
    _frame(
        PREPOSITIONAL, "The {head} near the {attractor} {main} a red umbrella.", noun("guide"), HAVE, noun("tourist")
    ),
    _frame(
        SUBJECT_RELATIVE,
        "The {head} who {inner} the {attractor} {main} in the hall.",
        noun("lawyer"),
        BE,
        noun("judge"),
        verb("know"),
    ),
    _frame(
        SUBJECT_RELATIVE,
        "The {head} that {inner} the {attractor} {main} new tires.",
        noun("car"),
        verb("need"),
        noun("truck"),
        verb("follow"),
    ),
    _frame(
        SUBJECT_RELATIVE,
        "The {head} who {inner} the {attractor} {main} on stage.",
        noun("dancer"),
        verb("smile"),
        noun("singer"),
        verb("admire"),
    ),
    _frame(
        OBJECT_RELATIVE,
        "The {head} that the {attractor} {inner} {main} very short.",
        noun("song"),
        BE,
        noun("boy"),
        verb("like"),
    ),
    _frame(
        OBJECT_RELATIVE,
        "The {head} that the {attractor} {inner} {main} bad news.",
        noun("letter"),
        verb("contain"),
        noun("clerk"),
        verb("open"),
    ),
    _frame(
        OBJECT_RELATIVE,
        "The {head} that the {attractor} {inner} {main} downtown.",
        noun("baker"),
        verb("work"),
        noun("customer"),
        verb("praise"),
    ),
    _frame(
        COORDINATION,
        "The {head} {inner} the {attractor} and {main} the yard.",
        noun("farmer"),
        verb("sweep"),
        noun("horse"),
        verb("feed"),
    ),
    _frame(
        COORDINATION,
        "The {head} {inner} the {attractor} and {main} the door.",
        noun("teacher"),
        verb("open"),
        noun("parent"),
        verb("greet"),
    ),
    _frame(
        COORDINATION,
        "The {head} {inner} the {attractor} and {main} around.",
        noun("robot"),
        verb("turn"),
        noun("box", "boxes"),
        verb("lift"),
    ),
)
# Clear cases from other words, so that nobody meets a target's words in a check.
GOLD_FRAMES = (
    _frame(SIMPLE, "The {head} {main} at noon.", noun("bell"), verb("ring")),
    _frame(SIMPLE, "My {head} {main} two dogs.", noun("sister"), HAVE),
    _frame(SIMPLE, "The {head} {main} cold in spring.", noun("river"), BE),
)
PRACTICE_FRAMES = (_frame(SIMPLE, "The {head} {main} at six.", noun("train"), verb("leave")),)
# Two sentences, of which one says that it is to be chosen and the other that it is not; and which it is.
ATTENTION = (
    (
        "Please choose this sentence to show your attention.",
        "Please ignore this sentence to show your attention.",
        "grammatical",
    ),
    (
        "Please avoid this sentence in the present check.",
        "Please select this sentence in the present check.",
        "ungrammatical",
    ),
    ("The instructions say yes to this sentence.", "The instructions say no to this sentence.", "grammatical"),
    ("This is not the sentence that we ask for.", "This is now the sentence that we ask for.", "ungrammatical"),
)


def items() -> list[ItemRow]:
    """60 targets, 6 gold, 4 attention and 2 practice items."""
    return [*(pair.row() for frame in FRAMES for pair in frame.pairs()), *checks()]


def checks() -> list[ItemRow]:
    """Gold, attention and practice items, made of other words than any target."""
    golds = [pair.row("gold") for frame in GOLD_FRAMES for pair in frame.pairs()]
    attention = [
        ItemRow(f"attention-{number}", {"options": {"grammatical": one, "ungrammatical": other}}, "attention", choose)
        for number, (one, other, choose) in enumerate(ATTENTION, start=1)
    ]
    practice = [pair.row("practice") for frame in PRACTICE_FRAMES for pair in frame.pairs()]
    return golds + attention + practice
