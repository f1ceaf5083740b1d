"""From counts and triples to entries: a sentence about a noun, kept only if the parser reads it as it was meant, with
the modifiers that were drawn for it. What was left out is counted by stage and reason.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stimuli.constructions.adjectives.counts import CorpusCounts
from stimuli.constructions.adjectives.lexicon import is_english, is_explicit, is_offensive, rare_words
from stimuli.constructions.adjectives.modifiers import EACH, MOST_NON_SUBSECTIVE, CountedModifier, draw, why_not
from stimuli.constructions.adjectives.phrases import Unsure
from stimuli.constructions.adjectives.sentences import Sentence, sentence_of_lemmas, sentence_of_surface
from stimuli.constructions.adjectives.triples import Knowledge, Triple
from stimuli.datasets.adjective_list import AdjectiveList, normalized

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from corpus.parsing import Parser


EXAMPLES = 5

FINITE = ("VBZ", "VBP")
SUBJECTS = ("nsubj", "nsubjpass")
NOT_A_SENTENCE = ("dep", "ccomp", "csubj", "intj", "meta", "parataxis")
UNKNOWN_TAGS = ("FW", "XX", "UH", "ADD", "NFP")
PREDICATES = 3
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(slots=True)
class Dropped:
    """Reasons with their counts. The first examples are kept; the order of the work is fixed, so they are too."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, stage: str, why: str, example: str) -> None:
        self.counts[stage, why] += 1
        if len(self.examples[stage, why]) < EXAMPLES:
            self.examples[stage, why].append(example)

    def total(self, stage: str) -> int:
        return sum(n for (at, _), n in self.counts.items() if at == stage)

    def listed(self) -> list[dict[str, Any]]:
        """For the manifest, by stage, the most frequent reason first."""
        order = sorted(self.counts.items(), key=lambda one: (one[0][0], -one[1], one[0][1]))
        return [
            {"stage": stage, "why": why, "count": n, "examples": self.examples[stage, why]} for (stage, why), n in order
        ]


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence, and the modifiers that were drawn for it."""

    sentence: Sentence
    variants: list[CountedModifier]


@dataclass(frozen=True, slots=True)
class Making:
    """What all stages need. Counts of what passes each stage go to `stages`, the rest to `dropped`."""

    counts: CorpusCounts
    knowledge: Knowledge
    adjectives: AdjectiveList
    parser: "Parser"
    seed: int
    dropped: Dropped
    stages: dict[str, int]

    def entries(self) -> list[Entry]:
        """Every entry that can be made: up to three predicates a noun, four modifiers each."""
        nouns = self._nouns()
        sentences = self._sentences(nouns)
        chosen = [one for noun in sorted(sentences) for one in self._up_to_three(noun, sentences[noun])]
        self.stages["sentences_taken"] = len(chosen)
        entries = [entry for one in chosen if (entry := self._entry(one, nouns[one.triple.head]))]
        self.stages["entries_possible"] = len(entries)
        return entries

    def _nouns(self) -> dict[str, list[CountedModifier]]:
        """Nouns of English that do not offend, with at least four modifiers that may be used."""
        by_noun: dict[str, list[CountedModifier]] = {}
        rare = self.counts.rare
        # A rarer non-subsective modifier is one of the four: else the nouns that have one would be lost here.
        wide = {
            noun: those
            for noun, those in self.counts.modifiers.items()
            if len(those) + min(len(rare.get(noun, {})), MOST_NON_SUBSECTIVE) >= EACH
        }
        self.stages["nouns_with_four_modifiers"] = len(wide)
        for noun, modifiers in sorted(wide.items()):
            why = "is not a common English word" if not is_english(noun) else "may offend" if is_offensive(noun) else ""
            usable = list(self._usable(noun, modifiers)) if not why else []
            oversampled = list(self._usable(noun, rare.get(noun, {}))) if not why else []
            if not why and len(usable) + min(len(oversampled), MOST_NON_SUBSECTIVE) < EACH:
                why = "has fewer than four modifiers that may be used"
            if why:
                self.dropped.add("nouns", why, noun)
            else:
                by_noun[noun] = usable + oversampled
        self.stages["nouns_kept"] = len(by_noun)
        self.stages["nouns_kept_with_a_non_subsective_modifier"] = sum(
            any(normalized(one.text) in self.adjectives.subclasses for one in those) for those in by_noun.values()
        )
        return by_noun

    def _usable(self, noun: str, modifiers: Mapping[str, int]) -> Iterator[CountedModifier]:
        for modifier, n in sorted(modifiers.items()):
            if why := why_not(modifier, noun, self.counts.lexicon, self.counts.capitals, self.adjectives):
                self.dropped.add("modifiers", why, f"{modifier} {noun}")
            else:
                yield CountedModifier(self.counts.capitals.spelling_of(modifier), n)

    def _sentences(self, nouns: Mapping[str, Sequence[CountedModifier]]) -> dict[str, list[Sentence]]:
        """All sentences about these nouns that the parser reads as they were meant."""
        triples = [triple for triple in self.knowledge.triples if triple.head in nouns]
        self.stages["predicates_of_these_nouns"] = len(triples)
        sentences = [sentence for triple in triples if (sentence := self._sentence(triple))]
        self.stages["sentences_made"] = len(sentences)
        by_noun: dict[str, list[Sentence]] = defaultdict(list)
        seen: set[str] = set()
        for sentence, doc in zip(sentences, parsed([one.original for one in sentences], self.parser), strict=True):
            why = "is there already" if sentence.original in seen else fault_of(sentence, doc)
            if why:
                self.dropped.add("sentences", why, sentence.original)
            else:
                seen.add(sentence.original)
                by_noun[sentence.triple.head].append(sentence)
        self.stages["sentences_kept"] = len(seen)
        self.stages["nouns_with_sentences"] = len(by_noun)
        return by_noun

    def _sentence(self, triple: Triple) -> Sentence | None:
        example = triple.surface or f"{triple.head} {triple.relation} {triple.tail}"
        lexicon = self.counts.lexicon
        try:
            if is_offensive(triple.tail) or is_explicit(triple.tail):
                raise Unsure("may offend")
            if rare := rare_words(triple.tail.split()):
                raise Unsure(f"{rare[0]!r} is not a common English word")
            if triple.surface:
                return sentence_of_surface(triple, lexicon)
            return sentence_of_lemmas(triple, lexicon)
        except Unsure as error:
            self.dropped.add("predicates", QUOTED.sub("a word", str(error)), example)
            return None

    def _up_to_three(self, noun: str, sentences: list[Sentence]) -> list[Sentence]:
        rng = random.Random(f"{self.seed}/predicates/{noun}")
        return sorted(rng.sample(sentences, min(PREDICATES, len(sentences))), key=lambda one: one.triple)

    def _entry(self, sentence: Sentence, candidates: Sequence[CountedModifier]) -> Entry | None:
        """Four modifiers; one that the parser does not read as an adjective of the noun is replaced by another."""
        rng = random.Random(f"{self.seed}/modifiers/{sentence.original}")
        inside = set(re.findall(r"[\w-]+", sentence.original.casefold()))
        remaining = [one for one in candidates if one.text.casefold() not in inside]
        while len(remaining) >= EACH:
            drawn = draw(remaining, self.adjectives, rng)
            docs = parsed([sentence.modified(one.text) for one in drawn], self.parser)
            unfit = {
                one.text for one, doc in zip(drawn, docs, strict=True) if not modifier_fits(sentence, one.text, doc)
            }
            if not unfit and len(drawn) == EACH:
                return Entry(sentence, drawn)
            for text in sorted(unfit):
                self.dropped.add("variants", "the parser does not read the modifier as one", sentence.modified(text))
            if not unfit:
                break
            remaining = [one for one in remaining if one.text not in unfit]
        self.dropped.add("entries", "has fewer than four modifiers that fit", sentence.original)
        return None


def parsed(texts: Sequence[str], parser: "Parser") -> "list[Doc]":
    from corpus.texts import Text

    docs = parser.tagged_many(Text(place="", text=text) for text in texts)
    return list(parser.parsed_many(docs))


def fault_of(sentence: Sentence, doc: "Doc") -> str:
    """Why the parse of the original is not that of one sentence about the noun; empty if it is."""
    root = next(token for token in doc if token.head == token)
    if sum(token.head == token for token in doc) != 1:
        return "is not one sentence"
    if not _finite(root):
        return "has no finite verb at its root"
    if any(token.dep_ in NOT_A_SENTENCE or token.tag_ in UNKNOWN_TAGS for token in doc):
        return "has a part that does not belong"
    if sentence.before:
        return ""
    subjects = [token for token in root.children if token.dep_ in SUBJECTS]
    if [token.text.casefold() for token in subjects] != [sentence.noun]:
        return "does not have the noun as its subject"
    return "" if subjects[0].tag_ in ("NN", "NNS") else "does not have a noun as its subject"


def modifier_fits(sentence: Sentence, modifier: str, doc: "Doc") -> bool:
    """Whether the parser takes the modifier, or the end of a hyphenated one, as an adjective of the noun."""
    last = modifier.casefold().split("-")[-1]
    return any(
        token.text.casefold() == last and token.dep_ == "amod" and token.head.text.casefold() == sentence.noun
        for token in doc
    )


def _finite(root: "Token") -> bool:
    if root.tag_ in FINITE:
        return True
    return root.tag_ in ("VBN", "VBG") and any(
        child.dep_ in ("aux", "auxpass") and child.tag_ in FINITE for child in root.children
    )
