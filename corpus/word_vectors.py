"""Word vectors that others have made: a counted store's, a language model's input embeddings, fastText's and GloVe's.

`read_vectors` tells which of them a path is. To add a form: its reader below, and a case there.
"""

import gzip
import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.errors import Fault, SourceError
from corpus.source_text import read_text

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Matrix = NDArray[np.float32]
# Letters and digits only, while vocabularies also have pieces such as u_; no numerals.
WORD = re.compile(r"[^\W\d_][^\W_]+")
# What fastText's .bin begins with: 793712314, lowest byte first.
BINARY = (793712314).to_bytes(4, "little")
VECTORS = "vectors.safetensors"
CURRENT = "current.json"
# The folder of a state is named after so much of its content's hash.
SHOWN = 16
# The parts of speech whose lemma a form is taken for, the first first.
PARTS = ("NOUN", "VERB", "ADJ", "ADV")
# For the help of a command that takes such a path.
READABLE = "a store of count_corpus, a model's folder (its input embeddings), or a file in fastText's or GloVe's format"


@dataclass(frozen=True, slots=True, eq=False)
class RawVectors:
    """What a reader found: lower-case words with their vectors, and those of them that are frequent."""

    vectors: dict[str, Matrix]
    frequent: Collection[str]
    files: tuple[Path, ...]


def spelling_rank(spelling: str) -> int:
    """Which spelling of a word gives its vector where a vocabulary knows case: canada, else Canada, else CANADA."""
    if spelling == spelling.lower():
        return 0
    return 1 if spelling[1:] == spelling[1:].lower() else 2


def write_table(path: Path, words: Sequence[str], matrix: Matrix) -> None:
    """A row a word; the same words and numbers give the same bytes."""
    from safetensors.numpy import save

    listed = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    # Not by save_file, which lets no other user read the file, a worker's perhaps.
    path.write_bytes(save({"vectors": matrix, "words": listed}))


def read_table(path: Path) -> tuple[list[str], Matrix]:
    """The words and their rows as they were written; SafetensorError, KeyError or UnicodeDecodeError otherwise."""
    from safetensors.numpy import load_file

    tensors = load_file(path)
    return tensors["words"].tobytes().decode().split("\n"), tensors["vectors"]


def read_text_vectors(path: Path, *, words: Collection[str], candidates: int) -> RawVectors:
    """The vectors of `words` and of the first `candidates` words; nothing else is kept in memory.

    SourceError with the line if one is not a word followed by as many numbers as the others have.
    """
    vectors: dict[str, Matrix] = {}
    ranks: dict[str, int] = {}
    frequent: set[str] = set()
    try:
        _refuse_binary(path)
        for number, (word, numbers) in enumerate(_lines(path)):
            key = word.lower()
            among_first = number < candidates
            if (not among_first and key not in words) or not WORD.fullmatch(word):
                continue
            rank = spelling_rank(word)
            if among_first:
                frequent.add(key)
            if key not in ranks or rank < ranks[key]:
                ranks[key] = rank
                vectors[key] = numbers()
    except (OSError, EOFError) as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error}")]) from None
    if not vectors:
        raise SourceError(path, [Fault("file", "contains no word vectors")])
    return RawVectors(vectors, frequent, (path,))


def _refuse_binary(path: Path) -> None:
    with _opened(path) as lines:
        if lines.read(len(BINARY)) == BINARY:
            wrong = "is a binary fastText model, which is not supported; use its .vec file"
            raise SourceError(path, [Fault("file", wrong)])


def _numbers(path: Path, line: int, raw: bytes) -> Matrix:
    try:
        values = np.array(raw.split(b" "), dtype=np.float32)
    except ValueError:
        raise SourceError(path, [Fault(f"line {line}", "contains something that is not a number")]) from None
    if not np.isfinite(values).all():
        raise SourceError(path, [Fault(f"line {line}", "contains a number that is not finite")])
    return values


def _lines(path: Path) -> Iterator[tuple[str, Callable[[], Matrix]]]:
    """Each word, and its numbers when they are asked for: most lines are never kept."""
    with _opened(path) as lines:
        size = 0
        for number, line in enumerate(lines, start=1):
            line = line.rstrip()
            if number == 1 and _is_heading(line):
                continue
            size = size or line.count(b" ")
            # From the right: words of GloVe's largest file may hold spaces.
            word, *rest = line.rsplit(b" ", size) if size else [line]
            if len(rest) != size or size < 2:
                raise SourceError(path, [Fault(f"line {number}", f"must be a word and {max(size, 2)} numbers")])
            try:
                text = word.decode()
            except UnicodeDecodeError:
                raise SourceError(path, [Fault(f"line {number}", "is not UTF-8 text")]) from None
            yield text, partial(_numbers, path, number, line[len(word) + 1 :])


def _is_heading(line: bytes) -> bool:
    """fastText begins with the number of words and of dimensions; GloVe does not."""
    parts = line.split()
    return len(parts) == 2 and all(part.isdigit() for part in parts)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
        yield lines  # type: ignore[misc]


def is_store(folder: Path) -> bool:
    """A store, or one finished state of it."""
    return (folder / CURRENT).is_file() or (folder / VECTORS).is_file()


def read_counted(folder: Path, *, words: Collection[str]) -> RawVectors:
    """The vectors of the lemmas, and of `words` words by their lemmas; all of them may replace others.

    SourceError if the store has none, or cannot be read.
    """
    path = _state(folder) / VECTORS
    of_lemma = _vectors(path)
    vectors = {lemma: vector for lemma, vector in of_lemma.items() if WORD.fullmatch(lemma)}
    for word in words:
        lemma = next((one for one in _lemmas(word) if one in of_lemma), None)
        if lemma is not None:
            vectors[word] = of_lemma[lemma]
    return RawVectors(vectors, frozenset(vectors), (path,))


def _lemmas(word: str) -> Iterator[str]:
    from lemminflect import getAllLemmas

    by_part = getAllLemmas(word)
    for part in PARTS:
        yield from by_part.get(part, ())
    yield word


def _state(folder: Path) -> Path:
    current = folder / CURRENT
    if not current.is_file():
        return folder
    try:
        return folder / str(json.loads(current.read_text(encoding="utf-8"))["content"])[:SHOWN]
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(current, [Fault("file", f"does not contain the store's state: {error}")]) from None


def _vectors(path: Path) -> dict[str, Matrix]:
    from safetensors import SafetensorError

    if not path.is_file():
        raise SourceError(path, [Fault("file", "is missing: the store has too little text for word vectors")])
    try:
        words, matrix = read_table(path)
    except (SafetensorError, KeyError, UnicodeDecodeError) as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error}")]) from None
    return dict(zip(words, matrix, strict=True))


def read_word_vectors(path: Path, *, words: Collection[str], candidates: int, pieces: bool) -> RawVectors:
    """The vectors of `words` and of the frequent words; SourceError where the path has none.

    `candidates` lines of a text file are frequent words; with `pieces` a model gives words that are not whole in
    its vocabulary the mean of their pieces.
    """
    if not path.exists():
        raise SourceError(path, [Fault("file", "cannot be read: no such file or folder")])
    if is_store(path):
        return read_counted(path, words=words)
    if path.is_dir():
        return read_embeddings(path, words=words, pieces=pieces)
    return read_text_vectors(path, words=words, candidates=candidates)


WEIGHTS = "model.safetensors"
# How BERT and its relatives name the matrix, and how Llama and its relatives do.
NAMES = ("word_embeddings.weight", "embed_tokens.weight", "wte.weight")
# What marks the beginning of a word in vocabularies that mark beginnings; WordPiece marks continuations.
BEGINNINGS = ("Ġ", "▁")


def read_embeddings(folder: Path, *, words: Collection[str], pieces: bool) -> RawVectors:
    """Vectors of the vocabulary's whole words, and with `pieces` of all `words` words, as means of their pieces.

    A word that is not whole in the vocabulary has no vector of its own; without `pieces` it is out of vocabulary.
    SourceError if the folder is not such a model.
    """
    tokenizer, tokenizer_file = _tokenizer(folder)
    matrix = _matrix(folder)
    if tokenizer.get_vocab_size() > len(matrix):
        wrong = f"has {len(matrix)} embeddings, fewer than the {tokenizer.get_vocab_size()} tokens of the tokenizer"
        raise SourceError(folder / WEIGHTS, [Fault("file", wrong)])
    whole = _whole_words(tokenizer)
    vectors = {word: matrix[token] for word, token in whole.items()}
    if pieces:
        missing = sorted(word for word in words if word not in whole)
        for word, tokens in zip(missing, _encoded(tokenizer, missing), strict=True):
            if tokens:
                vectors[word] = matrix[tokens].mean(axis=0)
    return RawVectors(vectors, frozenset(whole), (folder / WEIGHTS, tokenizer_file))


def _whole_words(tokenizer: "Tokenizer") -> dict[str, int]:
    """Lower-case word → the token that is this word alone, in the spelling that `spelling_rank` prefers."""
    vocabulary = tokenizer.get_vocab()
    marks = tuple(mark for mark in BEGINNINGS if any(token.startswith(mark) for token in vocabulary))
    spellings = sorted({token[1:] if marks else token for token in vocabulary if not marks or token.startswith(marks)})
    spellings = [spelling for spelling in spellings if WORD.fullmatch(spelling)]
    best: dict[str, tuple[int, int]] = {}
    for spelling, tokens in zip(spellings, _encoded(tokenizer, spellings), strict=True):
        if len(tokens) == 1:
            ranked = (spelling_rank(spelling), tokens[0])
            best[spelling.lower()] = min(best.get(spelling.lower(), ranked), ranked)
    return {word: token for word, (_, token) in best.items()}


def _encoded(tokenizer: "Tokenizer", words: Sequence[str]) -> list[list[int]]:
    """The tokens of each word as it stands inside a text; none if a part of it is unknown."""
    unknown = {tokenizer.token_to_id(token) for token in ("[UNK]", "<unk>")} - {None}
    encoded = tokenizer.encode_batch([f" {word}" for word in words], add_special_tokens=False)
    return [[] if unknown & set(one.ids) else list(one.ids) for one in encoded]


def _tokenizer(folder: Path) -> tuple["Tokenizer", Path]:
    from tokenizers import Tokenizer

    file, vocabulary = folder / "tokenizer.json", folder / "vocab.txt"
    if vocabulary.is_file() and not file.is_file():
        return _wordpiece(vocabulary), vocabulary
    if not file.is_file():
        raise SourceError(folder, [Fault("folder", "has neither tokenizer.json nor vocab.txt")])
    try:
        # Looked at first, because the tokenizer raises a bare Exception for what is no JSON.
        json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SourceError(file, [Fault("file", f"is not JSON: {error}")]) from None
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, file


def _wordpiece(vocabulary: Path) -> "Tokenizer":
    """BERT's tokenizer from its list of tokens; it is lower case if no token begins with a capital."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    tokens = [token.rstrip("\r") for token in read_text(vocabulary).rstrip("\n").split("\n")]
    ids = {token: at for at, token in enumerate(tokens)}
    tokenizer = Tokenizer(WordPiece(ids, unk_token="[UNK]"))  # noqa: S106 no password
    tokenizer.normalizer = BertNormalizer(lowercase=not any(token[:1].isupper() for token in tokens))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def _matrix(folder: Path) -> Matrix:
    from safetensors import SafetensorError, safe_open

    path = folder / WEIGHTS
    if not path.is_file():
        raise SourceError(folder, [Fault("folder", f"has no {WEIGHTS}")])
    try:
        with safe_open(path, framework="numpy") as weights:
            names = [name for name in weights.keys() if name.endswith(NAMES)]  # noqa: SIM118 it is no mapping
            if len(names) != 1:
                wrong = f"has {len(names)} tensors of input embeddings (names that end in {', '.join(NAMES)})"
                raise SourceError(path, [Fault("file", wrong)])
            matrix = weights.get_tensor(names[0])
    except (SafetensorError, TypeError) as error:
        # TypeError: numpy has no bfloat16.
        raise SourceError(path, [Fault("file", f"cannot be read: {error}")]) from None
    return np.asarray(matrix, dtype=np.float32)
