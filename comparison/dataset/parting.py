"""Which items go to train, validation and test: by group, stratified, in an order that a seed decides. Pure."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

PARTS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class Unit:
    """What stays in one part: a group of items, or an item that has no group. `stratum` is its label."""

    name: str
    stratum: str
    items: int


@dataclass(frozen=True, slots=True)
class Parting:
    """Names are kept as 64 bits of their hash, so that a million of them take little room."""

    seed: int
    places: Mapping[int, int]

    def part_of(self, name: str) -> str:
        return PARTS[self.places[_key(self.seed, name)]]


def parted(units: Iterable[Unit], *, shares: Sequence[int], seed: int) -> Parting:
    """Stratum by stratum, in the order of the seeded hash of their names, each to the part that is furthest behind.

    So every part has its share of every stratum and of the whole, but for the size of the largest unit. `shares` are
    in per cent, in the order of PARTS, and come to 100.
    """
    filled = [0] * len(PARTS)
    places: dict[int, int] = {}
    total = 0
    for _, key, items in sorted((unit.stratum, _key(seed, unit.name), unit.items) for unit in units):
        total += items
        behind = [share * total - 100 * got for share, got in zip(shares, filled, strict=True)]
        place = behind.index(max(behind))
        filled[place] += items
        places[key] = place
    return Parting(seed, places)


def _key(seed: int, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{name}".encode()).digest()[:8])
