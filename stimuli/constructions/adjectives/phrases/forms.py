"""Inflected forms, from lemminflect, with the few that it has otherwise than people write them."""

from functools import cache

IRREGULAR = {
    ("person", "NNS"): "people",
    ("fish", "NNS"): "fish",
    ("be", "VBZ"): "is",
    ("have", "VBZ"): "has",
    ("clothe", "NNS"): "clothes",
}


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
