"""The input embeddings of a language model's folder (safetensors and a tokenizer) as word vectors."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus.errors import Fault, SourceError
from corpus.source_text import read_text
from corpus.word_vectors.raw import WORD, Matrix, RawVectors, spelling_rank

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS = "model.safetensors"
# How BERT and its relatives name the matrix, and how Llama and its relatives do.
NAMES = ("word_embeddings.weight", "embed_tokens.weight", "wte.weight")
# What marks the beginning of a word in vocabularies that mark beginnings; WordPiece marks continuations.
BEGINNINGS = ("Ġ", "▁")


def read_embeddings(folder: Path, *, wanted: Collection[str], pieces: bool) -> RawVectors:
    """Vectors of the vocabulary's whole words, and with `pieces` of all `wanted` words, as means of their pieces.

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
        missing = sorted(word for word in wanted if word not in whole)
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
            found = [name for name in weights.keys() if name.endswith(NAMES)]  # noqa: SIM118 it is no mapping
            if len(found) != 1:
                wrong = f"has {len(found)} tensors of input embeddings (names that end in {', '.join(NAMES)})"
                raise SourceError(path, [Fault("file", wrong)])
            matrix = weights.get_tensor(found[0])
    except (SafetensorError, TypeError) as error:
        # TypeError: numpy has no bfloat16.
        raise SourceError(path, [Fault("file", f"cannot be read: {error}")]) from None
    return np.asarray(matrix, dtype=np.float32)
