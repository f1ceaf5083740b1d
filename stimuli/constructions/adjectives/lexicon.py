"""Words that a phrase may have: closed classes, forms as a corpus has them, and what is English and offends nobody."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def pairs(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(pair.split()) for pair in text.split(", "))


LONGEST: Final = 8
PREPOSITIONS = words(
    "about above across after against along among around as at before behind below between by for from in "
    "inside into near of off on onto outside over through to toward under upon with without"
)
PARTICLES = words(
    "alone along apart around away back down downstairs easily far fast forward high home in inside loudly "
    "off on out outside over quickly slowly underwater up upstairs well"
)
PRONOUNS = words("anyone anything everyone everything itself someone something themselves you yourself")
NUMBERS = words("eight five four hundred nine seven six ten thousand three twelve two")
POSSESSIVES = words("her his its their your")
# Quantifiers, as they are with what is counted and with what is not; empty where they cannot stand.
QUANTIFIERS = {
    "many": ("many", ""),
    "several": ("several", ""),
    "few": ("a few", ""),
    "much": ("", "much"),
    "some": ("some", "some"),
    "all": ("all", "all"),
    "more": ("more", "more"),
}
# Adjectives that ask for a plural of what is counted.
PLURAL_ADJECTIVES = words("certain different multiple numerous other similar various")
KINDS = words("kind sort type variety")
# `a piece of paper`, where other nouns before `of` are definite: `the skin of cows`.
MEASURES = words(
    "bit bottle box bunch collection cup glass group kind layer pair piece range "
    "series set sheet slice sort type variety"
)
# Another word in the plural or without an article: ConceptNet has `wear glass`, `pass football`.
AMBIGUOUS = words("football glass good jean pant short")
# After these, `of`, `from` and `with` name a material or a content: `made of glass`.
MAKING = words("build compose construct cover create fill form make produce")
# Said without an article.
BARE = pairs(
    "at home, at night, at school, at sea, at work, by car, by hand, for breakfast, for dinner, for lunch, in bed, in "
    "class, in jail, in prison, in school, in space, in spring, in summer, in winter, on cue, on foot, on television, "
    "on tv, to bed, to church, to school, to work"
)
# Verbs that a bare infinitive with `to` follows: `learn to fly`.
BEFORE_INFINITIVE = words("begin help learn like love need start try want")
# Verbs whose object may have been an adjective or a participle: `get tangled` is `get tangle` in ConceptNet.
LINKING = words("become feel get grow keep look seem stay turn")
# Participles that need more to say something: `sense is made`.
LIGHT = words("do get give have make put take")
# Adjectives that compare with something that is not said.
COMPARING = words("alike different equal opposite similar")
ADVERBS_OF_DEGREE = words("always extremely often quite really sometimes usually very")
IRREGULAR = {
    ("person", "NNS"): "people",
    ("fish", "NNS"): "fish",
    ("be", "VBZ"): "is",
    ("have", "VBZ"): "has",
    ("clothe", "NNS"): "clothes",
}
# Fewer uses than this do not tell how a word is used.
ENOUGH = 8
VERB = ("VB", "VBP", "VBD", "VBN", "VBZ", "VBG")
# Always counted, however often they stand alone ("oh man", "Mother says").
PEOPLE = words(
    "person man woman boy girl child kid baby guy lady wife husband mother father mom dad parent sister brother "
    "daughter son aunt uncle friend neighbor student teacher doctor actor actress player adult human cousin"
)
FEMALE = words("woman girl lady wife mother mom sister daughter aunt actress")
MALE = words("man boy guy husband father dad brother son uncle")
COUNTED = PEOPLE | {"thing", "name", "dog", "cat", "bird", "fish"}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`uses` has, for each word, how often it was met with each tag and in each way that the finder tells apart.

    `bigrams` are pairs of words of general English with their counts: a second witness, because no corpus is
    like English at large (reviews say "camera works fine").
    """

    uses: Mapping[str, Mapping[str, int]]
    bigrams: Mapping[str, int]
    persons: frozenset[str] = field(default_factory=frozenset)

    def count(self, word: str, *ways: str) -> int:
        return sum(self.uses.get(word, {}).get(way, 0) for way in ways)

    def is_person(self, noun: str) -> bool:
        return noun in PEOPLE or noun in self.persons

    def possessive(self, noun: str) -> str:
        """What stands for its owner: its, or for persons her, his, their."""
        if not self.is_person(noun):
            return "its"
        return "her" if noun in FEMALE else "his" if noun in MALE else "their"

    def share(self, word: str, *tags: str) -> float:
        """Of all uses of the word, those with one of these tags; 0 for a word that is too rare to tell."""
        total = sum(n for way, n in self.uses.get(word, {}).items() if way.isupper())
        return self.count(word, *tags) / total if total >= ENOUGH else 0.0

    def is_name(self, word: str) -> bool:
        return self.share(word, "NNP", "NNPS") > 0.25

    def is_noun(self, word: str, *, least: float = 0.5) -> bool:
        return self.share(word, "NN", "NNS") >= least and not self.is_name(word)

    def is_verb(self, word: str) -> bool:
        return self.share(word, *VERB) >= 0.15 and self.count(word, "VB", "VBP") >= ENOUGH

    def is_adjective(self, word: str) -> bool:
        return self.share(word, "JJ") >= 0.6

    def is_adverb(self, word: str) -> bool:
        return self.share(word, "RB") >= 0.7

    def takes_object(self, verb: str) -> bool:
        return self.count(verb, "object") >= max(3, 0.08 * self.count(verb, "VB", "VBP"))

    def stands_alone(self, verb: str) -> bool:
        """Whether the verb can do without an object."""
        without_object = self.count(verb, "alone")
        return without_object >= 3 and without_object >= 0.35 * self.count(verb, "object")

    def is_passive(self, verb: str) -> bool:
        return self.count(verb, "passive") >= 3

    def number(self, noun: str) -> str:
        """`count`, `mass` or `definite` (the sky); empty if the corpus does not tell."""
        single, plural = self.count(noun, "NN"), self.count(noun, "plural")
        if noun in COUNTED or self.is_person(noun):
            return "count"
        if single + plural < ENOUGH:
            return ""
        indefinite, bare, definite = (self.count(noun, way) for way in ("a", "bare", "the"))
        if definite >= max(ENOUGH, 5 * (indefinite + 1), 2 * bare) and plural < 0.14 * single:
            return "definite"
        leaning = self._leaning(noun)
        if self.is_bare(noun) and bare >= 2 * indefinite and _few_plurals(plural / single if single else 1, leaning):
            return "mass"
        seldom_bare = bare < 2 * indefinite and leaning < 0.95
        return "count" if indefinite >= bare or plural >= 0.35 * single or leaning <= 0.5 or seldom_bare else ""

    def _leaning(self, noun: str) -> float:
        """`of water` against `a water` in general English: high for masses; between both if it is not known."""
        single = self.bigrams.get(f"a {noun}", 0) + self.bigrams.get(f"an {noun}", 0)
        bare = self.bigrams.get(f"of {noun}", 0)
        if not single:
            return 10.0 if bare else 0.6
        return bare / single

    def stand_together(self, first: str, second: str) -> bool:
        return f"{first} {second}" in self.bigrams

    def is_bare(self, noun: str, *, least: float = 0.2) -> bool:
        """Whether the noun stands without a determiner as often as this."""
        return self.count(noun, "bare") >= max(3, least * self.count(noun, "NN"))

    def is_material(self, noun: str) -> bool:
        """Whether the noun can name what things are made of: glass, wood, but not a person."""
        enough = self.is_bare(noun, least=0.1) and self.count(noun, "bare") >= 0.3 * self.count(noun, "a")
        return enough and not self.is_person(noun)

    def is_seldom_plural(self, noun: str) -> bool:
        return self.count(noun, "plural") < 0.25 * self.count(noun, "NN")

    def is_mostly_plural(self, noun: str) -> bool:
        """Of the uses that show a number."""
        return self.count(noun, "plural") >= 0.4 * self.count(noun, "NN")


def _few_plurals(share: float, leaning: float) -> bool:
    """The more general English takes the noun for a mass, the more plurals the corpus may have (`waters`, `arts`)."""
    return share < (0.26 if leaning >= 1.1 else 0.15 if leaning >= 0.85 else 0.05 if leaning >= 0.75 else 0.0)


def lexicon(uses: Iterable[tuple[str, int]], *, bigrams: Mapping[str, int], persons: Iterable[str] = ()) -> Lexicon:
    """From the finder's counts, `word way`."""
    by_word: dict[str, dict[str, int]] = defaultdict(dict)
    for key, n in uses:
        word, way = key.split(" ")
        by_word[word][way] = n
    return Lexicon(dict(by_word), bigrams, frozenset(persons))


@cache
def inflected(word: str, tag: str) -> str:
    """The word with this Penn tag (VBZ, VBG, VBN, NNS); the word itself for VB and NN. KeyError if there is no form."""
    from lemminflect import getInflection

    if tag in ("VB", "NN"):
        return word
    if (word, tag) in IRREGULAR:
        return IRREGULAR[word, tag]
    forms = getInflection(word, tag=tag)
    if not forms:
        raise KeyError(f"{word} has no {tag}")
    return str(forms[0])


# Zipf frequency (wordfreq): 3 is once in a million words.
COMMON = 3.0
# Beyond better_profanity's list: words that are harmless alone and not in what ConceptNet says with them.
EXPLICIT = words(
    "rape torture suicide slave slavery beat abuse whip strangle stab genital vagina intercourse masturbate "
    "orgasm fart pee poo shit urine feces vomit puke bed-wet prostitute pregnant impregnate erect erection breast "
    "racist sexist inferior superior virgin lover seduce marijuana cocaine heroin hang molest corpse "
    "genocide terrorist nazi nipple bosom quickie reproduce"
)


@cache
def is_english(word: str) -> bool:
    """Whether wordfreq has the word, and each part of a hyphenated one, at least once in a million words."""
    from wordfreq import zipf_frequency

    return all(zipf_frequency(part, "en") >= COMMON for part in word.split("-") if part)


@cache
def is_offensive(text: str) -> bool:
    """Whether better_profanity's list has one of the words."""
    return bool(_profanity().contains_profanity(text))  # type: ignore[attr-defined]


@cache
def is_adjective(word: str) -> bool:
    """Not if lemminflect's dictionary has the word, and neither as an adjective nor as a participle (`shutter`)."""
    from lemminflect import getAllLemmas

    kinds = getAllLemmas(word)
    participle = "VERB" in kinds and word not in kinds["VERB"]
    return not kinds or "ADJ" in kinds or participle


def is_explicit(text: str) -> bool:
    """Whether one of the words tells of sex, cruelty or bodily filth; ADEPT leaves such predicates out too."""
    return not EXPLICIT.isdisjoint(text.casefold().split())


def rare_words(words: Iterable[str]) -> list[str]:
    return [word for word in words if not word.isdecimal() and not is_english(word)]


@cache
def bigrams() -> Mapping[str, int]:
    """Pairs of words with how often they were met (the bigrams that symspellpy carries)."""
    import symspellpy

    path = Path(symspellpy.__file__).with_name("frequency_bigramdictionary_en_243_342.txt")
    rows = (line.split() for line in path.read_text(encoding="utf-8-sig").splitlines())
    return {f"{first} {second}": int(n) for first, second, n in rows}


@cache
def _profanity() -> object:
    from better_profanity import profanity

    profanity.load_censor_words()
    return profanity
