"""Where in a text an estimate stands with its interval, or its n: each is read at once, and no line ends inside it.

The pages of docs/ and the results ask here; what an estimate looks like is `comparison/statistics/estimate.py`'s.
"""

import re
from collections.abc import Iterator

NUMBER = r"[−–-]?(?:\d[\d,]*)?\.?\d+(?: ?%)?"
# The number before may stand apart, in bold: the space after it is kept all the same.
ESTIMATE = re.compile(rf"(?:{NUMBER})? ?\[{NUMBER}, {NUMBER}\]")
FIGURE = re.compile(rf"{ESTIMATE.pattern}|\bn = \d[\d,]*")


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, with whether one is a figure.

    >>> list(pieces("κ = .64 [.59, .68], n = 9"))
    [('κ = ', False), ('.64 [.59, .68]', True), (', ', False), ('n = 9', True)]
    >>> [figure for figure, is_one in pieces("87 % [80 %, 92 %] and −.1 [−.3, .1]; *the [author, authors]*") if is_one]
    ['87 % [80 %, 92 %]', '−.1 [−.3, .1]']
    """
    end = 0
    for found in FIGURE.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], False
        yield found[0], True
        end = found.end()
    if end < len(text):
        yield text[end:], False
