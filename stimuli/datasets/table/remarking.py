"""What is odd about a table's items and no fault: told, so that somebody who did not mean it sees it in time."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from annotation.itemfile import ItemRow
from corpus.characters import UNSEEN
from corpus.decimals import decimal, is_absent, says_nothing
from corpus.errors import Remark, listed
from stimuli.datasets.table.columns import ROW_FIELDS, ColumnMap, is_category, is_nothing, kind_of
from stimuli.datasets.table.rows import Table, texts_of

# Tags, entities, LaTeX and Markdown, as annotators would read them.
MARKUP = re.compile(
    r"</?[a-zA-Z][^<>]*>|<!--|\[/[a-zA-Z]+\]|&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});|\[[^\]]*\]\(\S+\)|^#{1,6} "
    r"|\\[nrt](?![a-z])|\\u[0-9a-fA-F]{4}|\\[a-zA-Z]+\{|\{\\[a-z]+ |\$[^$\s]*[\\^_{][^$]*\$"
    r"|(?<![\w*])(\*{1,3}|__?|~~|`)(?=[^\s*_~`])[^*_~`\n]*(?<=[^\s*_~`])\1(?![\w*])"
)
# With what parts lines unseen, and controls but for tabs and line breaks.
INVISIBLE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{UNSEEN}]")
# Spaces that look like others, and what stands where a character was lost.
SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
LOST = "\ufffd"
# Encodings that UTF-8 is read in by mistake, and how many characters make it sure.
MISREAD = (("cp1252", 1), ("latin-1", 1), ("cp1251", 2))
# Joiners belong to these scripts, and to emoji.
JOINERS = "\u200c\u200d"
# A column that says as many different things is no name.
MOST_NAMES = 200
GROUPS_SHOWN = 3
# Fewer different numbers are levels of a factor.
FEWEST_NUMBERS = 7


def remarks_on(rows: Sequence[ItemRow], columns: ColumnMap, table: Table) -> list[Remark]:
    """Equal texts, markup, odd characters, names that are written in several ways, and what is read as nothing."""
    of_texts = (*_equal(rows), *_marked_up(rows), *_invisible(rows), *_odd(rows))
    of_columns = (*_mixed(rows, columns), *_kinds(table, columns), *_nothing(table, columns))
    of_columns = (*of_columns, *_ungrouped(rows, columns))
    return [*of_texts, *of_columns, *_numeric(rows, columns)]


def known_answers(rows: Sequence[ItemRow]) -> Remark:
    """How many items have a right answer."""
    count = sum(row.reference is not None for row in rows)
    return Remark("", f"{count:,} of {len(rows):,} items have a correct answer")


def numeric_attributes(rows: Sequence[ItemRow]) -> list[str]:
    """Attributes that are numbers in every item that has them; whole numbers that are all different count the items."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for name, value in row.attributes.items():
            if not is_absent(value):
                by_name[name].append(value)
    return [name for name, values in by_name.items() if _are_numbers(values)]


def _are_numbers(values: Sequence[str]) -> bool:
    # Beside decimal commas, what has a point may be a thousand.
    if any("," in value for value in values) and any("." in value for value in values):
        return False
    numbers = [decimal(value) for value in values]
    different = {*numbers}
    if len(different) < FEWEST_NUMBERS or any(map(isnan, numbers)):
        return False
    return len(different) < len(numbers) or not all(number.is_integer() for number in numbers)


def texts_of_item(content: Mapping[str, Any]) -> Iterator[str]:
    """All texts of an item, those of its options too."""
    for value in content.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from texts_of_item(value)


def as_one(content: Mapping[str, Any]) -> tuple[str, ...]:
    """The same of items whose texts are the same, but for space and for code points that look alike."""
    texts = (unicodedata.normalize("NFC", text) for text in texts_of_item(content))
    return tuple(" ".join(text.split()) for text in texts)


def _equal(rows: Sequence[ItemRow]) -> Iterator[Remark]:
    """Those first whose answers contradict one another."""
    same: dict[tuple[str, ...], list[ItemRow]] = defaultdict(list)
    for row in rows:
        same[as_one(row.content)].append(row)
    several = sorted((some for some in same.values() if len(some) > 1), key=lambda some: not _contradict(some))
    for some in several[:GROUPS_SHOWN]:
        but = " and different answers" if _contradict(some) else ""
        yield Remark(listed([row.id for row in some], word="item"), f"have the same text ({len(some)} times){but}")
    if len(several) > GROUPS_SHOWN:
        more = len(several) - GROUPS_SHOWN
        yield Remark("", f"{more:,} more {'text is' if more == 1 else 'texts are'} there several times")


def _contradict(rows: Sequence[ItemRow]) -> bool:
    return len({row.reference for row in rows} - {None}) > 1


def _marked_up(rows: Sequence[ItemRow]) -> Iterator[Remark]:
    marks = {row.id: mark for row in rows for text in texts_of_item(row.content) if (mark := _markup_in(text))}
    if marks:
        example = next(iter(marks.values()))
        yield Remark(listed([*marks], word="item"), f"markup such as {example} is shown to annotators unchanged")


def _markup_in(text: str) -> str:
    match = MARKUP.search(text)
    return match.group() if match else ""


def _invisible(rows: Sequence[ItemRow]) -> Iterator[Remark]:
    by_item: dict[str, str] = {}
    for row in rows:
        for text in texts_of_item(row.content):
            for one in INVISIBLE.finditer(text):
                if one.group() not in JOINERS or text.isascii() or _is_latin(text[one.start() - 1 : one.start()]):
                    by_item.setdefault(row.id, one.group())
    if by_item:
        example = _called(next(iter(by_item.values())))
        yield Remark(listed([*by_item], word="item"), f"invisible characters such as {example} are kept")


def _called(one: str) -> str:
    return f"{unicodedata.name(one, 'a character').lower()} (U+{ord(one):04X})"


def _odd(rows: Sequence[ItemRow]) -> Iterator[Remark]:
    """Spaces that look like others, and texts that were damaged before they came into this file."""
    spaced, lost, misread = dict[str, str](), dict[str, str](), dict[str, str]()
    for row in rows:
        for text in texts_of_item(row.content):
            if one := SPACES.search(text):
                spaced.setdefault(row.id, one.group())
            if LOST in text:
                lost.setdefault(row.id, text)
            if word := _misread(text):
                misread.setdefault(row.id, word)
    if spaced:
        example = _called(next(iter(spaced.values())))
        yield Remark(listed([*spaced], word="item"), f"unusual spaces such as {example} are kept")
    if lost:
        yield Remark(listed([*lost], word="item"), f"characters were lost ({LOST}) before this file was written")
    if misread:
        example = next(iter(misread.values()))
        yield Remark(listed([*misread], word="item"), f"“{example}” looks like UTF-8 that was read in another encoding")


def _misread(text: str) -> str:
    """The first word that UTF-8 makes when it is read in another encoding; empty for none."""
    for word in () if text.isascii() else text.split(" "):
        for encoding, least in MISREAD:
            try:
                meant = word.encode(encoding).decode("utf-8")
            except UnicodeError:
                continue
            if meant != word and sum(not one.isascii() for one in meant) >= least:
                return word
    return ""


def _is_latin(letter: str) -> bool:
    return bool(letter) and unicodedata.name(letter, "").startswith("LATIN")


def _numeric(rows: Sequence[ItemRow], columns: ColumnMap) -> Iterator[Remark]:
    for name in numeric_attributes(rows):
        column = columns.fields.get(f"attribute.{name}", name)
        yield Remark(f"column “{column}”", "values are numbers; the results of a new study treat them as such")


def _mixed(rows: Sequence[ItemRow], columns: ColumnMap) -> Iterator[Remark]:
    """Values of an attribute, groups or ids that differ in case, spaces or code points alone."""
    by_name: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        for name, value in (*row.attributes.items(), ("group", row.group), ("id", row.id)):
            by_name[name][value] = None
    for name, values in by_name.items():
        forms: dict[str, list[str]] = defaultdict(list)
        for value in [*values][: None if name == "id" else MOST_NAMES]:
            forms[" ".join(unicodedata.normalize("NFKC", value).casefold().split())].append(value)
        several = [" and ".join(f"“{one}”" for one in same) for same in forms.values() if len(same) > 1]
        if several:
            where = f"column “{columns.fields.get(name) or columns.fields.get(f'attribute.{name}', name)}”"
            yield Remark(where, f"{'; '.join(several[:GROUPS_SHOWN])} are treated as different values")


def _kinds(table: Table, columns: ColumnMap) -> Iterator[Remark]:
    """Words for kinds that are read as one of ours: which was which is then told by no item."""
    if column := columns.fields.get("kind", ""):
        for text, times in Counter(texts_of(table, column, most=None)).items():
            if (kind := kind_of(text)) and kind != text.casefold():
                rows = "1 row" if times == 1 else f"{times:,} rows"
                yield Remark(f"column “{column}”", f"“{text}” ({rows}) is read as {kind}")


def _nothing(table: Table, columns: ColumnMap) -> Iterator[Remark]:
    """What a category or a text says that elsewhere means nothing: read as nothing of the one, kept of the other."""
    for field, column in columns.fields.items():
        if field in ROW_FIELDS and field != "group":
            continue
        counts = Counter(text for text in texts_of(table, column, most=None) if text and says_nothing(text))
        for text, times in counts.items():
            rows = "1 row" if times == 1 else f"{times:,} rows"
            if not is_category(field):
                yield Remark(f"column “{column}”", f"“{text}” ({rows}) is kept as a text")
            elif is_nothing(text, field):
                yield Remark(f"column “{column}”", f"“{text}” ({rows}) is read as nothing")


def _ungrouped(rows: Sequence[ItemRow], columns: ColumnMap) -> Iterator[Remark]:
    """Items without a group where others have one; cells that were merged have their value in the first row alone."""
    without = [row.id for row in rows if not row.group]
    groups = Counter(row.group for row in rows if row.group)
    if not without or not groups:
        return
    wrong = "have no group" if len(without) > 1 else "has no group"
    if len(without) > 1 and max(groups.values()) == 1:
        wrong += ", and each group has one item; if cells were merged, fill in the value in every row"
    yield Remark(f"column “{columns.fields['group']}”", f"{listed(without, word='item')} {wrong}")
