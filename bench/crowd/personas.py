"""Who comes: ways of taking part, and how many of each there are among sixty."""

import random
from dataclasses import dataclass, replace

from annotation.behavior import PROFILES, Profile, Respondent
from annotation.platforms import Outcome

# They err in one answer of twenty, in three of ten; and in checks less, as people do who read.
CAREFUL = replace(PROFILES["careful"], slip=0.05, gold_slip=0.01, attention_slip=0.01)
NOISY = replace(PROFILES["noisy"], slip=0.30, gold_slip=0.10, attention_slip=0.10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """One way of taking part. `reads`: the policy ought to leave them in."""

    profile: Profile = CAREFUL
    reads: bool = True
    consents: bool = True
    understands: bool = True
    leaves: bool = False
    # Somebody else comes with their id, in another browser.
    is_copied: bool = False
    comes_again: bool = False


PERSONAS = {
    "careful": Persona(),
    "noisy": Persona(profile=NOISY),
    "speeder": Persona(profile=PROFILES["hasty"], reads=False),
    "straight-liner": Persona(profile=PROFILES["straight"], reads=False),
    "repeater": Persona(profile=PROFILES["repeating"], reads=False),
    "leaver": Persona(leaves=True),
    "decliner": Persona(consents=False),
    "fails comprehension": Persona(understands=False),
    "id used elsewhere too": Persona(is_copied=True),
    "comes twice": Persona(comes_again=True),
    "comes when it is full": Persona(),
}
MIX = {
    "careful": 24, "noisy": 6, "speeder": 5, "straight-liner": 5, "repeater": 4, "leaver": 5, "decliner": 3,
    "fails comprehension": 3, "id used elsewhere too": 2, "comes twice": 3,
}  # fmt: skip
LATE = "comes when it is full"


@dataclass(frozen=True, slots=True)
class Person:
    """`id` is the platform's, of its form."""

    name: str
    number: int
    seed: int

    @property
    def id(self) -> str:
        return f"{self.seed:012x}{self.number:012x}"

    @property
    def persona(self) -> Persona:
        return PERSONAS[self.name]

    @property
    def respondent(self) -> Respondent:
        return Respondent(self.id, self.persona.profile, f"crowd/{self.seed}")

    @property
    def ends(self) -> Outcome | None:
        """How it ends for them before they have items."""
        if not self.persona.consents:
            return Outcome.NO_CONSENT
        return None if self.persona.understands else Outcome.SCREENED_OUT


def cast(people: int, *, seed: int, first: int = 1) -> list[Person]:
    """About so many, of every persona at least one, in the order in which they come; numbered on from `first`."""
    whole = sum(MIX.values())
    names = [name for name, count in MIX.items() for _ in range(max(1, round(count * people / whole)))]
    random.Random(f"{seed}/{first}/cast").shuffle(names)
    return [Person(name, number, seed) for number, name in enumerate(names, start=first)]
