"""How simulated annotators answer. Pure computation: a profile, a scale, a seed, and out comes an answer.

What happens at an item follows from the seed, the annotator and the item alone, whatever came before. At
checks it follows from the check's number, because which checks come up differs from sitting to sitting:
so the same seed excludes the same annotators and gives the same labels.
"""

import math
import random
from dataclasses import dataclass

from annotation.tasktypes.contract import Scale

WORDS_A_SECOND = 4.0
SPREAD = 0.35  # of the logarithm of response times


@dataclass(frozen=True, slots=True)
class Profile:
    """One way of answering; shares are probabilities.

    `slip` is the share of target labels that miss what the annotator should say, `far` the share of those,
    on an ordered scale, that are more than one degree off; `gold_slip` the share of gold answers far from
    the reference; `attention_slip` the share of failed attention checks. `pace` multiplies the time it
    takes to read. `random` labels are drawn from the whole scale, whatever the item says. With a `period` the same
    places on the page are chosen in turn, whatever is asked: one again and again, or so many.
    """

    slip: float
    far: float
    gold_slip: float
    attention_slip: float
    pace: float
    random: bool = False
    period: int = 0


PROFILES = {
    "careful": Profile(slip=0.10, far=0.05, gold_slip=0.0, attention_slip=0.0, pace=1.0),
    "noisy": Profile(slip=0.30, far=0.30, gold_slip=0.04, attention_slip=0.02, pace=0.7),
    # They do not read, so they do not see what an attention check asks for.
    "careless": Profile(slip=0.5, far=0.5, gold_slip=0.6, attention_slip=1.0, pace=0.15, random=True),
    # They see what a check asks for and read nothing else.
    "hasty": Profile(slip=0.5, far=0.5, gold_slip=0.0, attention_slip=0.0, pace=0.08, random=True),
    "straight": Profile(slip=0.5, far=0.5, gold_slip=0.6, attention_slip=0.8, pace=0.5, period=1),
    "repeating": Profile(slip=0.5, far=0.5, gold_slip=0.6, attention_slip=0.8, pace=0.5, period=3),
}


@dataclass(frozen=True, slots=True)
class Respondent:
    """Who answers. `seed` should name the study too: else whoever fails a check in one study fails it in all."""

    name: str
    profile: Profile
    seed: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a simulated annotator knows of an item. `nth_check` counts the checks of this kind they have met.

    `shown` are the values in the order of the page, `position` is the item's place in the sitting.
    """

    item: str
    kind: str
    reference: str | None
    text: str
    nth_check: int = 0
    shown: tuple[str, ...] = ()
    position: int = 0


def answer(who: Respondent, question: Question, *, scale: Scale, gold_distance: int) -> str:
    """A canonical value. An item without a reference has a hidden one, drawn from the seed."""
    profile, seed = who.profile, who.seed
    if profile.period:
        return _in_turn(who, question)
    right = question.reference or random.Random(f"{seed}/{question.item}/preference").choice(scale.values)
    if question.kind == "attention":
        rng = random.Random(f"{seed}/{who.name}/attention/{question.nth_check}")
        return _at_least(1, right, scale, rng) if rng.random() < profile.attention_slip else right
    if question.kind == "gold":
        rng = random.Random(f"{seed}/{who.name}/gold/{question.nth_check}")
        return _gold(right, scale, gold_distance, profile, rng)
    rng = random.Random(f"{seed}/{who.name}/{question.item}")
    if profile.random:
        return rng.choice(scale.values)
    if rng.random() >= min(0.5, profile.slip * _difficulty(question.item, seed)):
        return right
    return _at_least(2, right, scale, rng) if rng.random() < profile.far else _near(right, scale, rng)


def response_ms(who: Respondent, question: Question) -> int:
    """Milliseconds: a second to choose and the time to read, log-normally spread."""
    rng = random.Random(f"{who.seed}/{who.name}/{question.item}/time")
    seconds = 1.0 + len(question.text.split()) / WORDS_A_SECOND
    return round(1000 * seconds * who.profile.pace * math.exp(rng.gauss(0.0, SPREAD)))


def _in_turn(who: Respondent, question: Question) -> str:
    """The annotator's own places."""
    first = random.Random(f"{who.seed}/{who.name}/places").randrange(len(question.shown))
    step = question.position % who.profile.period
    # Two options have no third place: of three answers in turn, two are then the same.
    return question.shown[(first + min(step, len(question.shown) - 1)) % len(question.shown)]


def _gold(right: str, scale: Scale, gold_distance: int, profile: Profile, rng: random.Random) -> str:
    """Far from the reference or not: whether comes first, so that it does not depend on which gold item it is."""
    if rng.random() < profile.gold_slip:
        return _at_least(gold_distance, right, scale, rng)
    near = [value for value in scale.values if 0 < scale.distance(right, value) < gold_distance]
    return rng.choice(near) if near and rng.random() < profile.slip else right


def _difficulty(item: str, seed: str) -> float:
    """Some items divide people and most do not: 0.3 to 3, on average about 1."""
    return float(random.Random(f"{seed}/{item}/difficulty").choice((0.3, 0.3, 0.6, 0.6, 1.2, 3.0)))


def _near(right: str, scale: Scale, rng: random.Random) -> str:
    return rng.choice([value for value in scale.values if scale.distance(right, value) == 1])


def _at_least(degrees: int, right: str, scale: Scale, rng: random.Random) -> str:
    """Any value that far off; on a scale where none is, any other value."""
    far = [value for value in scale.values if scale.distance(right, value) >= degrees]
    return rng.choice(far or [value for value in scale.values if value != right])
