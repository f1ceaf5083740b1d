"""Words that are counted on the fingers: prepositions, particles, determiners, and the like."""

from typing import Final


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


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
BARE = frozenset(
    (
        ("at", "home"),
        ("at", "night"),
        ("at", "school"),
        ("at", "sea"),
        ("at", "work"),
        ("by", "car"),
        ("by", "hand"),
        ("for", "breakfast"),
        ("for", "dinner"),
        ("for", "lunch"),
        ("in", "bed"),
        ("in", "class"),
        ("in", "jail"),
        ("in", "prison"),
        ("in", "school"),
        ("in", "space"),
        ("in", "spring"),
        ("in", "summer"),
        ("in", "winter"),
        ("on", "cue"),
        ("on", "foot"),
        ("on", "television"),
        ("on", "tv"),
        ("to", "bed"),
        ("to", "church"),
        ("to", "school"),
        ("to", "work"),
    )
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
