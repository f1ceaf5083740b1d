"""Masks: BERT's rule, by the seed and the step, and for ever the same on held-out text."""

from dataclasses import replace

import numpy as np
import pytest

from tests.training.masked.tiny import SPECIAL, WORDS, write_encoder
from training.masked.batches import for_judging, for_training, hidden_in
from training.masked.reading import Vocabulary, plain_tokenizer

ROWS = np.arange(5, 25).reshape(2, 10)


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory):
    return Vocabulary.of(plain_tokenizer(write_encoder(tmp_path_factory.mktemp("encoder"))))


def test_the_vocabulary_knows_what_is_text(vocabulary):
    assert (vocabulary.start, vocabulary.end, vocabulary.mask) == (2, 3, 4)
    assert vocabulary.ordinary.tolist() == list(range(len(SPECIAL), len(SPECIAL) + len(WORDS)))


@pytest.mark.parametrize(("length", "hidden"), [(1, 1), (3, 1), (10, 2), (20, 3), (126, 19)])
def test_fifteen_percent_are_hidden_and_one_at_least(length, hidden):
    assert hidden_in(length) == hidden


def test_a_training_may_hide_more(vocabulary):
    assert for_training(ROWS, vocabulary, seed=1, step=0, batch=0, share=0.4).places.shape == (2, 4)
    assert for_judging([tuple(range(5, 25))], vocabulary).places.shape == (1, 3)


def test_the_same_seed_step_and_batch_give_the_same_masks(vocabulary):
    def masks(seed, step, batch):
        masked = for_training(ROWS, vocabulary, seed=seed, step=step, batch=batch)
        return masked.ids.tolist(), masked.places.tolist()

    assert masks(1, 7, 0) == masks(1, 7, 0)
    assert len({str(masks(*key)) for key in [(1, 7, 0), (2, 7, 0), (1, 8, 0), (1, 7, 1)]}) == 4


def test_what_is_drawn_is_written_down_so_that_another_version_of_numpy_shows(vocabulary):
    masked = for_training(ROWS, vocabulary, seed=1, step=0, batch=0)
    assert masked.places.shape == (2, 2)
    assert masked.wanted.tolist() == np.take_along_axis(ROWS, masked.places - 1, axis=1).tolist()


def test_all_tokens_of_a_word_are_hidden_together(vocabulary):
    """Words of three tokens: 9 begins one, 10 goes on. Four of twelve are hidden: a word, and the first of another."""
    goes_on = np.isin(np.arange(40), [10])
    rows = np.tile([9, 10, 10], (500, 4))
    masked = for_training(rows, replace(vocabulary, goes_on=goes_on), seed=1, step=0, batch=0, share=1 / 3, words=True)
    hidden = np.zeros(rows.shape, dtype=bool)
    np.put_along_axis(hidden, masked.places - 1, True, axis=1)
    of_words = np.sort(hidden.reshape(500, 4, 3).sum(axis=2), axis=1)
    assert (of_words == [0, 0, 1, 3]).all()
    assert hidden.reshape(500, 4, 3)[:, :, 0].any(axis=0).all()
    apart = for_training(rows, replace(vocabulary, goes_on=goes_on), seed=1, step=0, batch=0, share=1 / 3)
    assert not (apart.places == masked.places).all()


def test_of_the_hidden_80_percent_are_masked_10_replaced_10_kept(vocabulary):
    rows = np.full((4000, 20), 9)
    masked = for_training(rows, vocabulary, seed=3, step=0, batch=0)
    read = np.take_along_axis(masked.ids, masked.places, axis=1)
    assert (masked.ids[:, 0] == 2).all()
    assert (masked.ids[:, -1] == 3).all()
    assert np.isclose((read == 4).mean(), 0.8, atol=0.02)
    # A word drawn in another's place may be the same by chance.
    assert np.isclose((read == 9).mean(), 0.1 + 0.1 / len(WORDS), atol=0.02)
    assert set(np.unique(read).tolist()) <= {4, *vocabulary.ordinary.tolist()}
    # What is not hidden stays.
    assert (masked.ids[:, 1:-1] == 9).sum() >= 4000 * 17


def test_every_place_is_as_likely(vocabulary):
    masked = for_training(np.full((4000, 10), 9), vocabulary, seed=3, step=0, batch=0)
    shares = np.bincount((masked.places - 1).ravel(), minlength=10) / 4000
    assert np.allclose(shares, 0.2, atol=0.03)
    assert (np.diff(masked.places, axis=1) > 0).all()


def test_held_out_masks_hang_on_the_piece_alone(vocabulary):
    one, other = tuple(range(5, 15)), tuple(range(6, 16))
    together = for_judging([one, other], vocabulary)
    alone = for_judging([other], vocabulary)
    assert together.ids[1].tolist() == alone.ids[0].tolist()
    assert together.places[1].tolist() == alone.places[0].tolist()
    read = np.take_along_axis(together.ids, together.places, axis=1)
    assert (read == vocabulary.mask).all()
    assert (together.ids == vocabulary.mask).sum() == 4
