"""From a corpus to prepared text: what is held out, what is known, and that the same text gives the same bytes."""

import gzip
import json

import numpy as np
import pytest

from corpus.errors import BuildError, SourceError
from scoring.scorers.lstm_model.vocabulary import END, UNKNOWN, sentences_of
from tests.training.lstm.small import prepared, text
from training.lstm import training
from training.lstm.preparing import (
    ABOUT,
    FILES,
    LONGEST,
    STRETCH,
    PreparedError,
    Reading,
    is_held_out,
    prepare,
    read_prepared,
    stretches,
)


def lines_of(texts, vocabulary):
    """The texts as words."""
    return [
        " ".join(vocabulary.words[token] for token in texts.tokens[texts.starts[row] : texts.starts[row + 1]])
        for row in range(len(texts))
    ]


def quiet(line):
    pass


def test_r4_held_out_lines_are_never_trained_on_even_if_they_stand_twice(tmp_path):
    twice = text() + text().lower()
    made = prepared(tmp_path, written=twice, heldout=0.2, least=1)
    training, heldout = (set(lines_of(part, made.vocabulary)) for part in (made.training, made.heldout))
    expected: dict[str, set[str]] = {"training": set(), "heldout": set()}
    for line in twice.splitlines():
        words = sentences_of(line)
        expected["heldout" if is_held_out(words, 0.2) else "training"].add(json.dumps(words))
    assert expected["heldout"] and not expected["training"] & expected["heldout"]
    # The grammar's lines: no text of one side is a text of the other.
    assert not {line for line in heldout if UNKNOWN not in line} & training
    lines = made.about["counts"]["lines"]
    assert 0.1 < len(made.heldout) / lines < 0.35


def test_the_numbers_are_the_lines_of_the_corpus(tmp_path):
    made = prepared(tmp_path, least=1)
    expected = {
        " ".join(word for sentence in sentences_of(line) for word in (*sentence, END)): is_held_out(
            sentences_of(line), 0.1
        )
        for line in text().splitlines()
    }
    found = set(lines_of(made.training, made.vocabulary))
    assert found == {line for line, is_out in expected.items() if not is_out}
    # What only held-out lines have is unknown, and stands as such.
    heldout = set(lines_of(made.heldout, made.vocabulary))
    known = {line for line, is_out in expected.items() if is_out and set(line.split()) <= {*made.vocabulary.words}}
    assert known and known == {line for line in heldout if UNKNOWN not in line}


def test_r3_only_training_lines_are_counted(tmp_path):
    made = prepared(tmp_path, heldout=0.3, least=1)
    known = set(made.vocabulary.words[2:])
    training = {word for line in lines_of(made.training, made.vocabulary) for word in line.split()} - {END, UNKNOWN}
    assert known == training


def test_the_same_text_gives_the_same_bytes_packed_or_not_and_once_only(tmp_path):
    one = prepared(tmp_path / "one")
    (tmp_path / "two").mkdir()
    packed = tmp_path / "two" / "corpus.txt.gz"
    packed.write_bytes(gzip.compress(text().encode()))
    copy = tmp_path / "two" / "copy.txt.gz"
    copy.write_bytes(packed.read_bytes())
    two = prepare([packed, copy], Reading(heldout=0.1), tmp_path / "two" / "prepared", say=quiet)
    assert [one.about["files"][name] for name in FILES] == [two.about["files"][name] for name in FILES]
    assert len(two.about["sources"]) == 1


def test_a_column_of_a_table_is_read(tmp_path):
    table = tmp_path / "table.tsv"
    table.write_text("".join(f"{number}\t{line}\n" for number, line in enumerate(text().splitlines())))
    made = prepare([table], Reading(field="2", heldout=0.1), tmp_path / "p", say=quiet)
    assert "dog" in made.vocabulary.index
    with pytest.raises(SourceError, match="has no column '3'"):
        prepare([table], Reading(field="3"), tmp_path / "q", say=quiet)
    with pytest.raises(PreparedError):
        read_prepared(tmp_path / "q")


def test_r5_stretches_are_whole_sentences_up_to_their_length():
    found = list(stretches([[5] * 60, [6] * 38, [7], [8] * (STRETCH + 30)]))
    assert [len(one) for one in found] == [61 + 39, 2, STRETCH + 31]
    assert found[0] == [5] * 60 + [0] + [6] * 38 + [0]
    assert list(stretches([])) == []


def test_r5_a_sentence_that_is_too_long_is_left_out_and_counted(tmp_path):
    made = prepared(tmp_path, written=text() + "so " * (LONGEST + 1) + "\n", least=1)
    assert made.about["counts"]["sentences_too_long"] == 1
    assert "so" not in made.vocabulary.index


@pytest.mark.parametrize("written", ["", "\n \n", "One line only.\n"])
def test_too_little_text_is_said(tmp_path, written):
    with pytest.raises(BuildError, match="too little text"):
        prepared(tmp_path, written=written)


@pytest.mark.parametrize("name", [*FILES, ABOUT])
def test_damaged_text_is_refused(tmp_path, name):
    prepared(tmp_path)
    path = tmp_path / "prepared" / name
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(PreparedError):
        read_prepared(tmp_path / "prepared")
    path.unlink()
    with pytest.raises(PreparedError):
        read_prepared(tmp_path / "prepared")


def test_every_text_once_a_pass_in_an_order_of_the_seed(tmp_path):
    texts = prepared(tmp_path).training
    lengths = np.diff(texts.starts)
    which = ((1, 0), (1, 1), (2, 0))
    passes = [list(training.shuffled(texts, seed=seed, epoch=epoch, budget=60)) for seed, epoch in which]
    for groups in [*passes, list(training.by_length(texts, budget=60))]:
        assert sorted(np.concatenate(groups)) == list(range(len(texts)))
        assert all(len(rows) * lengths[rows].max() <= 60 or len(rows) == 1 for rows in groups)
    told = [np.concatenate(groups).tolist() for groups in passes]
    assert told[0] != told[1] != told[2] != told[0]
    again = training.shuffled(texts, seed=1, epoch=0, budget=60)
    assert np.concatenate(list(again)).tolist() == told[0]


def test_a_text_begins_after_an_end_and_a_filled_place_predicts_nothing(tmp_path):
    texts = prepared(tmp_path).training
    lengths = np.diff(texts.starts)
    rows = np.array([int(lengths.argmin()), int(lengths.argmax())])
    inputs, targets = training.filled(texts, rows)
    for number, row in enumerate(rows):
        tokens = texts.tokens[texts.starts[row] : texts.starts[row + 1]].tolist()
        assert targets[number].tolist() == tokens + [training.NOTHING] * (targets.shape[1] - len(tokens))
        assert inputs[number, : len(tokens)].tolist() == [0, *tokens[:-1]]
