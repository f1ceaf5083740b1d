"""How words of people's files are compared with ours."""

import re
import unicodedata

from corpus.decimals import plain_number


def bare_name(words: str) -> str:
    """The name of a column without case, spaces and marks: `Sentence ID` is `sentence_id`. Labels: `Scale.meanings`."""
    return re.sub(r"[\W_]+", "", words.casefold())


# What may stand around a label's words and is none of them.
AROUND = (('"', '"'), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"), ("(", ")"), ("[", "]"))


def _exactly(words: str) -> str:
    return unicodedata.normalize("NFC", words).replace("’", "'").strip()


def _in_any_case(words: str) -> str:
    return _exactly(words).casefold()


def _loosely(words: str) -> str:
    """Without case, quotation marks, a final period, and what parts words; numbers and marks as they are."""
    plain = _in_any_case(words)
    for opening, closing in AROUND:
        inside = plain.removeprefix(opening).removesuffix(closing)
        if len(inside) == len(plain) - 2 and inside[:1].isalpha():
            plain = inside
    if plain[-2:-1].isalpha():
        plain = plain.removesuffix(".")
    plain = re.sub(r"(?<=[^\W\d_])[\s_-]+(?=[^\W\d_])", "", plain)
    return re.sub(r"(?<=[^\W_])[\s_]+(?=[^\W_])", " ", plain)


# Strictest first.
FORMS = (_exactly, _in_any_case, plain_number, _loosely)
