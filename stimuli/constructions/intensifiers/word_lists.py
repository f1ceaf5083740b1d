"""Closed word lists, in lower case: the 24 intensifiers in their classes (Lorge and Pierrehumbert, the first study's),
and those of the hit rule, the rules of negation and the cleaning.
"""

CLASSES = {
    "temporal": ("never", "sometimes", "already", "often", "generally", "usually", "frequently", "always"),
    "epistemic": ("maybe", "perhaps", "possibly", "probably", "actually", "really", "certainly", "definitely"),
    "neutral": ("hardly", "slightly", "basically", "quite", "pretty", "very", "seriously", "completely"),
}
CLASS_OF = {adverb: name for name, adverbs in CLASSES.items() for adverb in adverbs}
ADVERBS = tuple(CLASS_OF)
NEGATION = "not"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that negate what follows them.
NEGATIVE = _words("""
    not n't n’t never no nothing nobody none nowhere neither nor hardly barely scarcely rarely seldom
    without cannot ain't aint arent cant couldnt didnt doesnt dont hasnt havent isnt wasnt werent wont
    wouldnt shouldnt
""")
# Where a clause begins that an earlier negation does not reach.
ENDS_SCOPE = _words("""
    , ; : -- – — ( ) … but because since although though while whereas if when which so until unless
    cause cuz yet
""")
# "So very good": the degree word goes with the adverb, and "so not good" is no plain negation.
BINDS_TIGHTLY = _words("""
    so too how such very pretty quite rather almost nearly slightly fairly somewhat extremely completely
    totally absolutely incredibly super far equally most more less least kinda sorta
""")
# Tagged as adjectives, but they count or point; negating them is another matter than intensifying them.
QUANTIFIERS = _words("""
    enough few fewer first last least less little many more most much next other own same several such
""")
# Words in -ly are adverbs that the tagger took for adjectives, but for these.
ADJECTIVES_IN_LY = _words("""
    beastly brotherly bubbly burly chilly comely costly courtly cowardly crinkly cuddly curly daily
    deadly dastardly disorderly early earthly elderly fatherly friendly ghastly ghostly godly grisly
    heavenly hilly holy homely hourly jolly kindly leisurely likely lively lonely lovely lowly manly
    measly melancholy monthly motherly neighborly neighbourly nightly oily orderly otherworldly prickly
    queenly saintly scholarly shapely sickly silly sisterly sly smelly sparkly sprightly squiggly
    stately surly timely ugly unearthly unfriendly ungainly unholy unlikely unruly unseemly unsightly
    untimely unworldly weekly wily wobbly womanly woolly worldly wrinkly yearly
""")
# "as often possible", "more often wrong": the adverb belongs to the word before it.
BINDS_THE_ADVERB = _words("""
    as least less more most
""")
# Known to everyone, but not in word lists.
ABBREVIATIONS = _words("""
    ad am app bc cgi dj dvd ep etc fbi id mr mrs ms nba nfl ok pc phd pm pr rpg tv uk us usa vs
""")
# "…, right?" at the end of a statement.
ASKS_FOR_ASSENT = _words("""
    correct no ok okay right true yes
""")
