"""Word vectors as they are published (text) and as models have them (input embeddings)."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from corpus.errors import SourceError
from corpus.word_vectors import read_embeddings, read_text_vectors, read_word_vectors


class TestText:
    def test_files_with_and_without_heading_and_packed(self, tmp_path):
        lines = "the 1 0\nCanada 0 2\ncanada 0 1\nUK 3 3\nzebra 1 1\n"
        (tmp_path / "a.txt").write_text(lines)
        (tmp_path / "b.vec").write_text("5 2\n" + lines)
        with gzip.open(tmp_path / "c.vec.gz", "wt") as packed:
            packed.write("5 2\n" + lines)
        for name in ("a.txt", "b.vec", "c.vec.gz"):
            found = read_text_vectors(tmp_path / name, words={"uk", "canada"}, candidates=2)
            assert set(found.vectors) == {"the", "canada", "uk"}
            assert found.vectors["canada"].tolist() == [0, 1]
            assert set(found.frequent) == {"the", "canada"}

    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("the 1 0\ncat 1\n", "line 2: must be a word and 2 numbers"),
            ("the 1 0\ncat 1 x\n", "line 2: contains something that is not a number"),
            ("the 1 nan\n", "line 1: contains a number that is not finite"),
            ("", "contains no word vectors"),
        ],
    )
    def test_faults_have_their_line(self, text, wrong, tmp_path):
        (tmp_path / "a.txt").write_text(text)
        with pytest.raises(SourceError, match=wrong):
            read_text_vectors(tmp_path / "a.txt", words=(), candidates=10)

    def test_a_binary_model_is_named(self, tmp_path):
        (tmp_path / "a.bin").write_bytes(b"\xba\x16\x4f\x2f\x0c\x00\x00\x00" + bytes(range(256)))
        with pytest.raises(SourceError, match="a binary fastText model, which is not supported; use its .vec file"):
            read_text_vectors(tmp_path / "a.bin", words=(), candidates=10)

    def test_another_encoding(self, tmp_path):
        (tmp_path / "a.txt").write_bytes(b"the 1 0\nc\xfat 1 0\n")
        with pytest.raises(SourceError, match="line 2: is not UTF-8 text"):
            read_text_vectors(tmp_path / "a.txt", words=(), candidates=10)


class TestEmbeddings:
    @pytest.fixture
    def model(self, tmp_path: Path) -> Path:
        from safetensors.numpy import save_file
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece
        from tokenizers.normalizers import BertNormalizer
        from tokenizers.pre_tokenizers import BertPreTokenizer

        names = ["[UNK]", "lamp", "##s", "house", "un", "##lit", "x"]
        tokenizer = Tokenizer(WordPiece({name: at for at, name in enumerate(names)}, unk_token="[UNK]"))
        tokenizer.normalizer = BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = BertPreTokenizer()
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        (tmp_path / "vocab.txt").write_text("\n".join(names) + "\n")
        matrix = np.eye(len(names), dtype=np.float32)
        save_file({"bert.embeddings.word_embeddings.weight": matrix}, str(tmp_path / "model.safetensors"))
        return tmp_path

    @pytest.mark.parametrize("without", ["vocab.txt", "tokenizer.json"])
    def test_whole_words_and_means_of_pieces(self, model, without):
        (model / without).unlink()
        whole = read_embeddings(model, words={"lamps", "tree"}, pieces=False)
        assert set(whole.vectors) == {"lamp", "house", "un"}
        pieces = read_embeddings(model, words={"lamps", "tree"}, pieces=True)
        assert pieces.vectors["lamps"].tolist() == [0, 0.5, 0.5, 0, 0, 0, 0]
        assert "tree" not in pieces.vectors
        assert set(pieces.frequent) == {"lamp", "house", "un"}

    def test_folders_that_are_no_model(self, model):
        with (model / "vocab.txt").open("a") as more:
            more.write("one\n")
        (model / "tokenizer.json").rename(model / "other.json")
        with pytest.raises(SourceError, match="has 7 embeddings, fewer than the 8 tokens"):
            read_embeddings(model, words=(), pieces=False)
        (model / "model.safetensors").write_bytes(b"nothing")
        with pytest.raises(SourceError, match="cannot be read"):
            read_embeddings(model, words=(), pieces=False)
        (model / "model.safetensors").unlink()
        with pytest.raises(SourceError, match=r"has no model\.safetensors"):
            read_embeddings(model, words=(), pieces=False)
        (model / "tokenizer.json").write_text("{")
        with pytest.raises(SourceError, match="is not JSON"):
            read_embeddings(model, words=(), pieces=False)


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(SourceError, match="no such file or folder"):
        read_word_vectors(tmp_path / "glove.txt", words=(), candidates=1, pieces=True)
