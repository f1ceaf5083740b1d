"""Names in a label file: items' ids in whatever form of Unicode, and how annotators are called. Free of Django."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

from corpus.characters import UNSEEN, unguarded
from corpus.decimals import plain_number, says_nothing
from corpus.errors import Remark
from corpus.tables.cells import shortened

LONGEST_ANNOTATOR = 400
ADDRESS = re.compile(r"[^\s@<>,;]+@([^\s@<>,;]+\.[^\s@<>,;]+|localhost\b)")
HIDDEN = re.compile(f"[{UNSEEN}]")
# A whole number as spreadsheets and pandas write it; in 1.10, numbers are parts.
WHOLE = re.compile(r"(\d+)[.,]0")
ZEROS = re.compile(r"(?<![\d.,])0+(?=\d)")


class Ids:
    """Ids as other programs write them: é as one code point or two; 1.0 and 001 for 1, in another case or width, with
    other spaces; an apostrophe before a formula's mark.

    `met` are those that were. An id that fits two items is that of none.
    """

    def __init__(self, items: Collection[str]) -> None:
        self._items = items
        self._by_form: dict[str, str] | None = None
        self.met: dict[str, str] = {}

    def known(self, name: str) -> str:
        """The item's id; empty where the cell says that nothing stands there; else the name as it is."""
        if (bare := unguarded(name)) in self._items:
            return bare
        if self._by_form is None:
            self._by_form = self._forms()
        if (item := self._by_form.get(_as_id(name))) is not None:
            self.met[name] = item
            return item
        return "" if says_nothing(name) else name

    def remarks(self) -> Iterator[Remark]:
        if self.met:
            pairs = [name if _is_alike(name, item) else f"{name} for {item}" for name, item in self.met.items()]
            yield Remark("", f"IDs in a different form were matched to items: {shortened(', '.join(pairs))}")

    def _forms(self) -> dict[str, str]:
        forms: dict[str, list[str]] = {}
        for item in self._items:
            forms.setdefault(_as_id(item), []).append(item)
        return {form: same[0] for form, same in forms.items() if len(same) == 1}


def _as_id(text: str) -> str:
    plain = HIDDEN.sub("", unicodedata.normalize("NFKC", text))
    form = ZEROS.sub("", " ".join(plain.casefold().split()))
    return whole[1] if (whole := WHOLE.fullmatch(form)) else form


def _is_alike(one: str, other: str) -> bool:
    return _form(one) == _form(other)


def _form(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def annotator_name(text: str) -> bool:
    """Whether an annotator can be called that: one line, not blank, not too long."""
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST_ANNOTATOR


def mixed_forms(names: Iterable[str], *, before: Collection[str] = ()) -> Iterator[Remark]:
    """Names that differ in case, spaces, the form of a letter or of a number alone, with those of files `before`.

    >>> [str(one) for one in mixed_forms(["1.0", "2"], before=["1"])]
    ['1 and 1.0 are read as 2 annotators; each spelling is a separate annotator']
    """
    here = [*names]
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys((*before, *here)):
        alike.setdefault(plain_number(" ".join(_form(name).casefold().split())), []).append(name)
    for forms in alike.values():
        if len(forms) > 1 and not {*forms}.isdisjoint(here) and (not before or not {*forms}.isdisjoint(before)):
            if forms[0][0].islower():
                # A sentence would give it a capital.
                forms.sort(key=lambda form: form[0].islower())
            several = f"{', '.join(forms[:-1])} and {forms[-1]}"
            yield Remark("", f"{several} are read as {len(forms)} annotators; each spelling is a separate annotator")
