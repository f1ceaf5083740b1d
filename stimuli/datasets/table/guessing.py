"""Which column of a table is which field of an item: a guess, for a researcher to look at and change.

First by name. What is left goes to the columns that make of the rows items most like the task type's example: valid
ones, whose texts contain one another where the example's do, of about its length.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from statistics import fmean

from annotation.tasktypes.contract import SLOT, ContentField, Scale, TaskType
from annotation.tasktypes.words import bare_name
from corpus.decimals import plain_number
from corpus.tables.opening import OURS
from stimuli.datasets.table.columns import ATTRIBUTE, BLANKS, NUMBER
from stimuli.datasets.table.heads import (
    CROSSED,
    IDS,
    LISTS,
    MOST_VALUES,
    NAMELESS,
    NAMES,
    NUMBERED,
    OF_TEXTS,
    PAIR,
    PAIRS,
    SOURCES,
    by_name,
)
from stimuli.datasets.table.rows import SAMPLE, Table, texts_of

# Columns that are looked at.
WIDEST = 12
# What our own exports call an attribute's column.
OUR_ATTRIBUTE = "attribute:"
# From how much on two columns of texts are taken for two versions of one, by `_alike`.
ALIKE = 0.5
# Marks of a slot in other people's files, the most telling first.
SLOTS = (SLOT, "***mask***", "{}")


def choices_of(table: Table) -> list[str]:
    """The columns there are to choose from; of JSON lines also parts of records, as `answer.text`."""
    if table.columns:
        return [*table.columns]
    choices: dict[str, None] = {}
    for row in table.rows[:SAMPLE]:
        for name, value in row.values.items():
            inside = range(len(value)) if isinstance(value, list) else value if isinstance(value, Mapping) else ()
            parts = [f"{name}.{part}" for part in inside][:WIDEST]
            choices.update(dict.fromkeys(parts or [name]))
    return [*choices]


def guess(table: Table, task: type[TaskType]) -> dict[str, str]:
    """Field → column, `options.ROLE` among them where options are the item's; none for what no column looks like."""
    sample = {column: texts_of(table, column) for column in choices_of(table)}
    sample = {column: texts for column, texts in sample.items() if any(texts)}
    mapping = by_name(sample, task)
    mapping |= _source(sample, mapping)
    if "reference" not in mapping and task.options_from == "task":
        mapping |= _reference(sample, task.configured(task.example_settings).scale, mapping)
    if task.options_from == "item":
        mapping |= _roles(sample, mapping)
    if "kind" in mapping and "practice" in sample[mapping["kind"]]:
        mapping |= {bare_name(column): column for column in sample if bare_name(column) == "explanation"}
    if {"sentence", *PAIR} <= {field.name for field in task.content_fields}:
        return _one_or_two(sample, mapping)
    return _by_example(sample, task, mapping)


def right_option(fields: Mapping[str, str]) -> str:
    """The column of the option that is right in every row, by the names of a pair; empty where a column says it."""
    roles = {field.removeprefix("options."): column for field, column in fields.items() if field.startswith("options.")}
    pair = next((pair for pair in PAIRS if {*pair} == {*roles}), None)
    return roles[pair[0]] if pair and "reference" not in fields else ""


def why_no_id(table: Table, fields: Mapping[str, str]) -> str:
    """Of a column that is called as ids are and cannot be one: a sentence that says why; else empty."""
    names = {bare_name(name) for name in ("id", *NAMES["id"])}
    for column in choices_of(table):
        if "id" in fields or bare_name(column) not in names:
            continue
        counts = Counter(texts_of(table, column, most=None))
        value, times = counts.most_common(1)[0]
        if times > 1:
            return (
                f"“{column}” cannot be the ID: {times} rows say “{value}”."
                if value
                else f"“{column}” is empty in {times} rows."
            )
    return ""


def guess_labels(values: Sequence[str], scale: Scale) -> dict[str, str]:
    """Each value of a file's reference column → the canonical value that it looks like, or empty."""
    synonyms = {}
    if set(scale.values) == {"yes", "no"}:
        synonyms = {"true": "yes", "1": "yes", "y": "yes", "false": "no", "0": "no", "n": "no"}
    meanings = {value: scale.meant(value) or synonyms.get(plain_number(value).casefold(), "") for value in values}
    numbers = sorted({int(value) for value in values if value.isdecimal() and len(value) < 4})
    if scale.ordered and len(numbers) == len(values) and not any(meanings.values()):
        # Counted from 0 or from 1, all of the scale's degrees.
        first = 0 if 0 in numbers else 1
        if numbers[-1] - first < len(scale.values):
            meanings = {value: scale.values[int(value) - first] for value in values}
    return meanings


def values_of(table: Table, column: str) -> list[str]:
    """What the reference column says anywhere, in order; the first of them where there are more than any scale has."""
    values = dict.fromkeys(filter(None, texts_of(table, column, most=None)))
    return sorted(values)[:MOST_VALUES]


def guess_slot(table: Table, column: str) -> str:
    """What marks the slot in that column; empty where it is our own mark, or none is in every row."""
    mark = _mark_in(texts_of(table, column))
    return "" if mark == SLOT else mark


def _mark_in(texts: Sequence[str]) -> str:
    """The mark that every one of the texts has once."""
    filled = [text for text in texts if text]
    for pattern in BLANKS:
        if filled and all(len(pattern.findall(text)) == 1 for text in filled):
            # Items are made so that this becomes our own mark.
            return SLOT
    return next((mark for mark in SLOTS if filled and all(text.count(mark) == 1 for text in filled)), "")


def _source(sample: Mapping[str, Sequence[str]], mapping: Mapping[str, str]) -> dict[str, str]:
    """The column of items as the source, where what is called a group is a list with each item once."""
    group = mapping.get("group", "")
    if bare_name(group) not in LISTS:
        return {}
    remaining = [
        column for column in sample if column not in mapping.values() and not bare_name(column).startswith(CROSSED)
    ]
    called = [column for column in remaining if bare_name(column) in SOURCES]
    source = next((column for column in called or remaining if _is_shared(sample[group], sample[column], called)), "")
    return {"group": source} if source else {}


def _is_shared(lists: Sequence[str], items: Sequence[str], called: Sequence[str]) -> bool:
    """Whether no list has an item twice; where nothing is `called` so, one has all, many more than there are lists."""
    pairs = [(one, item) for one, item in zip(lists, items, strict=True) if one and item]
    times, of_items = Counter(one for one, _ in pairs), {item for _, item in pairs}
    if len({*pairs}) < len(pairs) or len(of_items) == len(pairs):
        return False
    is_whole = max(times.values(), default=0) == len(of_items) > 2 * len(times)
    return bool(called) or (is_whole and all(len(item.split()) == 1 for item in of_items))


def _looks_like_id(column: str, texts: Sequence[str]) -> bool:
    """Numbers, or single words that differ, under a name for ids or none: never what is chosen from."""
    filled = [text for text in texts if text]
    if all(NUMBER.fullmatch(text) for text in filled):
        return True
    is_called_so = NAMELESS.fullmatch(column) or bare_name(column) in ("id", *NAMES["id"], *IDS)
    return bool(is_called_so) and all(len(text.split()) == 1 for text in filled)


def _reference(sample: Mapping[str, Sequence[str]], scale: Scale, mapping: Mapping[str, str]) -> dict[str, str]:
    """The column that says most labels of the scale in words, and more than one of them; in half of its rows at least.

    What else it says is nobody's right answer until somebody chooses what it means.
    """
    shares = {}
    for column, texts in sample.items():
        filled = [*filter(None, texts)]
        if column not in mapping.values() and not any(map(str.isdecimal, filled)):
            readable = {value for value, label in guess_labels([*set(filled)], scale).items() if label}
            shares[column] = sum(text in readable for text in filled) / len(filled) if len(readable) > 1 else 0.0
    best = max(shares, key=lambda column: shares[column], default="")
    return {"reference": best} if shares.get(best, 0) >= 0.5 else {}


def _roles(sample: Mapping[str, Sequence[str]], mapping: Mapping[str, str]) -> dict[str, str]:
    """The columns of the options: of a known pair of names, of one name with numbers, else the two most alike."""
    remaining = {
        column: texts
        for column, texts in sample.items()
        if column not in mapping.values() and not _looks_like_id(column, texts)
    }
    plain = {bare_name(column): column for column in remaining}
    roles = {OF_TEXTS.sub("", name): column for name, column in plain.items()}
    for pair in PAIRS:
        ends = [[column for name, column in roles.items() if name.endswith(role)] for role in pair]
        # `incorrect` ends in `correct`.
        ends[0] = [column for column in ends[0] if column not in ends[1]]
        if all(len(columns) == 1 for columns in ends):
            return {f"options.{role}": columns[0] for role, columns in zip(pair, ends, strict=True)}
    numbered = [column for name, column in plain.items() if NUMBERED.fullmatch(name)]
    if 2 <= len(numbered) <= 9:
        return {f"options.{column}": column for column in numbered}
    if "sentence" in mapping and not _mark_in(sample[mapping["sentence"]]):
        return {}
    alike = [
        (_alike(remaining[one], remaining[other]), one, other) for one, other in combinations([*remaining][:WIDEST], 2)
    ]
    best = max(alike, key=lambda one: one[0], default=None)
    if best is None or best[0] <= (0 if "sentence" in mapping else ALIKE):
        return {}
    return {f"options.{column}": column for column in best[1:]}


def _alike(one: Sequence[str], other: Sequence[str]) -> float:
    """Of texts that differ in every row, how many words they share, or how near their lengths are; -1 for others."""
    pairs = [(a.split(), b.split()) for a, b in zip(one, other, strict=True) if a and b]
    if not pairs or any(a == b for a, b in pairs) or len({*one, *other}) <= 2:
        return -1.0
    shared = fmean(len(set(a) & set(b)) / max(len(a), len(b)) for a, b in pairs)
    lengths = fmean(min(len(a), len(b)) / max(len(a), len(b)) for a, b in pairs)
    return shared + lengths / 4


def _one_or_two(sample: Mapping[str, Sequence[str]], mapping: dict[str, str]) -> dict[str, str]:
    """Of a task that rates one sentence or the second of two: two that are called so or are alike, else the one."""
    one = {field: column for field, column in mapping.items() if field not in PAIR}
    if mapping.keys() >= {*PAIR}:
        return {field: column for field, column in mapping.items() if field != "sentence"}
    remaining = [column for column, texts in sample.items() if column not in one.values() and _are_sentences(texts)]
    if "sentence" in mapping or not remaining:
        return one
    alike = {pair: _alike(sample[pair[0]], sample[pair[1]]) for pair in combinations(remaining[:WIDEST], 2)}
    best = max(alike, key=lambda pair: alike[pair], default=())
    if best and alike[best] > ALIKE:
        return one | dict(zip(PAIR, best, strict=True))
    return one | {"sentence": max(remaining, key=lambda column: fmean(map(len, filter(None, sample[column]))))}


def _are_sentences(texts: Sequence[str]) -> bool:
    """Whether most are several words, in whatever script, and most differ."""
    filled = [*filter(None, texts)]
    several = [text for text in filled if len(re.findall(r"[^\W\d_]+", text)) > 1 or _spaceless(text) > 3]
    return 2 * len(several) > len(filled) and 2 * len(set(filled)) > len(filled)


def _spaceless(text: str) -> int:
    """How many letters it has of a script without upper and lower case, of which many set no spaces."""
    return sum(unicodedata.category(letter) == "Lo" for letter in text)


def _by_example(sample: Mapping[str, Sequence[str]], task: type[TaskType], mapping: dict[str, str]) -> dict[str, str]:
    """Give the columns left to the fields left of which the example says how they look."""
    looks = {name: text for name, text in task.example.items() if isinstance(text, str)}
    remaining = [
        column
        for column, texts in sample.items()
        if column not in mapping.values() and not _looks_like_id(column, texts)
    ][:WIDEST]
    likeness = _Likeness({column: sample[column] for column in {*remaining, *mapping.values()}}, looks)
    fields = [field for field in task.content_fields if field.name in looks and field.name not in mapping]
    required = [field for field in fields if field.required]
    for needed in filter(None, (required, *([field] for field in fields if not field.required))):
        tries = [
            mapping | dict(zip([field.name for field in needed], columns, strict=True))
            for columns in permutations([column for column in remaining if column not in mapping.values()], len(needed))
        ]
        best = max(tries, key=likeness.of, default=None)
        if best is not None and all(likeness.is_worth_saying(best, field) for field in needed):
            mapping = best
    return mapping


class _Likeness:
    """How much rows look like the example, with such columns for its fields."""

    def __init__(self, sample: Mapping[str, Sequence[str]], looks: Mapping[str, str]) -> None:
        self._sample, self._looks = sample, looks
        # Counted once: there are many ways to give columns to fields.
        self._within = {(one, other): _within(sample[one], sample[other]) for one, other in permutations(sample, 2)}

    def of(self, fields: Mapping[str, str]) -> float:
        """Greater, the more alike: what contains what, then ends and lengths."""
        names = [name for name in self._looks if name in fields]
        inside = [self._as_wanted(fields, one, other) for one, other in permutations(names, 2)]
        shapes = [_shape(self._sample[fields[name]], self._looks[name]) for name in names]
        return 4 * fmean([*inside, 1.0]) + fmean(shapes)

    def is_worth_saying(self, fields: Mapping[str, str], field: ContentField) -> bool:
        """A field that may be left out must look like the example in more than its length."""
        if field.required:
            return True
        looks, texts = self._looks, self._sample[fields[field.name]]
        others = [name for name in looks if name in fields and name != field.name]
        holding = [name for name in others if _holds(looks[name], looks[field.name])]
        if holding:
            return all(self._within[fields[field.name], fields[name]] > 0.9 for name in holding)
        if SLOT in looks[field.name]:
            return bool(_mark_in(texts))
        return _words(texts) > max([5.0, *(_words(self._sample[fields[name]]) for name in others)])

    def _as_wanted(self, fields: Mapping[str, str], one: str, other: str) -> float:
        """The share of rows in which the one text stands in the other as the example's does, or does not."""
        share = self._within[fields[one], fields[other]]
        return share if _holds(self._looks[other], self._looks[one]) else 1 - share


def _within(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of rows in which the one text stands in the other."""
    return fmean([_holds(b, a) for a, b in zip(one, other, strict=True) if a and b] or [0.0])


def _holds(text: str, part: str) -> bool:
    """Whether the part is in the text as whole words."""
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.IGNORECASE) is not None


def _shape(texts: Sequence[str], look: str) -> float:
    """From 0 to 2: of about the example's number of words, and ending as it does (a letter, or the same mark)."""
    ends = [text[-1] == look[-1] if not look[-1].isalnum() else text[-1].isalnum() for text in texts if text]
    return fmean(ends or [0.0]) + 1 / (1 + abs(math.log(max(_words(texts), 0.5) / len(look.split()))))


def _words(texts: Sequence[str]) -> float:
    return fmean([len(text.split()) for text in texts if text] or [0.0])


def attributes_left(table: Table, fields: Mapping[str, str]) -> list[str]:
    """The columns that are nothing else and can be kept as attributes of an item: those that hold text in some row."""
    used = set(fields.values())
    remaining = [column for column in choices_of(table) if column not in used and any(texts_of(table, column))]
    if table.columns[: len(OURS)] == OURS:
        return [column for column in remaining if column.startswith(OUR_ATTRIBUTE)]
    return [column for column in remaining if not NAMELESS.fullmatch(column)]


def as_attribute(column: str) -> str:
    return f"{ATTRIBUTE}.{column.removeprefix(OUR_ATTRIBUTE)}"
