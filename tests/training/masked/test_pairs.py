"""Pairs: the file that was written for the purpose, how a pair is asked, and who wins."""

from collections import Counter
from pathlib import Path

import pytest
import torch
from django.conf import settings
from tokenizers import Tokenizer, models, pre_tokenizers

from tests.shared_data import shared
from tests.training.masked.tiny import SPECIAL, WORDS, write_encoder
from training.masked.judging import OWN, Pair, judge, judge_pairs, read_marvin_linzen, read_pairs, slotted
from training.masked.network import with_new_head
from training.masked.reading import Vocabulary, plain_tokenizer

VOCABULARY = Path(settings.BASE_DIR) / "var" / "models" / "minilm-l6"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = write_encoder(tmp_path_factory.mktemp("encoder"))
    tokenizer = plain_tokenizer(folder)
    size = len(SPECIAL) + len(WORDS)
    return with_new_head(folder, seed=1, counts=torch.arange(size).numpy()), tokenizer, Vocabulary.of(tokenizer)


def test_there_are_forty_pairs_of_many_kinds_and_none_twice():
    pairs = read_pairs(OWN)
    assert len(pairs) == 40
    assert len({pair.good for pair in pairs} | {pair.bad for pair in pairs}) == 80
    kinds = Counter(pair.phenomenon for pair in pairs)
    assert len(kinds) >= 12
    assert max(kinds.values()) <= 5


@pytest.mark.skipif(not (VOCABULARY / "tokenizer.json").exists(), reason="the packaged encoder is not there")
def test_each_differs_in_one_word_that_is_one_token_of_berts():
    tokenizer = plain_tokenizer(VOCABULARY)
    for pair in read_pairs(OWN):
        found = slotted(pair, tokenizer)
        assert not isinstance(found, str), f"{pair}: {found}"
        differing = sum(a != b for a, b in zip(pair.good.split(), pair.bad.split(), strict=True))
        assert differing == 1, pair


def test_the_word_that_the_model_prefers_wins_by_hand(tiny):
    model, tokenizer, vocabulary = tiny
    bias, dog, cat = model.cls.predictions.bias, *(tokenizer.token_to_id(word) for word in ("dog", "cat"))
    before = bias.detach().clone()
    pair = Pair("animals", "the dog sees a hen .", "the cat sees a hen .")
    with torch.no_grad():
        bias[dog] += 50
    assert judge_pairs(model, [pair], tokenizer, vocabulary).right == {"animals": 1}
    with torch.no_grad():
        bias[cat] += 100
    lost = judge_pairs(model, [pair], tokenizer, vocabulary)
    assert (lost.right, lost.asked, lost.wrong) == ({}, {"animals": 1}, (f"{pair.good} / {pair.bad}",))
    with torch.no_grad():
        bias.copy_(before)


def test_what_cannot_be_asked_is_left_out_with_the_reason(tiny):
    model, tokenizer, vocabulary = tiny
    pairs = [
        Pair("x", "the zebra rest .", "the dog rest ."),
        Pair("x", "the dog rest .", "the cat sees ."),
        Pair("x", "the dog rest .", "the dog rest and rest ."),
    ]
    judged = judge_pairs(model, pairs, tokenizer, vocabulary)
    assert judged.asked == {}
    reasons = [slotted(pair, tokenizer) for pair in pairs]
    assert reasons == [
        "they differ in a word that is not in the vocabulary",
        "they differ in 2 tokens",
        "they differ in a word of more than one token",
    ]


def test_held_out_shares_by_hand(tiny):
    """A model that always says the same: found first where that is the word, among five by the order of the bias."""
    model, _, vocabulary = tiny
    kept = {name: weight.detach().clone() for name, weight in model.state_dict().items()}
    with torch.no_grad():
        # The transform gives 0, so that the bias alone speaks.
        model.cls.predictions.transform.LayerNorm.weight.zero_()
        bias = model.cls.predictions.bias
        bias.copy_(-torch.arange(len(bias)).float())
    # Tokens 0 to 4 are ahead of all that text has; of 5 places none is first, and only token 4 would be among five.
    judged = judge(model, [tuple(range(5, 10))], vocabulary)
    assert (judged.places, judged.top_1, judged.top_5) == (1, 0.0, 0.0)
    with torch.no_grad():
        bias[5:10] += 100
    judged = judge(model, [tuple(range(5, 10))], vocabulary)
    assert judged.top_5 == 1.0
    with torch.no_grad():
        bias.zero_()
    judged = judge(model, [tuple(range(5, 10)), tuple(range(7, 27))], vocabulary)
    assert judged.places == 4
    assert judged.loss == pytest.approx(float(torch.log(torch.tensor(float(len(bias))))), abs=1e-5)
    model.load_state_dict(kept)


def test_marvin_and_linzens_lines_get_their_point(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("simple_agrmt\tsing\tthe author laughs\tthe author laugh\n")
    assert read_marvin_linzen(path) == [Pair("simple_agrmt", "the author laughs .", "the author laugh .")]
    path.write_text("simple_agrmt\tthe author laughs\n")
    with pytest.raises(ValueError, match="line 1 is not case, template, good and bad"):
        read_marvin_linzen(path)


@pytest.mark.skipif(not (VOCABULARY / "tokenizer.json").exists(), reason="the packaged encoder is not there")
def test_of_their_140_pairs_120_can_be_asked():
    tokenizer = plain_tokenizer(VOCABULARY)
    pairs = read_marvin_linzen(shared("marvin_linzen/simple_agrmt.tsv"))
    assert len(pairs) == 140
    assert sum(not isinstance(slotted(pair, tokenizer), str) for pair in pairs) == 120


def test_a_file_of_pairs_names_its_faults(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("a\tb\tc\na\tb\na\t \tc\n")
    with pytest.raises(ValueError, match=r"line 2 is not .*; line 3 is not"):
        read_pairs(path)


def test_words_of_more_than_one_token_are_seen():
    made = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1, "b": 2, "##c": 3, ".": 4}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    assert slotted(Pair("x", "a b .", "a bc ."), made) == "they differ in a word of more than one token"
