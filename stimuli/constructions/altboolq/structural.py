"""Which words carry a text's structure, and which words may take another's place."""

from collections.abc import Collection, Mapping

# Words rarer than once in ten million (Zipf value 2) are mostly pieces and names of nobody.
RAREST = 2.0


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
