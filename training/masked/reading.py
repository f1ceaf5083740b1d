"""Plain text as a masked language model reads it: where it is from, its lines in tokens, and the lines held out.

A line is held out by the hash of its words, so that the same line, wherever it stands again and however it is written,
is on the same side, whatever files are read with it. Only text of a license that lets it be learned from is read.
"""

import hashlib
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from corpus.lines import CorpusFile
from corpus.texts import Text, corpus_files, texts

SOURCE = "SOURCE.txt"
FIELDS = {"CORPUS": "corpus", "ORIGIN": "origin", "LICENSE": "license"}
CC_BY = "CC BY 4.0 (creativecommons.org/licenses/by/4.0), turned into weights; by "
# Corpora whose license was read, and why it puts no condition on weights; docs/maskedlm.md says why others do.
FREE = {
    "english_novels": "public domain",
    "presidential": "public domain",
    "masc": "its terms allow use for research and development, commercial too, without conditions",
    "self_dialogue": "BSD 3-Clause: the notice stays with the text, which is not passed on",
    "product_reviews": CC_BY + "Minqing Hu, Bing Liu and others",
    "movie_reviews": CC_BY + "Bo Pang and Lillian Lee",
    "movie_snippets": CC_BY + "Bo Pang and Lillian Lee",
    "tatoeba_en": "CC BY 2.0 FR: attribution, which the card gives; authors by sentence stand in the source file",
}

# Lines to the tokenizer at once.
TOGETHER = 4096
# A held-out line of fewer tokens is neither trained on nor judged: there is too little to tell a word by.
FEWEST_JUDGED = 4
NOT_WORDS = re.compile(r"\W+")


class SourceUnclear(ValueError):
    """A text whose origin and license are not stated, or that is not among those that leave weights free."""


@dataclass(frozen=True, slots=True)
class Origin:
    corpus: str
    origin: str
    license: str


def read_origin(path: Path) -> Origin:
    """What a SOURCE.txt says: lines that begin with CORPUS:, ORIGIN: and LICENSE:. SourceUnclear if one is missing."""
    if not path.is_file():
        raise SourceUnclear(f"there is no {path}: it must state the source and license of the text")
    facts = dict(line.split(":", 1) for line in path.read_text(encoding="utf-8").splitlines() if ":" in line)
    missing = [name for name in FIELDS if not facts.get(name, "").strip()]
    if missing:
        raise SourceUnclear(f"{path} does not say {', '.join(missing)}")
    return Origin(**{field: facts[name].strip() for name, field in FIELDS.items()})


def require_free(origin: Origin) -> None:
    """SourceUnclear if nobody has read this corpus' license and found that weights learned from it are free."""
    if origin.corpus not in FREE:
        raise SourceUnclear(
            f"{origin.corpus} is not among the corpora whose license allows free weights ({', '.join(FREE)}); check "
            f"its license and add it with the reason (training/masked/reading.py, docs/maskedlm.md)"
        )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The numbers of the tokens that training must know. `ordinary` are all that stand for text.

    `goes_on` (vocabulary) says of each whether it goes on with the word that the token before it begins.
    """

    start: int
    end: int
    mask: int
    ordinary: NDArray[np.int64]
    goes_on: NDArray[np.bool_]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> "Vocabulary":
        """ValueError if the tokenizer lacks [CLS], [SEP] or [MASK]: it is not BERT's."""
        names = ("[CLS]", "[SEP]", "[MASK]")
        numbers = {name: number for name in names if (number := tokenizer.token_to_id(name)) is not None}
        missing = [name for name in names if name not in numbers]
        if missing:
            raise ValueError(f"the tokenizer has no {', '.join(missing)}, so it is not a BERT tokenizer")
        special = special_ids(tokenizer)
        size = tokenizer.get_vocab_size()
        ordinary = [number for number in range(size) if number not in special]
        goes_on = [(tokenizer.id_to_token(number) or "").startswith("##") for number in range(size)]
        return cls(
            numbers["[CLS]"], numbers["[SEP]"], numbers["[MASK]"], np.array(ordinary, dtype=np.int64), np.array(goes_on)
        )


@dataclass(frozen=True, slots=True)
class Corpus:
    """Text to train on, and text held out.

    `ids` (tokens) are all pieces one after the other, without start and end; piece p is ids[ends[p]:ends[p + 1]], and
    `opens` (pieces) says that a file begins there. A piece is a line, or part of one that is too long. `held_out` are
    pieces, each once. `counts` tells lines and tokens, and what was left out.
    """

    ids: NDArray[np.int32]
    ends: NDArray[np.int64]
    opens: NDArray[np.bool_]
    held_out: tuple[tuple[int, ...], ...]
    counts: dict[str, int]


def plain_tokenizer(folder: Path) -> Tokenizer:
    """The encoder's tokenizer, that neither cuts nor fills up: the packaged one would do both at 128 tokens.

    ValueError if there is none that can be read.
    """
    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    # The library raises nothing more special.
    except Exception as error:
        raise ValueError(f"{path} is not a tokenizer ({error})") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def special_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """Tokens that stand for no text: start, end, mask, padding, and what the vocabulary lacks."""
    return frozenset(number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special)


def is_held_out(text: str, share: float) -> bool:
    """Whether the line is held out, by sha256 of its words in lower case; a `share` (of 1) of all lines is."""
    return int(words_hash(text)[:16], 16) < share * 2**64


def words_hash(text: str) -> str:
    return hashlib.sha256(NOT_WORDS.sub(" ", text.lower()).strip().encode()).hexdigest()


def read_corpus(sources: Sequence[Path], tokenizer: Tokenizer, *, share: float, longest: int, field: str) -> Corpus:
    """Every line of the files once, in tokens; ValueError if nothing is left to train on or to judge by.

    `longest` is in tokens with start and end. A line with a special token, or one that the vocabulary lacks, is left
    out. Raises SourceError if a file cannot be read.
    """
    gathering = _Gathering(special_ids(tokenizer), share, longest - 2)
    for path, form in corpus_files(sources, form=None):
        gathering.open()
        with closing(CorpusFile(path)) as file:
            for together in _blocks(texts(file, form, field=field)):
                encodings = tokenizer.encode_batch([text.text for text in together], add_special_tokens=False)
                for text, encoding in zip(together, encodings, strict=True):
                    gathering.add(text.text, encoding.ids, encoding.word_ids)
    return gathering.corpus()


def _blocks(stream: Iterable[Text]) -> Iterator[list[Text]]:
    remaining = iter(stream)
    while together := list(islice(remaining, TOGETHER)):
        yield together


class _Gathering:
    def __init__(self, special: frozenset[int], share: float, longest: int) -> None:
        self.special, self.share, self.longest = special, share, longest
        # 4 bytes a token: a list would take 8, and the numbers beside it.
        self.ids = array("i")
        self.ends = array("q", [0])
        self.opens: list[bool] = []
        self.held: dict[tuple[int, ...], None] = {}
        self.counts = {"lines": 0, "lines_held_out": 0, "lines_left_out": 0}
        self.fresh = True

    def open(self) -> None:
        self.fresh = True

    def add(self, text: str, ids: list[int], words: list[int | None]) -> None:
        self.counts["lines"] += 1
        if not ids or not self.special.isdisjoint(ids):
            self.counts["lines_left_out"] += 1
            return
        pieces = _cut(ids, words, self.longest)
        if is_held_out(text, self.share):
            self.counts["lines_held_out"] += 1
            self.held |= dict.fromkeys(tuple(piece) for piece in pieces if len(piece) >= FEWEST_JUDGED)
            return
        for piece in pieces:
            self.ids.extend(piece)
            self.ends.append(len(self.ids))
            self.opens.append(self.fresh)
            self.fresh = False

    def corpus(self) -> Corpus:
        if not self.ids or not self.held:
            raise ValueError(
                f"{self.counts['lines']} lines give {len(self.opens)} for training and {len(self.held)} held out; "
                f"give more text or another held-out share"
            )
        held = tuple(self.held)
        counts = self.counts | {
            "pieces": len(self.opens),
            "tokens": len(self.ids),
            "pieces_held_out": len(held),
            "tokens_held_out": sum(map(len, held)),
        }
        ids, ends = np.frombuffer(self.ids, dtype=np.int32), np.frombuffer(self.ends, dtype=np.int64)
        return Corpus(ids, ends, np.array(self.opens), held, counts)


def _cut(ids: list[int], words: list[int | None], longest: int) -> list[list[int]]:
    """At most `longest` tokens each, cut before a word where one begins in time."""
    pieces, begin = [], 0
    while len(ids) - begin > longest:
        end = begin + longest
        while end > begin + longest // 2 and words[end] == words[end - 1]:
            end -= 1
        pieces.append(ids[begin:end])
        begin = end
    return [*pieces, ids[begin:]]
