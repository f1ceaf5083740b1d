"""The parses that the authors publish beside their stimuli (*_deps.txt): which lemma is the root of each sentence."""

import re
from dataclasses import dataclass
from pathlib import Path

from corpus.delimited import rows
from corpus.errors import Fault, SourceError
from corpus.source_text import source_bytes

ANIMACY = ("animate-inanimate", "animate-animate")


@dataclass(frozen=True, slots=True)
class Parse:
    """`root` is the verb's lemma as published; `animacy` is empty where the file does not give it."""

    root: str
    animacy: str


def read_parses(path: Path) -> dict[str, Parse]:
    """By sentence, as the clean sets write it; SourceError with every fault, by line.

    Columns: a number, the sentence with its point apart, perhaps codes, and last `lemma:role` for each argument.
    """
    found: dict[str, Parse] = {}
    faults: list[Fault] = []
    for number, cells in rows(source_bytes(path), delimiter="\t", quoted=False):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
            continue
        roots = [part.rpartition(":")[0] for part in cells[-1].split() if part.endswith(":root")]
        if len(cells) < 3 or len(roots) != 1:
            faults.append(Fault(f"line {number}", "must end in lemma:role for each argument, with one root"))
            continue
        animacy = next((cell for cell in cells[2:-1] if cell in ANIMACY), "")
        found[re.sub(r" ([.!?])$", r"\1", cells[1].strip())] = Parse(roots[0], animacy)
    if not faults and not found:
        faults.append(Fault("file", "holds no rows"))
    if faults:
        raise SourceError(path, faults)
    return found


def is_form_of(word: str, lemma: str) -> bool:
    """Whether a verb's form may have this lemma."""
    from lemminflect import getAllLemmas

    lemmas = getAllLemmas(word.casefold(), upos="VERB").get("VERB", ())
    return lemma in (word.casefold(), *lemmas)
