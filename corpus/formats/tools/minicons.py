"""minicons: what its command prints, a line for each token; or a table of sentences with scores, written by pandas.

minicons scores sentences in the order of the file that it was given, and prints their number alone.
"""

import re
from collections.abc import Iterator
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ITEM, LOGPROB, SCORE, TEXT, Found, Record
from corpus.formats.source import Source, refused
from corpus.source_text import NotText, decoded

# What the command prints first.
PRINTED = re.compile(r"\s*sentence_id\s+token_id\s+token\s+(logprob|surprisal)\b")
TOKENS = {"sentence_id", "token_id", "token"}
# What people call the columns of a table that they make of `sequence_score`.
SENTENCES = ("text", "sentence", "sentences", "stimulus", "stimuli")
NUMBERS = {"logprob": 1, "log_prob": 1, "score": 1, "surprisal": -1}
# How pandas prints that the first token has no number.
NO_NUMBER = ("NaN", "None", "")


def recognized(source: Source) -> bool:
    """By the columns of tokens; a table of sentences could be anybody's."""
    if source.is_packed:
        return False
    head = source.only[:300].decode(errors="replace")
    return PRINTED.match(head) is not None or {*source.header()} >= TOKENS


def scores(source: Source) -> Found:
    """A record a sentence: `item` is its number from 1, `score` the sum of its tokens' log-probabilities."""
    for record in _sentences(source):
        if isinstance(record, Record) and LOGPROB in record.values:
            values = dict(record.values)
            yield Record(record.where, values | {SCORE: values[LOGPROB]})
        else:
            yield record


def texts(source: Source) -> Found:
    """A record a sentence, by its text: a table's own, or tokens joined by spaces, which is right for whole words."""
    yield from _sentences(source)


def _sentences(source: Source) -> Found:
    text = _text(source)
    if PRINTED.match(text[:300]):
        yield from _of_tokens(_printed(text))
    elif {*source.header()} >= TOKENS:
        yield from _of_tokens(source.rows())
    else:
        yield from _of_table(source)


def _printed(text: str) -> Iterator[tuple[str, dict[str, str] | Fault]]:
    """Lines of columns that pandas has lined up. A token may hold spaces; what is before and after it holds none."""
    header, *rest = text.split("\n")
    names = header.split()
    after = len(names) - 3
    row = re.compile(r"\s*(\d+)\s+(\d+) (.*?)" + r"\s+(\S+)" * after + r"\s*")
    for number, line in enumerate(rest, start=2):
        if not line.strip():
            continue
        match = row.fullmatch(line)
        if match is None:
            yield f"line {number}", Fault(f"line {number}", f"does not have the columns {', '.join(names)}")
        else:
            yield f"line {number}", dict(zip(names, [one.strip() for one in match.groups()], strict=True))


def _of_tokens(rows: Iterator[tuple[str, dict[str, str] | Fault]]) -> Found:
    """Sentences of their tokens, each where its first token stands."""
    tokens: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for where, row in rows:
        if isinstance(row, Fault):
            yield row
        else:
            tokens.setdefault(row["sentence_id"], []).append((where, row))
    for name, token_rows in tokens.items():
        total, faults = _sum(token_rows)
        yield from faults
        words = [row["token"] for _, row in token_rows]
        yield Record(token_rows[0][0], {ITEM: name, TEXT: " ".join(words), "tokens": words, LOGPROB: total})


def _sum(token_rows: list[tuple[str, dict[str, str]]]) -> tuple[float | None, list[Fault]]:
    """The sum over the tokens that have a number; None where none has."""
    column = next((name for name in NUMBERS if name in token_rows[0][1]), "")
    if not column:
        return None, [Fault(token_rows[0][0], f"has no {' or '.join(NUMBERS)}")]
    numbers, faults = [], []
    for where, row in token_rows:
        if row[column] in NO_NUMBER:
            continue
        number = _number(row[column])
        if number is None:
            faults.append(Fault(f"{where}.{column}", f"{row[column]!r} is not a number"))
        else:
            numbers.append(NUMBERS[column] * number)
    return (sum(numbers) if numbers else None), faults


def _of_table(source: Source) -> Found:
    header = source.header()
    sentence = next((name for name in SENTENCES if name in header), "")
    column = next((name for name in NUMBERS if name in header), "")
    if not sentence or not column:
        expected = f"{', '.join(SENTENCES)} or for {', '.join(NUMBERS)}"
        raise refused("line 1", f"has no column for {expected}; the columns are {', '.join(header)}")
    for where, row in source.rows():
        if isinstance(row, Fault):
            yield row
            continue
        number = _number(row[column])
        values: dict[str, Any] = dict(row) | {TEXT: row[sentence]}
        if number is None and row[column] not in NO_NUMBER:
            yield Fault(f"{where}.{column}", f"{row[column]!r} is not a number")
        else:
            yield Record(where, values | {LOGPROB: None if number is None else NUMBERS[column] * number})


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _text(source: Source) -> str:
    try:
        return decoded(source.only)
    except NotText as error:
        raise refused(f"line {error.line}", str(error)) from None
