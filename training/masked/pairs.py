"""Minimal pairs as a plain table: phenomenon, better sentence, worse sentence, which differ in one word.

minimal_pairs.tsv was written for this project, by nobody's list, and no training reads it.
"""

from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from training.masked.reading import special_ids

OWN = Path(__file__).with_name("minimal_pairs.tsv")


@dataclass(frozen=True, slots=True)
class Pair:
    phenomenon: str
    good: str
    bad: str


def read_pairs(path: Path) -> list[Pair]:
    """Lines of phenomenon, good, bad, parted by tabs. ValueError with every faulty line."""
    pairs, faults = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t")
        if len(cells) != 3 or not all(cell.strip() for cell in cells):
            faults.append(f"line {number} is not phenomenon, good and bad, parted by tabs")
        else:
            pairs.append(Pair(*cells))
    if faults or not pairs:
        raise ValueError(f"{path}: {'; '.join(faults) or 'holds no pairs'}")
    return pairs


def read_marvin_linzen(path: Path) -> list[Pair]:
    """Lines of case, template, good, bad, without a final point; one is put there (Goldberg 2019, arXiv:1901.05287)."""
    pairs, faults = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t")
        if len(cells) != 4:
            faults.append(f"line {number} is not case, template, good and bad, parted by tabs")
        else:
            pairs.append(Pair(cells[0], f"{cells[2]} .", f"{cells[3]} ."))
    if faults or not pairs:
        raise ValueError(f"{path}: {'; '.join(faults) or 'holds no pairs'}")
    return pairs


def slotted(pair: Pair, tokenizer: Tokenizer) -> tuple[list[int], int, int, int] | str:
    """The better sentence's tokens, the place where the two differ, and the two tokens there; or why there is none."""
    good, bad = (tokenizer.encode(text, add_special_tokens=False).ids for text in (pair.good, pair.bad))
    if len(good) != len(bad):
        return "a word in which they differ is more than one token"
    places = [place for place, (one, other) in enumerate(zip(good, bad, strict=True)) if one != other]
    if len(places) != 1:
        return f"they differ in {len(places)} tokens"
    (place,) = places
    if {good[place], bad[place]} & special_ids(tokenizer):
        return "the vocabulary lacks a word in which they differ"
    return good, place, good[place], bad[place]
