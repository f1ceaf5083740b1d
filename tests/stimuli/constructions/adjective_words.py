"""How a few words are used, for the adjectives builder's tests."""

from stimuli.constructions.adjectives.lexicon import Lexicon

COUNTED = {"NN": 50, "a": 30, "plural": 15, "bare": 2, "the": 10}
PLURAL = {"NN": 30, "a": 10, "plural": 60, "bare": 1}
MASS = {"NN": 60, "a": 1, "bare": 40, "the": 10}
VERB = {"VB": 40, "VBP": 20, "object": 20, "alone": 30, "passive": 10}
ADJECTIVE = {"JJ": 60, "RB": 2}
USES = {
    **dict.fromkeys(("dog", "hotel", "box", "knife", "lake", "boat", "woman", "uniform", "hour"), COUNTED),
    **dict.fromkeys(("bone", "leg", "flower", "toy", "owner", "word"), PLURAL),
    **dict.fromkeys(("water", "meat", "glass", "wood"), MASS),
    **dict.fromkeys(("eat", "carry", "make", "surround", "cut", "learn", "swim", "use"), VERB),
    **dict.fromkeys(("hard", "loyal", "sharp", "good", "useful", "easy", "cold"), ADJECTIVE),
    "sky": {"NN": 40, "the": 35},
    "sleep": {"VB": 40, "VBP": 10, "alone": 40, "NN": 10},
    "hollywood": {"NN": 10, "NNP": 40},
    "rarity": {"NN": 2},
}
BIGRAMS = {"a dog": 50, "of dog": 5, "of water": 90, "a water": 5, "of meat": 9, "of glass": 9, "of wood": 9}
BIGRAMS["wood box"] = 1


def small_lexicon() -> Lexicon:
    return Lexicon(USES, BIGRAMS, frozenset({"woman"}))
