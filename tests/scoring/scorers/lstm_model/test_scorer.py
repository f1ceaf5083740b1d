"""`lstm`: the sum over words and sentence ends (docs/metrics.md, R6 to R8), against sums by hand."""

import math
import shutil

import pytest
import torch

from annotation.tasktypes.contract import Sentence, SentenceNumbers, Unscored
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.lstm_model import scorer as lstm
from scoring.scorers.lstm_model.folder import WEIGHTS, Model, Network, Shape, read_model
from scoring.scorers.lstm_model.vocabulary import END, Vocabulary
from tests.scoring.scorers.lstm_model.by_hand import probability, state_by_state
from tests.training.lstm.small import KNOWN, SMALL, small_model

TEXTS = [*KNOWN, "The dog chased the cat.", "the DOG chased  the cat .", "The cat chased the dog. The dog heard."]


def scorer(metric="lstm"):
    folder, weights_hash = small_model()
    return open_scorer(ModelSpec("lstm", str(folder), files={WEIGHTS: weights_hash}), metric=metric, settings={})


def numbers(text, metric="lstm"):
    [result] = scorer(metric).score([Sentence(text)])
    assert isinstance(result, SentenceNumbers), result
    return result


@pytest.mark.parametrize("cutoffs", [(), (3,)])
def test_r6_the_sum_by_hand(cutoffs):
    """Where all weights are 0, the states are, and only the biases are left, here the logs of .125, .125, .5 and .25.

    log P(a) + log P(b) + log P(end) = log(.5 · .25 · .125) = −6 log 2. With b in a part of its own, the part's bias is
    log .25 and P(b | part) is 1, whatever its own bias.
    """
    network = Network(Shape(vocabulary=4, size=2, layers=2, cutoffs=cutoffs))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        network.bias.copy_(torch.tensor([0.125, 0.125, 0.5, 0.25]).log())
        network.part_bias.fill_(math.log(0.25))
    made = scorer()
    made.model = Model(network, Vocabulary((END, "<unk>", "a", "b")), "", "")
    [result] = made.score([Sentence("A b")])
    assert [word for word, _ in result.tokens] == ["a", "b", END]
    logs = [math.log(0.5), math.log(0.25), math.log(0.125)]
    assert [logprob for _, logprob in result.tokens] == pytest.approx(logs, abs=1e-7)
    assert result.logprob == pytest.approx(-6 * math.log(2), abs=1e-7)


def test_r6_the_sum_is_that_of_a_loop_word_by_word():
    model = read_model(small_model()[0])
    for text in ("The dog chased the cat.", "Short one."):
        words = [*text.lower().replace(".", " .").split(), END]
        ids = model.vocabulary.ids(words)
        with torch.inference_mode():
            loop = state_by_state(model.network, [0, *ids[:-1]])
            by_hand = [math.log(probability(model.network, state, one)) for state, one in zip(loop, ids, strict=True)]
        found = numbers(text)
        assert [word for word, _ in found.tokens] == words
        assert [logprob for _, logprob in found.tokens] == pytest.approx(by_hand, abs=1e-5)
        assert found.logprob == pytest.approx(sum(by_hand), abs=1e-5)


def test_r2_case_and_spaces_do_not_matter():
    assert numbers(TEXTS[-3]) == numbers(TEXTS[-2])


def test_r7_a_text_of_two_sentences_is_one_text_with_two_ends():
    both = numbers("The cat chased the dog. The dog heard.")
    first, second = numbers("The cat chased the dog."), numbers("The dog heard.")
    assert [word for word, _ in both.tokens].count(END) == 2
    firsts = [logprob for _, logprob in both.tokens[: len(first.tokens)]]
    assert firsts == pytest.approx([logprob for _, logprob in first.tokens], abs=1e-5)
    # What was said before is known to the second sentence.
    assert both.tokens[len(first.tokens)][1] != pytest.approx(second.tokens[0][1], abs=1e-5)


@pytest.mark.parametrize("metric", ["lstm", "lstm_unk"])
def test_a_text_alone_has_the_numbers_that_it_has_among_others(metric):
    made = scorer(metric)
    together = made.score([Sentence(text) for text in TEXTS * 3])
    for text, result in zip(TEXTS * 3, together, strict=True):
        [alone] = made.score([Sentence(text)])
        assert [logprob for _, logprob in result.tokens] == pytest.approx([lp for _, lp in alone.tokens], abs=1e-5)
        assert result.logprob == pytest.approx(sum(logprob for _, logprob in result.tokens), abs=1e-12)


def test_r8_words_that_the_model_does_not_know_leave_a_text_unscored_by_name():
    [one] = scorer().score([Sentence("The zebra chased the cat.")])
    assert one == Unscored("'zebra' is not in the model's vocabulary")
    [two] = scorer().score([Sentence("The zebra chased the okapi and the zebra.")])
    assert two == Unscored("'zebra', 'okapi' are not in the model's vocabulary")


def test_r8_as_published_they_are_the_unknown_word_and_marked():
    found = numbers("The zebra chased the cat.", "lstm_unk")
    assert found.tokens[1][0] == "zebra (<unk>)"
    other = numbers("The okapi chased the cat.", "lstm_unk")
    assert other.logprob == found.logprob
    # Where all words are known, the two metrics are the same.
    assert numbers(TEXTS[0], "lstm_unk") == numbers(TEXTS[0])


def test_g3_a_special_word_that_is_written_out_is_read_as_its_marks():
    [found] = scorer("lstm_unk").score([Sentence("the cat </s> <unk>")])
    assert [word for word, _ in found.tokens][2:6] == ["< (<unk>)", "/ (<unk>)", "s (<unk>)", "> (<unk>)"]


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_g4_a_text_without_words_is_left_unscored(text):
    assert scorer().score([Sentence(text)]) == [Unscored("the text has no words for this model")]


def test_a_long_text_is_scored():
    text = "The dog chased the cat. " * 1000
    found = numbers(text)
    assert len(found.tokens) == 7000
    assert math.isfinite(found.logprob)


def test_the_model_is_opened_once_a_process(monkeypatch):
    scorer()
    monkeypatch.setattr(lstm, "read_model", lambda *arguments: pytest.fail("read again"))
    assert scorer("lstm_unk").model is scorer().model


def test_a_damaged_folder_ends_the_run(tmp_path):
    shutil.copytree(small_model()[0], tmp_path / "model")
    weights = tmp_path / "model" / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-8] + bytes(8))
    with pytest.raises(ModelError, match="not those that were registered"):
        spec = ModelSpec("lstm", str(tmp_path / "model"), files={WEIGHTS: small_model()[1]})
        open_scorer(spec, metric="lstm", settings={})


def test_provenance_says_what_it_takes_to_get_the_same_numbers():
    told = scorer().provenance()
    assert told["files_sha256"] == read_model(small_model()[0]).files
    assert {"words", "shape", "device", "threads", "torch"} <= told.keys()
    assert [one["name"] for one in told["trained_on"]] == ["corpus.txt"]
    assert told["trained_with"]["steps"] == SMALL.steps
