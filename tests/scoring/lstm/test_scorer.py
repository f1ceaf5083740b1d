"""`lstm`: the sum over words and sentence ends (docs/metrics.md, R6 to R8), against sums by hand."""

import math
import shutil

import pytest
import torch

from annotation.tasktypes.contract import Sentence, SentenceNumbers, Unscored
from scoring.lstm.modelfolder import WEIGHTS, read_model
from scoring.lstm.vocabulary import END, Vocabulary
from scoring.scorers import ModelError, ModelSpec, lstm, open_scorer
from tests.scoring.lstm.small import KNOWN, small_model
from tests.scoring.lstm.test_network import probability, state_by_state

TEXTS = [*KNOWN, "The dog chased the cat.", "the DOG chased  the cat .", "The cat chased the dog. The dog heard."]


def scorer(metric="lstm"):
    folder, file_hash = small_model()
    return open_scorer(ModelSpec("lstm", str(folder), file_hash=file_hash), metric=metric, settings={})


def numbers(text, metric="lstm"):
    [result] = scorer(metric).score([Sentence(text)])
    assert isinstance(result, SentenceNumbers), result
    return result


class FixedNetwork(torch.nn.Module):
    """In place of the network: what comes next hangs on the last word alone, by a table."""

    def __init__(self, table):
        super().__init__()
        self.table = torch.tensor(table, dtype=torch.float64)

    def forward(self, inputs):
        return torch.nn.functional.one_hot(inputs, len(self.table)).double()

    def logprobs(self, states, targets, *, exact):
        assert exact
        return self.table.log()[states.argmax(-1), targets]


def test_r6_the_sum_by_hand():
    """P(a | end) = .5, P(b | a) = .25, P(end | b) = .125: log(.5 · .25 · .125) = −6 log 2."""
    made = scorer()
    table = [[0.1, 0.3, 0.5, 0.1], [0.25] * 4, [0.25, 0.25, 0.25, 0.25], [0.125, 0.125, 0.5, 0.25]]
    vocabulary = Vocabulary((END, "<unk>", "a", "b"))
    made.model = lstm.Model(FixedNetwork(table), vocabulary, "", "")  # type: ignore[arg-type]
    [result] = made.score([Sentence("A b")])
    assert result.tokens == (
        ("a", pytest.approx(math.log(0.5))),
        ("b", pytest.approx(math.log(0.25))),
        (END, pytest.approx(math.log(0.125))),
    )
    assert result.logprob == pytest.approx(-6 * math.log(2))


def test_r6_the_sum_is_that_of_a_loop_word_by_word():
    network, vocabulary = (lambda model: (model.network, model.vocabulary))(read_model(small_model()[0]))
    for text in ("The dog chased the cat.", "Short one."):
        words = [*text.lower().replace(".", " .").split(), END]
        ids = vocabulary.ids(words)
        with torch.inference_mode():
            states = state_by_state_of(network, [0, *ids[:-1]])
            by_hand = [math.log(probability(network, state, one)) for state, one in zip(states, ids, strict=True)]
        found = numbers(text)
        assert [word for word, _ in found.tokens] == words
        assert [logprob for _, logprob in found.tokens] == pytest.approx(by_hand, abs=1e-5)
        assert found.logprob == pytest.approx(sum(by_hand), abs=1e-5)


def state_by_state_of(network, ids):
    return list(state_by_state(network, ids))


def test_r2_case_and_spaces_do_not_matter():
    assert numbers(TEXTS[-3]) == numbers(TEXTS[-2])


def test_r7_a_text_of_two_sentences_is_one_text_with_two_ends():
    both = numbers("The cat chased the dog. The dog heard.")
    first, second = numbers("The cat chased the dog."), numbers("The dog heard.")
    assert [word for word, _ in both.tokens].count(END) == 2
    assert both.tokens[: len(first.tokens)] == pytest.approx(first.tokens) or both.tokens[0][0] == first.tokens[0][0]
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
    assert scorer().score([Sentence(text)]) == [Unscored("the text is empty for this model: it has no words")]


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
        open_scorer(ModelSpec("lstm", str(tmp_path / "model"), file_hash=small_model()[1]), metric="lstm", settings={})


def test_provenance_says_what_it_takes_to_get_the_same_numbers():
    told = scorer().provenance()
    assert told["weights_sha256"] == small_model()[1]
    assert {"vocabulary_sha256", "words", "shape", "device", "threads", "torch"} <= told.keys()
