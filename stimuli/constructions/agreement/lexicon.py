"""The frames of the sample study: five constructions, twelve pairs each, in a fixed order."""

from dataclasses import dataclass

from annotation.itemfile import ItemRow
from stimuli.constructions.agreement.grammar import BE, HAVE, Frame, Pair, content, noun, pair_id, target, verb

SIMPLE = "simple"
PREPOSITIONAL = "across a prepositional phrase"
SUBJECT_RELATIVE = "across a subject relative clause"
OBJECT_RELATIVE = "across an object relative clause"
COORDINATION = "in coordinated verb phrases"
FRAMES = (
    Frame("gardener", SIMPLE, "The {head} {main} in the morning.", noun("gardener"), verb("whistle")),
    Frame("violinist", SIMPLE, "The {head} {main} after dinner.", noun("violinist"), verb("practice")),
    Frame("window", SIMPLE, "The {head} {main} open.", noun("window"), BE),
    Frame("pupil", SIMPLE, "The {head} {main} a question.", noun("pupil"), HAVE),
    Frame("lion", SIMPLE, "The {head} {main} in the shade.", noun("lion"), verb("sleep")),
    Frame("child", SIMPLE, "The {head} {main} the bus every day.", noun("child", "children"), verb("miss", "misses")),
    Frame(
        "ticket",
        PREPOSITIONAL,
        "The {head} for the {attractor} {main} in my coat.",
        noun("ticket"),
        BE,
        attractor=noun("concert"),
    ),
    Frame(
        "painting",
        PREPOSITIONAL,
        "The {head} behind the {attractor} {main} old.",
        noun("painting"),
        verb("look"),
        attractor=noun("curtain"),
    ),
    Frame(
        "guide",
        PREPOSITIONAL,
        "The {head} near the {attractor} {main} a red umbrella.",
        noun("guide"),
        HAVE,
        attractor=noun("tourist"),
    ),
    Frame(
        "lawyer",
        SUBJECT_RELATIVE,
        "The {head} who {inner} the {attractor} {main} in the hall.",
        noun("lawyer"),
        BE,
        attractor=noun("judge"),
        inner=verb("know"),
    ),
    Frame(
        "car",
        SUBJECT_RELATIVE,
        "The {head} that {inner} the {attractor} {main} new tires.",
        noun("car"),
        verb("need"),
        attractor=noun("truck"),
        inner=verb("follow"),
    ),
    Frame(
        "dancer",
        SUBJECT_RELATIVE,
        "The {head} who {inner} the {attractor} {main} on stage.",
        noun("dancer"),
        verb("smile"),
        attractor=noun("singer"),
        inner=verb("admire"),
    ),
    Frame(
        "song",
        OBJECT_RELATIVE,
        "The {head} that the {attractor} {inner} {main} very short.",
        noun("song"),
        BE,
        attractor=noun("boy"),
        inner=verb("like"),
        inner_agrees_with="attractor",
    ),
    Frame(
        "letter",
        OBJECT_RELATIVE,
        "The {head} that the {attractor} {inner} {main} bad news.",
        noun("letter"),
        verb("contain"),
        attractor=noun("clerk"),
        inner=verb("open"),
        inner_agrees_with="attractor",
    ),
    Frame(
        "baker",
        OBJECT_RELATIVE,
        "The {head} that the {attractor} {inner} {main} downtown.",
        noun("baker"),
        verb("work"),
        attractor=noun("customer"),
        inner=verb("praise"),
        inner_agrees_with="attractor",
    ),
    Frame(
        "farmer",
        COORDINATION,
        "The {head} {inner} the {attractor} and {main} the yard.",
        noun("farmer"),
        verb("sweep"),
        attractor=noun("horse"),
        inner=verb("feed"),
    ),
    Frame(
        "teacher",
        COORDINATION,
        "The {head} {inner} the {attractor} and {main} the door.",
        noun("teacher"),
        verb("open"),
        attractor=noun("parent"),
        inner=verb("greet"),
    ),
    Frame(
        "robot",
        COORDINATION,
        "The {head} {inner} the {attractor} and {main} around.",
        noun("robot"),
        verb("turn"),
        attractor=noun("box", "boxes"),
        inner=verb("lift"),
    ),
)
# Clear cases from other words, so that nobody meets a target's words in a check.
GOLD_FRAMES = (
    Frame("bell", SIMPLE, "The {head} {main} at noon.", noun("bell"), verb("ring")),
    Frame("sister", SIMPLE, "My {head} {main} two dogs.", noun("sister"), HAVE),
    Frame("river", SIMPLE, "The {head} {main} cold in spring.", noun("river"), BE),
)
PRACTICE_FRAMES = (Frame("train", SIMPLE, "The {head} {main} at six.", noun("train"), verb("leave")),)


@dataclass(frozen=True, slots=True)
class Attention:
    """Two sentences, of which one says that it is to be chosen and the other that it is not."""

    chosen: str
    passed_over: str
    choose: str

    def options(self) -> dict[str, str]:
        other = "ungrammatical" if self.choose == "grammatical" else "grammatical"
        options = {self.choose: self.chosen, other: self.passed_over}
        return {role: options[role] for role in ("grammatical", "ungrammatical")}


ATTENTION = (
    Attention(
        "Please choose this sentence to show your attention.",
        "Please ignore this sentence to show your attention.",
        "grammatical",
    ),
    Attention(
        "Please select this sentence in the present check.",
        "Please avoid this sentence in the present check.",
        "ungrammatical",
    ),
    Attention("The instructions say yes to this sentence.", "The instructions say no to this sentence.", "grammatical"),
    Attention(
        "This is now the sentence that we ask for.", "This is not the sentence that we ask for.", "ungrammatical"
    ),
)


def items() -> list[ItemRow]:
    """60 targets, 6 gold, 4 attention and 2 practice items."""
    return [*(target(pair) for frame in FRAMES for pair in frame.pairs()), *checks()]


def checks() -> list[ItemRow]:
    """Gold, attention and practice items, made of other words than any target."""
    golds = [_check("gold", pair) for frame in GOLD_FRAMES for pair in frame.pairs()]
    attention = [
        ItemRow(f"attention-{number}", {"options": check.options()}, "attention", check.choose)
        for number, check in enumerate(ATTENTION, start=1)
    ]
    practice = [_check("practice", pair) for frame in PRACTICE_FRAMES for pair in frame.pairs()]
    return golds + attention + practice


def _check(kind: str, pair: Pair) -> ItemRow:
    return ItemRow(f"{kind}-{pair_id(pair)}", content(pair), kind, "grammatical")
