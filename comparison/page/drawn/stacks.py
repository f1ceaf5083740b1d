"""Stacked bars: how often each label is used, one bar for each who uses them."""

from collections.abc import Sequence
from dataclasses import dataclass

from comparison.page.drawn.axis import spelled
from comparison.pictures.bar import DEGREES
from comparison.statistics.estimate import percent

# A share is printed in its part from here on: a smaller part has no room for it.
PRINTED = 0.045
# In percent of a bar that on the narrowest phone is 96 pixels wide.
SLIM = 20
# Of scales with more labels than degrees, steps between the same ends.
STEPS = 10


@dataclass(frozen=True, slots=True)
class Key:
    """A label of the scale and its color, a class of figures.css."""

    color: str
    words: str


@dataclass(frozen=True, slots=True)
class Part:
    """`ink` is the color of its number."""

    color: str
    ink: str
    at: str
    width: str
    middle: str
    number: str
    said: str

    @property
    def is_slim(self) -> bool:
        """Whether a phone has no room for its number."""
        return float(self.width.removesuffix("%")) < SLIM


@dataclass(frozen=True, slots=True)
class Stack:
    """`key` is a run's, empty of people; `look` is who speaks, `small` stands below the name."""

    key: str
    name: str
    small: str
    title: str
    look: str
    parts: tuple[Part, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Stacks:
    """`has_cut`: some bar is of labels by cut points, and has a †."""

    keys: tuple[Key, ...]
    bars: tuple[Stack, ...]
    sentence: str = ""
    said: str = "How often each label is used, in percent"
    has_cut: bool = False


def colors(labels: int) -> tuple[str, ...]:
    """A class for each label of a scale.

    >>> colors(3), colors(7)[:3]
    (('d1', 'd3', 'd5'), ('t0', 't2', 't3'))
    """
    if labels in DEGREES:
        return tuple(f"d{degree}" for degree in DEGREES[labels])
    return tuple(f"t{round(STEPS * place / (labels - 1))}" for place in range(labels))


def inks() -> dict[str, str]:
    """What can be read on each color, in both themes: of a step, what can on the degree that it is next to."""
    nearest = (1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5)
    steps = {f"t{step}": f"on{degree}" for step, degree in enumerate(nearest)}
    return {f"d{degree}": f"on{degree}" for degree in nearest} | steps


def keys(words: Sequence[str]) -> tuple[Key, ...]:
    return tuple(Key(color, word) for color, word in zip(colors(len(words)), words, strict=True))


def stack(name: str, small: str, counts: Sequence[int], words: Sequence[str], *, look: str, key: str = "") -> Stack:
    """Labels that nobody gave have no part.

    >>> found = stack("People", "", [1, 0, 3], ["no", "so", "yes"], look="people")
    >>> [(part.color, part.at, part.width, part.number) for part in found.parts]
    [('d1', '0%', '25%', '25'), ('d5', '25%', '75%', '75')]
    """
    total, begins, parts, ink = sum(counts), 0.0, [], inks()
    for color, count, word in zip(colors(len(words)), counts, words, strict=True):
        if not count:
            continue
        share = count / total
        number = percent(share).removesuffix(" %") if share >= PRINTED else ""
        description = f"{word}: {percent(share)}, {count:,} of {total:,}"
        parts.append(
            Part(color, ink[color], spelled(begins), spelled(share), spelled(begins + share / 2), number, description)
        )
        begins += share
    description = "; ".join(
        f"{word} {percent(count / total)}" for word, count in zip(words, counts, strict=True) if count
    )
    return Stack(key, name, small, f"{name} {small}".strip(), look, tuple(parts), f"{name}: {description}")
