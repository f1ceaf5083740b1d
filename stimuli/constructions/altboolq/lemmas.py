"""Lemmatization errors (section 5.2): forms of one word that a selection has torn apart."""

from collections.abc import Sequence

from stimuli.constructions.altboolq.selection import Group


def torn(forms: dict[str, set[str]], selection: Sequence[Group]) -> list[list[str]]:
    """The forms of each lemma that are not all in one group, or of which only some were selected."""
    group_of = {word: number for number, group in enumerate(selection) for word in group}
    errors = [sorted(words) for words in forms.values() if len({group_of.get(word, -1) for word in words}) > 1]
    return sorted(errors)
