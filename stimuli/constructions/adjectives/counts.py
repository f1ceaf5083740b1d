"""The corpus pass summed up: nouns with their modifiers, and how words are used."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from stimuli.constructions.adjectives.modifiers import Capitals
from stimuli.constructions.adjectives.phrases.lexicon import Lexicon, lexicon
from stimuli.constructions.adjectives.phrases.word_check import bigrams
from stimuli.constructions.adjectives.tally import Tally

Block = dict[str, dict[str, int]]
Counted = dict[str, dict[str, int]]


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
