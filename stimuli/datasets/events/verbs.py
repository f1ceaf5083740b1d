"""Where the verb stands in the sentences of an event pair, found from the pair itself.

In most pairs the two arguments change places around the verb; in DTFit only the object differs. So what stays
in the middle holds the verb, and its first word that is no auxiliary is the verb: in `was caught by`, `caught`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

AUXILIARIES = {"is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "does", "did", "do"}
DETERMINERS = {"the", "a", "an", "his", "her", "its", "their", "some"}


@dataclass(frozen=True, slots=True)
class VerbPlace:
    """The verb as written, and the index from 0 of its word in the plausible and in the implausible sentence."""

    verb: str
    plausible: int
    implausible: int


def words(sentence: str) -> list[str]:
    """The words by spaces, without the final point; the verb's index counts these."""
    return sentence.rstrip(" .!?").split()


def verb_place(plausible: str, implausible: str) -> VerbPlace | None:
    """None where the pair is of neither form."""
    one, other = ([word.casefold().removesuffix("'s") for word in words(text)] for text in (plausible, implausible))
    found = _exchanged(one, other) or _same_start(one, other)
    if found is None:
        return None
    first, second, middle = found
    for step, word in enumerate(middle):
        if word not in AUXILIARIES:
            return VerbPlace(words(plausible)[first + step], first + step, second + step)
    return None


def _exchanged(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, Sequence[str]] | None:
    """X M Y T against Y M X T: where M begins in each, and M. The shortest T, then the longest X and Y, win."""
    if len(one) != len(other):
        return None
    for end in range(len(one), 2, -1):
        if one[end:] != other[end:]:
            return None
        for start in range(end - 2, 0, -1):
            for stop in range(start + 1, end):
                subject, middle, rest = one[:start], one[start:stop], one[stop:end]
                if [*rest, *middle, *subject] == list(other[:end]) and subject != rest:
                    return start, len(rest), middle
    return None


def _same_start(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, Sequence[str]] | None:
    """Sentences that differ in the object alone: the verb is the word before the object's determiner."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    while shared and one[shared - 1] in DETERMINERS:
        shared -= 1
    if shared < 3:  # determiner, subject, verb
        return None
    return shared - 1, shared - 1, one[shared - 1 : shared]
