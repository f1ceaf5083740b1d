"""Which tokens are masked and which are read, metric by metric (docs/metrics.md, P1 to P6)."""

import pytest

from scoring.scorers.masking import Copy, Tokens, copies

# [CLS] un ##friend ##ly cats [SEP]
TEXT = Tokens((101, 11, 12, 13, 14, 102), (None, 0, 0, 0, 1, None))
M = 0


def made(metric, read=(1, 2, 3, 4)):
    return [(copy.ids, copy.reads) for copy in copies(metric, 7, TEXT, read=read, mask=M)]


def test_p1_each_token_alone():
    assert made("pll") == [
        ((101, M, 12, 13, 14, 102), (1,)),
        ((101, 11, M, 13, 14, 102), (2,)),
        ((101, 11, 12, M, 14, 102), (3,)),
        ((101, 11, 12, 13, M, 102), (4,)),
    ]


def test_p2_with_the_later_tokens_of_its_word():
    assert made("pll_within_word_l2r") == [
        ((101, M, M, M, 14, 102), (1,)),
        ((101, 11, M, M, 14, 102), (2,)),
        ((101, 11, 12, M, 14, 102), (3,)),
        ((101, 11, 12, 13, M, 102), (4,)),
    ]


def test_p5_a_whole_word_is_masked_once_and_all_of_it_is_read():
    assert made("pll_whole_word") == [((101, M, M, M, 14, 102), (1, 2, 3)), ((101, 11, 12, 13, M, 102), (4,))]


def test_p6_nothing_that_follows_and_no_end():
    assert made("left_to_right") == [
        ((101, M), (1,)),
        ((101, 11, M), (2,)),
        ((101, 11, 12, M), (3,)),
        ((101, 11, 12, 13, M), (4,)),
    ]


@pytest.mark.parametrize("metric", ["verb", "last_word"])
def test_p7_only_the_places_of_the_word(metric):
    assert made(metric, read=(2, 4)) == [((101, 11, M, 13, 14, 102), (2,)), ((101, 11, 12, 13, M, 102), (4,))]


def test_a_copy_knows_its_request():
    assert next(copies("pll", 7, TEXT, read=(4,), mask=M)) == Copy(7, (101, 11, 12, 13, M, 102), (4,))


def test_a_word_is_a_run():
    """Tokenizers number words anew after a separator."""
    tokens = Tokens((1, 11, 2, 12, 2), (None, 0, None, 0, None))
    assert tokens.of_the_same_word(1) == [1]
    assert tokens.of_the_same_word(3) == [3]
