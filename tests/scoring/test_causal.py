"""Causal language models, rule by rule (docs/metrics.md). The weights are real."""

from typing import Any

import pytest
import torch

from annotation.tasktypes.contract import Cloze, Sentence, SentenceNumbers, Unscored
from scoring.scorers import ModelError, ModelSpec, open_scorer
from tests.scoring.weights import CAUSAL, MASKED, SENTENCES, folder, needs_weights, scorer, spec_of

pytestmark = [pytest.mark.slow, needs_weights]


def sentence(text):
    [result] = scorer(CAUSAL, "causal").score([Sentence(text)])
    return result


def opened(spec: ModelSpec) -> Any:
    return open_scorer(spec, metric="causal", settings={})


def reason(result):
    assert isinstance(result, Unscored), result
    return result.reason


def one_at_a_time(text, start):
    """The definition: for every token, ask the model for the next one after all that went before."""
    opened = scorer(CAUSAL, "causal")
    model, tokenizer = opened.loaded.model, opened.tokenizer
    before = [tokenizer.get_vocab()[start]]
    total = 0.0
    for token in tokenizer(text, add_special_tokens=False)["input_ids"]:
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([before])).logits[0, -1].double()
        total += (logits[token] - logits.logsumexp(0)).item()
        before.append(token)
    return total


@pytest.mark.parametrize("text", SENTENCES[:6])
def test_l1_the_sum_of_every_token_after_the_start_token(text):
    # The forward passes have other shapes, and float32 kernels differ by about 1e-5 a token between shapes.
    assert sentence(text).logprob == pytest.approx(one_at_a_time(text, "<|endoftext|>"), abs=3e-4)


def test_l1_the_first_token_is_scored_and_the_start_token_is_not():
    numbers = sentence("Wet snow fell.")
    assert [token for token, _ in numbers.tokens] == ["Wet", "Ġsnow", "Ġfell", "."]
    assert numbers.logprob == pytest.approx(sum(logprob for _, logprob in numbers.tokens))


def test_l1_the_start_token_is_the_declared_one():
    other = opened(spec_of(CAUSAL, settings={"start_token": "<|im_start|>"}))
    [changed] = other.score([Sentence("Wet snow fell.")])
    assert abs(changed.logprob - sentence("Wet snow fell.").logprob) > 0.1
    assert other.provenance()["start_token"] == "<|im_start|>"


def test_l2_the_text_is_read_as_written():
    """No space is put before the first word, and one that is there counts."""
    assert [token for token, _ in sentence(" snow").tokens] == ["Ġsnow"]
    assert [token for token, _ in sentence("snow").tokens] == ["snow"]


def test_l2_figures_are_read_digit_by_digit_as_the_model_was_trained():
    assert [token for token, _ in sentence("In 1871").tokens] == ["In", "Ġ", "1", "8", "7", "1"]


@pytest.mark.parametrize("settings", [{}, {"start_token": ""}, {"start_token": "<nonesuch>"}])
def test_l3_a_model_without_a_start_token_is_an_error_of_the_model(settings):
    with pytest.raises(ModelError, match="start token"):
        open_scorer(spec_of(CAUSAL, settings=settings), metric="causal", settings={})


def test_g4_an_empty_text_is_left_unscored():
    assert "empty" in reason(sentence(""))


def test_g5_a_text_longer_than_the_models_positions_is_left_unscored_with_both_lengths():
    text = " snow" * 8192
    assert reason(sentence(text)) == "the text is 8193 tokens with start; the model reads 8192"


def test_g3_a_special_token_written_out_leaves_the_text_unscored():
    assert "<|im_end|>" in reason(sentence("He wrote <|im_end|> on the wall."))


def test_a_slot_is_no_question_for_a_causal_model():
    [result] = scorer(CAUSAL, "causal").score([Cloze("The soup was ____ cold.", ("very",))])
    assert isinstance(result, Unscored)


def test_numbers_come_out_in_the_order_of_the_requests():
    results = scorer(CAUSAL, "causal").score([Sentence(text) for text in reversed(SENTENCES)])
    assert [isinstance(result, SentenceNumbers) for result in results] == [True] * len(SENTENCES)
    for text, result in zip(reversed(SENTENCES), results, strict=True):
        assert result.logprob == pytest.approx(sentence(text).logprob, abs=3e-4)


# --- Loading ----------------------------------------------------------------------------------------


def test_a_model_is_loaded_once_a_process():
    assert scorer(CAUSAL, "causal").loaded is opened(spec_of(CAUSAL)).loaded


def test_changed_weights_are_refused():
    with pytest.raises(ModelError, match="not those that were registered"):
        open_scorer(spec_of(MASKED, file_hash="0" * 64), metric="pll", settings={})


def test_an_unknown_dtype_is_refused_with_those_there_are():
    with pytest.raises(ModelError, match="'int3' is not one of float32"):
        open_scorer(spec_of(MASKED, dtype="int3"), metric="pll", settings={})


def test_a_model_without_the_weights_of_its_family_is_refused():
    """A causal head on a masked model's folder would be drawn at random."""
    with pytest.raises(ModelError):
        open_scorer(
            spec_of(MASKED, scorer="causal", source=folder(MASKED), settings={"start_token": "[NONE]"}),
            metric="causal",
            settings={},
        )
