"""A sitting's items by their place, with the state of each: read once, where several questions are asked of them."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Steps:
    """`states` is by place, in order; `stage` says which places are of the stage that somebody is in."""

    states: dict[int, str]

    def with_state(self, position: int, state: str) -> "Steps":
        return Steps({**self.states, position: state})

    def every(self, state: str) -> list[int]:
        """The places with this state, of any stage."""
        return [position for position, found in self.states.items() if found == state]

    def first(self, state: str) -> int | None:
        """The first place with this state, of any stage."""
        return next(iter(self.every(state)), None)

    def last(self, states: tuple[str, ...], stage: Callable[[int], bool]) -> int | None:
        """The last place of the stage with one of these states."""
        return max(
            (position for position, found in self.states.items() if found in states and stage(position)), default=None
        )

    def count(self, states: tuple[str, ...], stage: Callable[[int], bool]) -> int:
        return sum(found in states and stage(position) for position, found in self.states.items())
