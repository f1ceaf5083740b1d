"""Two texts of which one was made from the other: which words of the second are not those of the first."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

WORDS_AND_REST = re.compile(r"\w+|\W+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; `is_changed` where it is not what stood there before."""

    text: str
    is_changed: bool = False


def marked(text: str, before: str) -> tuple[Piece, ...]:
    """The text in pieces, with the words that `before` has not got at that place.

    >>> [(piece.text, piece.is_changed) for piece in marked("A lamp is hot.", "A king is hot.")]
    [('A ', False), ('lamp', True), (' is hot.', False)]
    """
    return tuple(
        Piece("".join(word for word, _ in run), is_changed)
        for is_changed, run in groupby(_words(text, before), key=lambda pair: pair[1])
    )


def _words(text: str, before: str) -> Iterator[tuple[str, bool]]:
    new, old = WORDS_AND_REST.findall(text), WORDS_AND_REST.findall(before)
    if len(new) == len(old):
        # Words were exchanged one for one, which is what this is mostly for.
        yield from ((one, one != other and one.strip() != "") for one, other in zip(new, old, strict=True))
        return
    for what, _, _, start, end in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        yield from ((word, what != "equal" and word.strip() != "") for word in new[start:end])
