"""Holm's correction (1979, Scand. J. Statist. 6: 65–70): p of several tests, held down for as many looks."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def held_down(found: Mapping[Name, float]) -> dict[Name, float]:
    """Each p after the correction, whatever the tests have to do with one another.

    >>> held_down({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'c': 0.06, 'b': 0.06}
    """
    held, highest = {}, 0.0
    for place, (name, p) in enumerate(sorted(found.items(), key=lambda pair: pair[1])):
        highest = max(highest, min(1.0, (len(found) - place) * p))
        held[name] = highest
    return held
