"""Characters that no database column and no page can hold, found where the line is still known."""

from corpus.bounds import fault_of_depth

# What spreadsheets take as the start of a formula (OWASP, "CSV Injection").
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
APOSTROPHE = "'"
# No letter, and not seen: soft hyphens, zero width, marks of direction. As a class of a pattern holds them.
UNSEEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"


def unstorable(text: str) -> str:
    """What is wrong with the text, as the end of a sentence; empty if it can be stored."""
    if "\0" in text:
        return "contains the character NUL, which cannot be stored"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"contains half of a character (\\u{ord(text[error.start]):04x}), which is not text"
    return ""


def unstorable_within(value: object) -> str:
    """What is wrong with a JSON value that is nested too deeply, or with any text of it, names of fields included;
    empty if all can be stored.
    """
    return fault_of_depth(value) or _unstorable_in(value)


def _unstorable_in(value: object) -> str:
    match value:
        case str():
            return unstorable(value)
        case dict():
            return next(filter(None, map(_unstorable_in, [*value, *value.values()])), "")
        case list():
            return next(filter(None, map(_unstorable_in, value)), "")
    return ""


def unguarded(text: str) -> str:
    """A cell without the apostrophe that exports put before what a spreadsheet would run as a formula."""
    return text[1:] if text[:1] == APOSTROPHE and text.lstrip(APOSTROPHE).startswith(FORMULA_STARTS) else text
