"""The corpus pass summed up: nouns with their modifiers, and how words are used; kept in a temporary SQLite file."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from stimuli.constructions.adjectives.lexicon import Lexicon, bigrams, lexicon
from stimuli.constructions.adjectives.modifiers import Capitals

# The name that makes SQLite take a file of its own in the directory for temporary files (TMPDIR).
TEMPORARY = ""

Block = dict[str, dict[str, int]]
Counted = dict[str, dict[str, int]]


class Tally:
    """Counts by kind and key. A corpus of any size needs the same memory; the disk holds the rest."""

    def __init__(self) -> None:
        self._table = sqlite3.connect(TEMPORARY, isolation_level=None)
        self._table.execute(
            "CREATE TABLE counts (kind TEXT, key TEXT, n INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._table.close()

    def add(self, kind: str, counts: Mapping[str, int]) -> None:
        self._table.execute("BEGIN")
        self._table.executemany(
            "INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET n = n + excluded.n",
            [(kind, key, n) for key, n in counts.items()],
        )
        self._table.execute("COMMIT")

    def totals(self, kind: str) -> tuple[int, int]:
        """How many keys there are, and the sum of their counts."""
        keys, total = self._table.execute("SELECT count(*), sum(n) FROM counts WHERE kind = ?", (kind,)).fetchone()
        return keys, total or 0

    def items(self, kind: str, *, least: int = 1) -> Iterator[tuple[str, int]]:
        """Keys with at least that count, sorted by key."""
        yield from self._table.execute(
            "SELECT key, n FROM counts WHERE kind = ? AND n >= ? ORDER BY key", (kind, least)
        )


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """`modifiers` has, for each noun, those counted with it often enough; `rare`, those that are oversampled."""

    modifiers: Counted
    rare: Counted
    capitals: Capitals
    lexicon: Lexicon
    stages: dict[str, int]


@dataclass(frozen=True, slots=True)
class Minimum:
    """How often a noun must have been met with a modifier, and with one of the rare ones that are oversampled."""

    pairs: int
    rare_pairs: int
    rare: Collection[str]


def gather(found: Iterable[Block], *, minimum: Minimum, persons: Iterable[str]) -> CorpusCounts:
    """Adds up what the finder found, block by block; the sums are kept on disk, so that any corpus fits."""
    with Tally() as tally:
        for block in found:
            for kind, counts in block.items():
                tally.add(kind, counts)
        modifiers, rare = _modifiers(tally, minimum)
        pairs, total = tally.totals("pairs")
        stages = {
            "pairs_met": total,
            "different_pairs": pairs,
            "pairs_at_the_minimum_count": sum(map(len, modifiers.values())),
            "nouns_with_such_pairs": len(modifiers),
            "rarer_non_subsective_pairs": sum(map(len, rare.values())),
        }
        words = lexicon(tally.items("uses"), bigrams=bigrams(), persons=persons)
        return CorpusCounts(modifiers, rare, Capitals(dict(_shares(tally.items("capitals")))), words, stages)


def _modifiers(tally: Tally, minimum: Minimum) -> tuple[Counted, Counted]:
    modifiers: Counted = defaultdict(dict)
    rare: Counted = defaultdict(dict)
    for key, n in tally.items("pairs", least=min(minimum.pairs, minimum.rare_pairs)):
        noun, modifier = key.split(" ")
        if n >= minimum.pairs:
            modifiers[noun][modifier] = n
        elif modifier in minimum.rare:
            rare[noun][modifier] = n
    return dict(modifiers), dict(rare)


def _shares(counts: Iterable[tuple[str, int]]) -> Iterator[tuple[str, float]]:
    cases: dict[str, dict[str, int]] = defaultdict(dict)
    for key, n in counts:
        word, case = key.split(" ")
        cases[word][case] = n
    for word, those in cases.items():
        yield word, those.get("upper", 0) / sum(those.values())
