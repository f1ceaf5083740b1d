"""What words are like: part of speech, number, ending and frequency, so that each is exchanged for one like it.

A kind is a tag of the Penn treebank, with what else a reader sees of a form: `VBD VBN -ed`, `NNP capitals`, `RB -ly`.
Words that carry a text's structure are exchanged for none.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

# Words rarer than once in ten million (Zipf value 2) are mostly pieces and names of nobody.
RAREST = 2.0

# A word of several kinds is put in as the one that it mostly is: this share of its occurrences.
MOSTLY = 0.7
UNKNOWN = ""
ENDINGS = {"JJ": ("ed", "ing"), "RB": ("ly",), "NN": ("ing",)}
NAMES = frozenset({"NNP", "NNPS", "NNP capitals"})
SAME_SPELLING = {"VBP": "VB", "VBD": "VBD VBN -ed", "VBN": "VBD VBN -ed"}


def kind(tag: str, text: str) -> str:
    """The kind of one occurrence.

    >>> kind("VBN", "played"), kind("VBN", "written"), kind("NNP", "NATO"), kind("JJ", "limited")
    ('VBD VBN -ed', 'VBN', 'NNP capitals', 'JJ -ed')
    >>> kind("NNP", "States"), kind("NNP", "Paris")
    ('NNPS', 'NNP')
    """
    if tag == "VBP" or (tag in SAME_SPELLING and text.lower().endswith("ed")):
        return SAME_SPELLING[tag]
    if tag == "NNP" and text.isupper() and len(text) > 1:
        return "NNP capitals"
    if tag == "NNP" and _is_plural(text.lower()):
        return "NNPS"
    ending = next((one for one in ENDINGS.get(tag, ()) if text.lower().endswith(one)), "")
    return f"{tag} -{ending}" if ending else tag


def in_document(counts: Mapping[str, int], everywhere: Mapping[str, int]) -> str:
    """What a word mostly is in its document, then in all; a name only where it is nothing else there."""
    common = [one for one in counts if one not in NAMES]
    return max(common or counts, key=lambda one: (counts[one], everywhere.get(one, 0), one), default=UNKNOWN)


def mostly(counts: Mapping[str, int]) -> str:
    """The kind of at least MOSTLY of the occurrences; UNKNOWN where there is none."""
    best = max(counts, key=lambda one: (counts[one], one), default=UNKNOWN)
    return best if best and counts[best] >= MOSTLY * sum(counts.values()) else UNKNOWN


def of_vocabulary(words: Iterable[str], everywhere: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The kind of each word: as the documents use it, else the only one that lemminflect's dictionary has."""
    return [mostly(everywhere[word]) if word in everywhere else _in_dictionary(word) for word in words]


@cache
def _is_plural(word: str) -> bool:
    """Whether the dictionary has it as the plural of another noun; spaCy takes most plurals in names for singulars."""
    from lemminflect import getAllLemmas

    return word.endswith("s") and word not in getAllLemmas(word).get("NOUN", (word,))


def _in_dictionary(word: str) -> str:
    from lemminflect import getAllLemmas, getInflection

    tags = {"NOUN": ("NN", "NNS"), "VERB": ("VB", "VBZ", "VBG", "VBD", "VBN"), "ADV": ("RB", "RBR", "RBS")}
    tags["ADJ"] = ("JJ", "JJR", "JJS")
    kinds = {
        kind(tag, word)
        for part, lemmas in getAllLemmas(word).items()
        for lemma in lemmas
        for tag in tags.get(part, ())
        if word in getInflection(lemma, tag, inflect_oov=False)
    }
    return kinds.pop() if len(kinds) == 1 else UNKNOWN


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """The kind and the frequency (Zipf) of each word, a row a word; `applies`: words must be alike to be exchanged."""

    kinds: NDArray[np.str_]
    zipf: NDArray[np.float64]
    band: float
    applies: bool = True

    def like(self, kind: str, row: int) -> NDArray[np.bool_]:
        """The words of this kind, about as frequent as the word of that row; of any kind where it is UNKNOWN."""
        # No word rarer than RAREST is put in, so the words in its band stand in for rarer ones too.
        near: NDArray[np.bool_] = np.abs(self.zipf - max(self.zipf[row], RAREST)) <= self.band
        return near & self.of_kind(kind)

    def of_kind(self, kind: str) -> NDArray[np.bool_]:
        if kind == UNKNOWN:
            return np.ones(len(self.kinds), dtype=np.bool_)
        same: NDArray[np.bool_] = np.equal(self.kinds, kind)
        return same


def likeness(words: Sequence[str], everywhere: Mapping[str, Counter[str]], *, band: float, applies: bool) -> Likeness:
    from wordfreq import zipf_frequency

    zipf = np.array([zipf_frequency(word, "en") for word in words])
    return Likeness(np.array(of_vocabulary(words, everywhere)), zipf, band, applies)


def structural_words() -> frozenset[str]:
    """spaCy's stop words for English: section 4 keeps words that "may be structural", without giving a list."""
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


def replacements(
    vocabulary: Collection[str], *, structural: Collection[str], frequencies: Mapping[str, int], most: float
) -> frozenset[str]:
    """The words of a vocabulary that people use, less structural ones and those in more than `most` documents."""
    from wordfreq import zipf_frequency

    return frozenset(
        word
        for word in vocabulary
        if word not in structural and frequencies.get(word, 0) <= most and zipf_frequency(word, "en") >= RAREST
    )
