"""Which option a key names in the column of right answers: by its text, name, letter or number.

The whole column decides how letters and numbers are read. A column that can be read in two ways is refused.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from annotation.tasktypes.words import bare_name
from corpus.decimals import plain_number, says_nothing
from stimuli.datasets.table.rows import Table, texts_of

Kind = Literal["", "letter", "number"]
MARK = re.compile(r"(?:(?:option|choice|answer|opt)[ ._-]*)?[(\[#]?(?:([a-i])|(\d{1,2}))[)\].:]?", re.IGNORECASE)
# How published data sets number a row without a right answer.
NO_OPTION = "-1"
SHOWN = 4


@dataclass(frozen=True, slots=True)
class Keys:
    """`options` is role → column. `places` says of a kind of mark which role each names; a kind that is absent says
    the options' own texts. `doubt` says why the column cannot be read.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[Kind, Mapping[str, str]] = field(default_factory=dict)
    doubt: str = ""

    def role(self, key: str, texts: Mapping[str, str]) -> str:
        """The role that a key names in a row with these texts of its options; empty for none."""
        kind, mark = _mark_of(key)
        if kind in self.places:
            return self.places[kind].get(mark, "")
        if kind or key == NO_OPTION:
            return _text_of(key, texts)
        for same in (_exactly, _in_any_case, bare_name):
            for candidates in (texts, {role: role for role in self.options}, self.options):
                if match := _named(key, candidates, same):
                    return match
        return ""


NO_KEYS = Keys()


def keys_of(table: Table, options: Mapping[str, str], column: str, *, explained: Mapping[str, str]) -> Keys:
    """How the whole column is read; `explained` are the keys whose meaning somebody has said."""
    by_role = {role: texts_of(table, one, most=None) for role, one in options.items()}
    rows = [
        (key, {role: texts[place] for role, texts in by_role.items()})
        for place, key in enumerate(texts_of(table, column, most=None))
        if key not in explained and not says_nothing(key)
    ]
    places: dict[Kind, Mapping[str, str]] = {}
    doubt = ""
    kinds: tuple[Kind, ...] = ("letter", "number")
    for kind in kinds:
        of_kind = [(key, texts) for key, texts in rows if _mark_of(key)[0] == kind]
        if all(_text_of(key, texts) for key, texts in of_kind):
            continue
        if kind == "letter":
            places[kind] = _of_letters(options)
        else:
            places[kind], doubt = _of_numbers(options, [key for key, _ in of_kind])
    return Keys(options, places, doubt)


def _of_letters(options: Mapping[str, str]) -> dict[str, str]:
    first = [chr(ord("a") + place) for place in range(len(options))]
    for own in _own_marks(options, "[a-i]"):
        if set(own) == set(first):
            return own
    return dict(zip(first, options, strict=True))


def _of_numbers(options: Mapping[str, str], keys: Sequence[str]) -> tuple[dict[str, str], str]:
    """What each number names, and why that cannot be said. A number too great for any option decides nothing."""
    marks = {_mark_of(key)[1] for key in keys}
    from_0 = {str(place): role for place, role in enumerate(options)}
    from_1 = {str(place): role for place, role in enumerate(options, start=1)}
    for own in _own_marks(options, r"\d{1,2}"):
        own_numbers = {str(int(mark)): role for mark, role in own.items()}
        deciding = {mark for mark in marks if mark in {*from_0, *from_1, *own_numbers}}
        if deciding <= set(own_numbers):
            return own_numbers, ""
    deciding = {mark for mark in marks if mark in {*from_0, *from_1}}
    fitting = [one for one in (from_0, from_1) if deciding <= set(one)]
    if len(fitting) == 1:
        return fitting[0], ""
    if not deciding:
        return {}, ""
    listed = ", ".join(sorted(deciding)[:SHOWN])
    why = "may be counted from 0 or from 1" if fitting else f"are more numbers than the {len(options)} options"
    return {}, f"its numbers ({listed}) {why}; say what each means, as in --labels {keys[0]}={next(iter(options))}"


def _own_marks(options: Mapping[str, str], mark: str) -> list[dict[str, str]]:
    """The letter or number at the end of each column's name, or role's, where what is before is the same in all."""
    marks = []
    for names in (list(options.values()), list(options)):
        ends = [re.fullmatch(rf"(.*?)({mark})", name.strip().casefold(), re.DOTALL) for name in names]
        parted = [(end[1], end[2]) for end in ends if end]
        own = {last: role for (_, last), role in zip(parted, options, strict=False)}
        if len(own) == len(names) and len({stem for stem, _ in parted}) == 1:
            marks.append(own)
    return marks


def _mark_of(key: str) -> tuple[Kind, str]:
    """`B`, `option b` and `(b)` are the letter b; `2`, `2.0` and `option 2` the number 2. -1 is neither."""
    match = MARK.fullmatch(plain_number(key))
    if match is None:
        return "", ""
    return ("letter", match[1].casefold()) if match[1] else ("number", str(int(match[2])))


def _text_of(key: str, texts: Mapping[str, str]) -> str:
    return _named(key, texts, _exactly) or _named(key, texts, _in_any_case)


def _named(key: str, texts: Mapping[str, str], same: Callable[[str], str]) -> str:
    target = same(key)
    roles = [role for role, text in texts.items() if target and same(text) == target]
    return roles[0] if len(roles) == 1 else ""


def _exactly(text: str) -> str:
    return plain_number(" ".join(unicodedata.normalize("NFC", text).replace("’", "'").split()))


def _in_any_case(text: str) -> str:
    return _exactly(text).casefold()
