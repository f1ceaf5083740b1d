"""The corpus pass: what each block says of nouns, modifiers and use of words; the sum, in a temporary SQLite file."""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from corpus.provenance import digest
from stimuli.constructions.adjectives.lexicon import Lexicon, bigrams, lexicon
from stimuli.constructions.adjectives.modifiers import Capitals
from stimuli.constructions.adjectives.triples import Knowledge

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from corpus.parsing import Parser
    from corpus.texts import Text

WORD = re.compile(r"[a-z]+")
NOUN_TAGS = ("NN", "NNS")
MODIFIER_TAGS = ("JJ", "VBN", "VBG")
# What may stand between a determiner and its noun.
INSIDE = frozenset(("JJ", "JJR", "JJS", "NN", "VBN", "VBG", "RB", "HYPH"))
DETERMINERS = frozenset(("DT", "PDT", "PRP$", "POS", "CD", "WDT", "WP$", "NNP"))
BASE = ("VB", "VBP")
BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s", "'re"))
# "by car", "at school": a bare noun after these says nothing about whether it can be counted.
IDIOMATIC = frozenset(("at", "by", "in", "to", "on", "into", "per"))

# The name that makes SQLite take a file of its own in the directory for temporary files (TMPDIR).
TEMPORARY = ""
Block = dict[str, dict[str, int]]
Counted = dict[str, dict[str, int]]


@dataclass(frozen=True)
class ModifierFinder:
    """Counts of noun and adjective, joined by amod, and of how words are used.

    `heads` are the singular nouns whose modifiers are wanted, `words` all those whose use is counted: by tag;
    nouns with `a`, with `the`, bare and plural; verbs with an object, alone and passive.
    `plurals` and `participles` pair a form with its word.
    """

    name: ClassVar[str] = "adjectives"
    version: ClassVar[str] = "2"
    heads: tuple[str, ...]
    words: tuple[str, ...]
    plurals: tuple[tuple[str, str], ...]
    participles: tuple[tuple[str, str], ...]

    def settings(self) -> dict[str, Any]:
        return {
            "heads": digest(self.heads),
            "words": digest(self.words),
            "plurals": digest(self.plurals),
            "participles": digest(self.participles),
        }

    def find(self, texts: "Sequence[Text]", parser: "Parser") -> dict[str, dict[str, int]]:
        used = Used(frozenset(self.words), dict(self.plurals), dict(self.participles))
        forms = {head: head for head in self.heads}
        forms |= {plural: word for plural, word in self.plurals if word in forms}
        uses: Counter[str] = Counter()
        hopeful: list[Doc] = []
        for doc in parser.tagged_many(
            text for text in texts if used.words.intersection(WORD.findall(text.text.casefold()))
        ):
            uses.update(used.of(doc))
            if _worth_parsing(doc, forms):
                hopeful.append(doc)
        pairs: Counter[str] = Counter()
        capitals: Counter[str] = Counter()
        for doc in parser.parsed_many(hopeful):
            for noun, modifier in modifiers(doc, forms):
                pairs[f"{forms[noun.lower_]} {modifier.lower_}"] += 1
                if not modifier.is_sent_start:
                    capitals[f"{modifier.lower_} {'upper' if modifier.text[0].isupper() else 'lower'}"] += 1
        return {"pairs": _sorted(pairs), "capitals": _sorted(capitals), "uses": _sorted(uses)}


@dataclass(frozen=True, slots=True)
class Used:
    """Words whose use is counted, and what their plurals and participles are of."""

    words: frozenset[str]
    singular: Mapping[str, str]
    verbs: Mapping[str, str]

    def of(self, doc: "Doc") -> Iterator[str]:
        for token in doc:
            word, tag = token.lower_, token.tag_
            if tag == "NNS" and word in self.singular:
                yield f"{self.singular[word]} plural"
            if tag == "VBN" and word in self.verbs and _after_be(doc, token.i):
                yield f"{self.verbs[word]} passive"
            if word in self.words:
                yield f"{word} {tag}"
                how = _determined(doc, token.i) if tag == "NN" else _governing(doc, token.i) if tag in BASE else ""
                if how:
                    yield f"{word} {how}"


def modifiers(doc: "Doc", forms: dict[str, str]) -> "Iterator[tuple[Token, Token]]":
    """Every noun with an adjectival modifier before it (amod) and no other noun between them."""
    for token in doc:
        if token.dep_ == "amod" and token.tag_ in MODIFIER_TAGS and token.i < token.head.i:
            noun = token.head
            if noun.tag_ in NOUN_TAGS and noun.lower_ in forms and _plain(token) and _adjoining(doc, token, noun):
                yield noun, token


def _plain(modifier: "Token") -> bool:
    """A word by itself: not `known` of `well-known`, nor `old` of `ten years old`, nor negated."""
    word = modifier.lower_
    if not (word.isascii() and word.replace("-", "").isalpha()):
        return False
    return all(child.dep_ in ("advmod", "punct", "cc", "conj") and child.tag_ != "HYPH" for child in modifier.children)


def _adjoining(doc: "Doc", modifier: "Token", noun: "Token") -> bool:
    if modifier.i and doc[modifier.i - 1].tag_ == "HYPH":
        return False
    between = doc[modifier.i + 1 : noun.i]
    return noun.dep_ != "compound" and not any(token.tag_.startswith("N") or token.tag_ == "CD" for token in between)


def _worth_parsing(doc: "Doc", forms: dict[str, str]) -> bool:
    """Whether a wanted noun comes after something that may modify it; only then is the tree needed."""
    return any(
        token.tag_ in NOUN_TAGS and token.i and doc[token.i - 1].tag_ in MODIFIER_TAGS and token.lower_ in forms
        for token in doc
    )


def _determined(doc: "Doc", place: int) -> str:
    """`a`, `the` or `bare` for a singular noun that heads its phrase; empty for what does not tell."""
    if place + 1 < len(doc) and doc[place + 1].tag_ in ("NN", "NNS", "NNP", "POS", "HYPH"):
        return ""
    start = place - 1
    while start >= 0 and doc[start].tag_ in INSIDE:
        start -= 1
    if start < 0:
        return "bare"
    first = doc[start]
    if first.lower_ in ("a", "an", "the"):
        return "the" if first.lower_ == "the" else "a"
    return "" if first.tag_ in DETERMINERS or first.lower_ in IDIOMATIC else "bare"


def _governing(doc: "Doc", place: int) -> str:
    """`object` for a verb with a noun phrase right after it, `alone` for one that ends its clause."""
    following = doc[place + 1].tag_ if place + 1 < len(doc) else "."
    if following in ("DT", "PRP$", "PRP"):
        return "object"
    return "alone" if following in (".", ",", "CC", "IN") else ""


def _after_be(doc: "Doc", place: int) -> bool:
    before = place - 1
    while before >= 0 and doc[before].tag_ in ("RB", "HYPH"):
        before -= 1
    return before >= 0 and doc[before].lower_ in BE


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def finder_for(knowledge: Knowledge) -> ModifierFinder:
    """Looks for the modifiers of every head, and counts how every word of the triples is used."""
    heads = knowledge.heads
    tails = (word for triple in knowledge.triples for word in triple.tail.split())
    words = sorted({*heads, *(word for word in tails if word.isascii() and word.isalpha())})
    return ModifierFinder(tuple(heads), tuple(words), tuple(_plurals(words)), tuple(_participles(words)))


def _plurals(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each word's plurals with the word, as lemminflect has them or forms them."""
    from lemminflect import getInflection

    # ConceptNet's lemmatizer made "person" of "people"; lemminflect goes back to "persons".
    yield "people", "person"
    used = {"people"}
    for word in words:
        for plural in getInflection(word, tag="NNS"):
            if plural != word and plural not in used:
                used.add(plural)
                yield plural, word


def _participles(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    from lemminflect import getInflection

    used: set[str] = set()
    for word in words:
        for participle in getInflection(word, tag="VBN", inflect_oov=False):
            if participle not in used:
                used.add(participle)
                yield participle, word


class Tally:
    """Counts by kind and key. A corpus of any size needs the same memory; the disk holds the rest."""

    def __init__(self) -> None:
        self._table = sqlite3.connect(TEMPORARY, isolation_level=None)
        self._table.execute(
            "CREATE TABLE counts (kind TEXT, key TEXT, n INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID"
        )

    def close(self) -> None:
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


def gather(blocks: Iterable[Block], *, minimum: Minimum, persons: Iterable[str]) -> CorpusCounts:
    """Adds up what the finder found, block by block; the sums are kept on disk, so that any corpus fits."""
    with closing(Tally()) as tally:
        for block in blocks:
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
