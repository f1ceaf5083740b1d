"""How frequent an adverb and an adjective are together: a table by package, or the published one of the study."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from corpus.errors import Fault, SourceError
from stimuli.datasets.published import read_table

PACKAGED = "frequency_bigramdictionary_en_243_342.txt"
NOT_FOUND = "not found"
COLUMNS = ("adverb", "adjective", "ln_ngram_freq")


@dataclass(frozen=True, slots=True)
class Bigram:
    """One pair's natural log of its relative frequency, and its count where the table has one."""

    ln_frequency: float
    count: int | None = None

    def attributes(self) -> dict[str, str]:
        attributes = {"bigram_ln_frequency": f"{self.ln_frequency:.4f}"}
        return attributes if self.count is None else {"bigram_count": str(self.count), **attributes}


@dataclass(frozen=True, slots=True)
class Bigrams:
    """A table. A pair that is not in it is "not found", which is no frequency of 0."""

    name: str
    about: str
    pairs: Mapping[tuple[str, str], Bigram]

    def attributes(self, adverb: str, adjective: str) -> dict[str, str]:
        bigram = self.pairs.get((adverb, adjective)) or self.pairs.get((adverb, adjective.lower()))
        return {"bigram_ln_frequency": NOT_FOUND} if bigram is None else bigram.attributes()


def packaged_bigrams() -> Bigrams:
    """SymSpell's bigrams: Google Books n-grams cut with SCOWL's word lists, counts from 6,400,000.

    The size of the text behind it is not published, so relative frequencies are over the sum of all counts in the
    file (12,404,830,571,200). Another sum would move every logarithm by the same amount and no order.
    """
    text = files("symspellpy").joinpath(PACKAGED).read_text(encoding="utf-8-sig")
    rows = [line.split() for line in text.splitlines() if line.strip()]
    total = sum(int(count) for _, _, count in rows)
    pairs = {(one, two): Bigram(math.log(int(count) / total), int(count)) for one, two, count in rows}
    return Bigrams(
        f"symspellpy: {PACKAGED}", f"natural log of count / {total}, the sum of all counts in the file", pairs
    )


def read_bigrams(path: Path) -> Bigrams:
    """A CSV with the columns adverb, adjective, ln_ngram_freq; empty and 0 mean that the pair was not found.

    Capitals make another word, as in Google's n-grams: the published table has Communist beside communist.
    Raises SourceError with every fault, by line and column.
    """
    faults: list[Fault] = []
    pairs: dict[tuple[str, str], Bigram] = {}
    lines: dict[tuple[str, str], int] = {}
    for row in read_table(path, columns=COLUMNS):
        line = row.number
        pair = (row["adverb"].strip().lower(), row["adjective"].strip())
        if not all(pair):
            faults += [Fault(f"line {line}.{name}", "is empty") for name in COLUMNS[:2] if not row[name].strip()]
        elif pair in lines:
            faults.append(Fault(f"line {line}", f"{' '.join(pair)} was already given on line {lines[pair]}"))
        lines.setdefault(pair, line)
        try:
            value = float(row["ln_ngram_freq"] or 0)
        except ValueError:
            value = math.nan
        if not value <= 0 or math.isinf(value):
            wrong = f"{row['ln_ngram_freq']!r} is not the logarithm of a relative frequency"
            faults.append(Fault(f"line {line}.ln_ngram_freq", wrong))
        elif value:
            pairs[pair] = Bigram(value)
    if faults:
        raise SourceError(path, faults)
    return Bigrams(path.name, "natural log of the relative frequency that the file gives", pairs)
