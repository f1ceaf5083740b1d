"""How a few words are used, and sources of a small study, for the adjectives builder's tests."""

from pathlib import Path

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


TRIPLES = [
    ("dog", "CapableOf", "chase cat"),
    ("dog", "CapableOf", "eat meat"),
    ("dog", "HasA", "four leg"),
    ("dog", "HasProperty", "loyal"),
    ("house", "HasA", "door"),
    ("house", "ReceivesAction", "build of brick"),
    ("house", "UsedFor", "live in"),
    ("house", "CapableOf", "Qwertyish"),
    ("animal", "IsA", "dog"),
]
ADJECTIVES = ("old", "small", "brown", "hungry", "ugly", "young")
LINES = [
    "The dogs chase the cats and the dogs eat meat.",
    "We eat the meat because meat is good.",
    "A dog has legs, and all legs have bones.",
    "A cat saw a dog near a house.",
    "Two legs are better than many legs.",
    "The loyal man is loyal to the house.",
    "They build a house of brick, and brick is heavy.",
    "They live in a house and open the door.",
    "A door was open.",
    "A leg was hurt.",
    "The cats were chased.",
    "Houses were built.",
]


def write_sources(folder: Path) -> dict[str, Path]:
    """A corpus in which dogs and houses have six adjectives, ten times each, and two that are non-subsective."""
    lines = [f"I saw {'an' if a[0] in 'aeiou' else 'a'} {a} {noun}." for a in ADJECTIVES for noun in ("dog", "house")]
    lines = [line for line in lines for _ in range(10)] + [line for line in LINES for _ in range(10)]
    lines += ["He bought a fake dog.", "He sold the former house.", "He saw the alleged house."] * 3
    paths = {name: folder / f"{name}.txt" for name in ("corpus", "triples", "adjectives")}
    paths["corpus"].write_text("\n".join(lines) + "\n", encoding="utf-8")
    paths["triples"].write_text("".join(f"{r}\t{h}\t{t}\n" for h, r, t in TRIPLES), encoding="utf-8")
    paths["adjectives"].write_text("fake\nformer\nalleged\n", encoding="utf-8")
    return paths
