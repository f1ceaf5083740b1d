"""The three published sets: what their columns and codes are, and what the codes mean."""

from collections.abc import Mapping
from dataclasses import dataclass

PLAUSIBLE, IMPLAUSIBLE = "Plausible", "Implausible"
VOICES = ("active", "passive")
POINTS = 7


@dataclass(frozen=True, slots=True)
class Condition:
    """What a trial type stands for, and what the implausible sentence breaks; `possible`: it breaks nothing."""

    words: str
    violation: str

    @property
    def has_reference(self) -> bool:
        return self.violation != "possible"


@dataclass(frozen=True, slots=True)
class EventSet:
    """`conditions` by trial type; the empty type is that of a set without such a column. `sentences` as published."""

    key: str
    name: str
    paper: str
    conditions: Mapping[str, Condition]
    sentences: int

    @property
    def has_trial_types(self) -> bool:
        return "" not in self.conditions


SETS = {
    found.key: found
    for found in (
        EventSet(
            "eventsadapt",
            "EventsAdapt",
            "sentences after Fedorenko, Blank, Siegelman and Mineroff (2020), Cognition 203",
            {
                "AI": Condition("animate–inanimate", "impossible"),
                "AAN": Condition("animate–animate", "unlikely"),
                "AAR": Condition("animate–animate, reversible", "possible"),
            },
            1564,
        ),
        EventSet(
            "dtfit",
            "DTFit",
            "sentences after Vassallo, Chersoni, Santus, Lenci and Blache (2018), LREC workshop on linguistic and "
            "neurocognitive resources",
            {"": Condition("", "unlikely")},
            790,
        ),
        EventSet(
            "eventsrev",
            "EventsRev",
            "sentences after Ivanova et al. (2021), Neurobiology of Language 2",
            {"": Condition("animate–animate", "unlikely")},
            76,
        ),
    )
}
