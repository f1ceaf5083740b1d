"""Ranks in a vocabulary whose matrix is wider than its words (docs/metrics.md, C2). A little model."""

import pytest
import torch
import transformers

from annotation.tasktypes.contract import Cloze
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from tests.scoring.library.little_models import SIZE, SPECIAL, WORDS, write_model

KNOWN = len(dict.fromkeys([*SPECIAL, *WORDS]))


@pytest.fixture(scope="module")
def scorer(tmp_path_factory):
    torch.manual_seed(0)
    model = transformers.BertForMaskedLM(transformers.BertConfig(**SIZE))
    with torch.no_grad():
        # Rows without a word lie above all others.
        model.cls.predictions.bias[KNOWN:] = 9.0
    folder = write_model(tmp_path_factory.mktemp("padded"), model)
    return open_scorer(ModelSpec("masked", str(folder)), metric="cloze", settings={})


def test_c2_ranks_and_the_most_probable_words_are_among_rows_that_have_a_word(scorer):
    [numbers] = scorer.score([Cloze("The old ____ slept near us.", ("dog", "door", "top"))])
    assert all(1 <= rank <= KNOWN for rank in numbers.ranks)
    assert len(numbers.top) == 10
    # `<s>` is a word of this tokenizer, which declares the others to be special.
    assert {word for word, _ in numbers.top} <= {"<s>", *WORDS}
    assert max(logprob for _, logprob in numbers.top) < -2


def test_c2_rows_without_a_word_are_counted(scorer):
    assert scorer.provenance()["rows_without_a_word"] == SIZE["vocab_size"] - KNOWN > 0
