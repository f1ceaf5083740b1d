"""From counts and triples to entries: a sentence about a noun, with the modifiers that were drawn for it."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stimuli.constructions.adjectives.checking import fault_of, modifier_fits, parsed
from stimuli.constructions.adjectives.counts import CorpusCounts
from stimuli.constructions.adjectives.dropped import Dropped
from stimuli.constructions.adjectives.modifiers import EACH, MOST_NON_SUBSECTIVE, Drawn, draw, why_not
from stimuli.constructions.adjectives.phrases.noun_phrases import Unsure
from stimuli.constructions.adjectives.phrases.word_check import is_english, is_explicit, is_offensive, rare_words
from stimuli.constructions.adjectives.sentences import Sentence, sentence_of_lemmas
from stimuli.constructions.adjectives.surfaces import sentence_of_surface
from stimuli.constructions.adjectives.triples import Knowledge, Triple
from stimuli.datasets.adjective_list import AdjectiveList, normalized

if TYPE_CHECKING:
    from corpus.parsing import Parser

PREDICATES = 3
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence, and the modifiers that were drawn for it."""

    sentence: Sentence
    variants: list[Drawn]


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
        found = [entry for one in chosen if (entry := self._entry(one, nouns[one.triple.head]))]
        self.stages["entries_possible"] = len(found)
        return found

    def _nouns(self) -> dict[str, list[Drawn]]:
        """Nouns of English that do not offend, with at least four modifiers that may be used."""
        kept: dict[str, list[Drawn]] = {}
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
                kept[noun] = usable + oversampled
        self.stages["nouns_kept"] = len(kept)
        self.stages["nouns_kept_with_a_non_subsective_modifier"] = sum(
            any(normalized(one.text) in self.adjectives.subclasses for one in those) for those in kept.values()
        )
        return kept

    def _usable(self, noun: str, modifiers: Mapping[str, int]) -> Iterator[Drawn]:
        for modifier, n in sorted(modifiers.items()):
            if why := why_not(modifier, noun, self.counts.lexicon, self.counts.capitals, self.adjectives):
                self.dropped.add("modifiers", why, f"{modifier} {noun}")
            else:
                yield Drawn(self.counts.capitals.shown(modifier), n)

    def _sentences(self, nouns: Mapping[str, Sequence[Drawn]]) -> dict[str, list[Sentence]]:
        """All sentences about these nouns that the parser reads as they were meant."""
        triples = [triple for triple in self.knowledge.triples if triple.head in nouns]
        self.stages["predicates_of_these_nouns"] = len(triples)
        made = [sentence for triple in triples if (sentence := self._sentence(triple))]
        self.stages["sentences_made"] = len(made)
        kept: dict[str, list[Sentence]] = defaultdict(list)
        seen: set[str] = set()
        for sentence, doc in zip(made, parsed([one.original for one in made], self.parser), strict=True):
            why = "is there already" if sentence.original in seen else fault_of(sentence, doc)
            if why:
                self.dropped.add("sentences", why, sentence.original)
            else:
                seen.add(sentence.original)
                kept[sentence.triple.head].append(sentence)
        self.stages["sentences_kept"] = len(seen)
        self.stages["nouns_with_sentences"] = len(kept)
        return kept

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

    def _entry(self, sentence: Sentence, candidates: Sequence[Drawn]) -> Entry | None:
        """Four modifiers; one that the parser does not read as an adjective of the noun is replaced by another."""
        rng = random.Random(f"{self.seed}/modifiers/{sentence.original}")
        inside = set(re.findall(r"[\w-]+", sentence.original.casefold()))
        left = [one for one in candidates if one.text.casefold() not in inside]
        while len(left) >= EACH:
            drawn = draw(left, self.adjectives, rng)
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
            left = [one for one in left if one.text not in unfit]
        self.dropped.add("entries", "has fewer than four modifiers that fit", sentence.original)
        return None
