"""Text in tokens: what is held out, what is left out, and what a row of training can be."""

import gzip

import numpy as np
import pytest

from corpus.errors import SourceError
from tests.training.masked.tiny import QUICK, lines, write_encoder
from training.masked.batches import steps
from training.masked.reading import is_held_out, plain_tokenizer, read_corpus


@pytest.fixture
def tokenizer(tmp_path):
    return plain_tokenizer(write_encoder(tmp_path / "encoder"))


def written(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def read(tokenizer, *paths, longest=32, share=0.1, field=""):
    return read_corpus(paths, tokenizer, share=share, longest=longest, field=field)


def test_a_line_is_on_one_side_however_it_is_written_and_whatever_stands_around_it():
    for line in lines(200):
        assert is_held_out(line, 0.3) == is_held_out(f"  {line.upper().replace(' .', ' !')} ", 0.3)
    held = sum(is_held_out(line, 0.3) for line in set(lines(3000)))
    assert 0.25 < held / len(set(lines(3000))) < 0.35


def test_held_out_lines_are_in_no_row_of_any_pass(tokenizer, tmp_path):
    first = written(tmp_path / "one" / "a.txt", "\n".join(lines(400)))
    again = written(tmp_path / "two" / "b.txt", "\n".join(line.upper() for line in lines(300)))
    corpus = read(tokenizer, first, again)
    assert corpus.counts["lines"] == 700
    assert 20 < corpus.counts["lines_held_out"] < 140
    spans = zip(corpus.ends[:-1], corpus.ends[1:], strict=True)
    pieces = {tuple(corpus.ids[begin:end].tolist()) for begin, end in spans}
    assert pieces.isdisjoint(corpus.held_out)
    # Every row is whole pieces of training text, one after the other.
    begins, ends = set(corpus.ends[:-1].tolist()), set(corpus.ends[1:].tolist())
    for epoch in range(3):
        seen = np.zeros(len(corpus.ids), dtype=int)
        for batch in (batch for step in steps(corpus, QUICK, epoch) for batch in step):
            for begin in batch.begins.tolist():
                assert begin in begins
                assert begin + batch.length in ends
                seen[begin : begin + batch.length] += 1
        assert (seen == 1).all()


def test_rows_hold_to_their_length_their_file_and_their_seed(tokenizer, tmp_path):
    first = written(tmp_path / "one" / "a.txt", "\n".join(lines(50)))
    second = written(tmp_path / "one" / "b.txt", "\n".join(lines(50, seed=2)))
    corpus = read(tokenizer, first, second)
    assert corpus.opens.sum() == 2
    border = int(corpus.ends[np.flatnonzero(corpus.opens)[1]])

    def plan(epoch):
        found = steps(corpus, QUICK, epoch)
        return [[(batch.begins.tolist(), batch.length) for batch in step] for step in found]

    assert plan(0) == plan(0)
    assert plan(0) != plan(1)
    for begins, length in (batch for step in plan(0) for batch in step):
        assert length + 2 <= QUICK.rows
        assert len(begins) * (length + 2) <= QUICK.batch
        assert all(begin >= border or begin + length <= border for begin in begins)
    lengths = {length for step in plan(0) for _, length in step}
    assert max(lengths) > 2 * min(lengths)


def test_a_step_has_the_tokens_it_should(tokenizer, tmp_path):
    corpus = read(tokenizer, written(tmp_path / "one" / "a.txt", "\n".join(lines(800))))
    sizes = [sum(batch.tokens for batch in step) for step in steps(corpus, QUICK, 0)]
    assert all(QUICK.step <= size < QUICK.step + QUICK.batch for size in sizes[:-1])
    assert QUICK.step // 2 <= sizes[-1] < 2 * QUICK.step


def test_long_lines_are_cut_between_words_and_nothing_is_lost(tokenizer, tmp_path):
    long = " and ".join(f"the {animal} rest" for animal in ["dog", "cat", "hen", "fox", "cow"] * 4) + " ."
    corpus = read(tokenizer, written(tmp_path / "one" / "a.txt", "\n".join([long, *lines(100)])), longest=16)
    assert np.diff(corpus.ends).max() <= 14
    expected = tokenizer.encode(long, add_special_tokens=False).ids
    assert len(expected) > 70
    assert corpus.ids[: len(expected)].tolist() == expected


def test_lines_with_unknown_or_special_tokens_are_left_out_and_counted(tokenizer, tmp_path):
    text = "\n".join(["the zebra rest .", "the [MASK] rest .", *lines(100)])
    corpus = read(tokenizer, written(tmp_path / "one" / "a.txt", text))
    assert corpus.counts["lines_left_out"] == 2
    assert corpus.ids.min() > 4


def test_packed_files_and_columns_are_read_as_plain_ones(tokenizer, tmp_path):
    plain = read(tokenizer, written(tmp_path / "one" / "a.txt", "\n".join(lines(100))))
    packed = tmp_path / "a.tsv.gz"
    packed.write_bytes(gzip.compress("\n".join(f"{n}\t{line}" for n, line in enumerate(lines(100))).encode()))
    columned = read(tokenizer, packed, field="2")
    assert columned.ids.tolist() == plain.ids.tolist()
    assert columned.held_out == plain.held_out


def test_text_that_leaves_nothing_is_refused(tokenizer, tmp_path):
    with pytest.raises(ValueError, match="give 0 for training and 0 held out"):
        read(tokenizer, written(tmp_path / "one" / "a.txt", "zebra\n"))
    with pytest.raises(SourceError, match="no such file"):
        read(tokenizer, tmp_path / "none.txt")
