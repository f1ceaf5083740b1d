"""What is odd about a table's items and no fault: told, so that somebody who did not mean it sees it in time."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.itemfile import ItemRow
from corpus.tables.remarks import Remark, listed
from stimuli.datasets.table.columns import ColumnMap

# Tags, entities and Markdown, as annotators would read them.
MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&(#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});|(?<!\w)(\*\*?|__)\w[^*_\n]*\w?\1(?!\w)")
# Zero width, soft hyphens, marks of direction, and spaces that look like others.
INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\ufeff]")
# Joiners belong to these scripts, and to emoji.
JOINERS = "\u200c\u200d"
# A column that says as many different things is no name.
MOST_NAMES = 200
GROUPS_SHOWN = 3


def remarks_on(rows: Sequence[ItemRow], columns: ColumnMap) -> list[Remark]:
    """Equal texts, markup, characters that nobody sees, and names that are written in several ways."""
    return [*_equal(rows), *_marked_up(rows), *_invisible(rows), *_mixed(rows, columns)]


def known_answers(rows: Sequence[ItemRow]) -> Remark:
    """How many items have a right answer."""
    known = sum(row.reference is not None for row in rows)
    return Remark("", f"{known:,} of {len(rows):,} items have a right answer")


def texts_of_item(content: Mapping[str, Any]) -> Iterator[str]:
    """All texts of an item, those of its options too."""
    for value in content.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from texts_of_item(value)


def _equal(rows: Sequence[ItemRow]) -> Iterator[Remark]:
    """Items whose texts are all the same, but for space."""
    same: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in rows:
        same[tuple(" ".join(text.split()) for text in texts_of_item(row.content))].append(row.id)
    several = [ids for ids in same.values() if len(ids) > 1]
    for ids in several[:GROUPS_SHOWN]:
        yield Remark(listed(ids, word="item"), f"have the same text ({len(ids)} times)")
    if len(several) > GROUPS_SHOWN:
        more = len(several) - GROUPS_SHOWN
        yield Remark("", f"{more:,} more {'text is' if more == 1 else 'texts are'} there several times")


def _marked_up(rows: Sequence[ItemRow]) -> Iterator[Remark]:
    found = {row.id: mark for row in rows for text in texts_of_item(row.content) if (mark := _markup_in(text))}
    if found:
        example = next(iter(found.values()))
        yield Remark(listed([*found], word="item"), f"markup such as {example} is shown to annotators as it stands")


def _markup_in(text: str) -> str:
    found = MARKUP.search(text)
    return found.group() if found else ""


def _invisible(rows: Sequence[ItemRow]) -> Iterator[Remark]:
    found: dict[str, str] = {}
    for row in rows:
        for text in texts_of_item(row.content):
            for one in INVISIBLE.finditer(text):
                if one.group() not in JOINERS or text.isascii() or _is_latin(text[one.start() - 1 : one.start()]):
                    found.setdefault(row.id, one.group())
    if found:
        first = next(iter(found.values()))
        name, code = unicodedata.name(first, "a character").lower(), f"U+{ord(first):04X}"
        yield Remark(listed([*found], word="item"), f"characters that nobody sees, such as {name} ({code}), are kept")


def _is_latin(letter: str) -> bool:
    return bool(letter) and unicodedata.name(letter, "").startswith("LATIN")


def _mixed(rows: Sequence[ItemRow], columns: ColumnMap) -> Iterator[Remark]:
    """Values of an attribute, or groups, that differ in case, spaces or code points alone."""
    named: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        for name, value in (*row.attributes.items(), ("group", row.group)):
            named[name][value] = None
    for name, values in named.items():
        forms: dict[str, list[str]] = defaultdict(list)
        for value in [*values][:MOST_NAMES]:
            forms[" ".join(unicodedata.normalize("NFKC", value).casefold().split())].append(value)
        several = [" and ".join(f"“{one}”" for one in same) for same in forms.values() if len(same) > 1]
        if several:
            where = f"column “{columns.fields.get(name) or columns.fields.get(f'attribute.{name}', name)}”"
            yield Remark(where, f"{'; '.join(several[:GROUPS_SHOWN])} are taken as different values")
