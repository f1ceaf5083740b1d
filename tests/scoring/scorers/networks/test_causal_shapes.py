"""Causal models with tokenizers and bodies that the packaged one has not: two ends, unknown words, no cache."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from annotation.tasktypes.contract import Region, Sentence, SentenceNumbers, Unscored
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from tests.scoring.scorers.little.causal import LLAMA, WORDS, written

TEXT = "The old dog slept near the door ."


def opened(folder: Path, metric: str, *, start: str = "<s>") -> Any:
    return open_scorer(ModelSpec("causal", str(folder), settings={"start_token": start}), metric=metric, settings={})


@pytest.mark.parametrize(
    ("start", "end"),
    [
        # The tokenizer's own pair of two, and a declared token that is none of the pair.
        ("<s>", "</s>"),
        ("<sep>", "<sep>"),
    ],
)
def test_l6_the_text_stands_between_the_start_and_the_end_of_a_pair(tmp_path, start, end):
    scorer = opened(written(tmp_path, transformers.LlamaConfig(**LLAMA)), "causal_published", start=start)
    ids = torch.tensor([[WORDS.index(word) for word in [start, *TEXT.split(), end]]])
    with torch.inference_mode():
        loss = scorer.loaded.model(input_ids=ids, labels=ids).loss.item()
    [numbers] = scorer.score([Sentence(TEXT)])
    assert [token for token, _ in numbers.tokens] == [*TEXT.split(), end]
    assert numbers.logprob == pytest.approx(-loss * ids.shape[1], abs=1e-4)
    told = scorer.provenance()
    assert (told["start_token"], told["end_token"]) == (start, end)


def test_l6_a_token_that_is_both_stands_at_both_ends(tmp_path):
    folder = written(tmp_path, transformers.LlamaConfig(**LLAMA), begins="<s>", ends="<s>")
    [numbers] = opened(folder, "causal_published").score([Sentence(TEXT)])
    assert numbers.tokens[-1][0] == "<s>"


@pytest.mark.parametrize("metric", ["causal", "continuation", "causal_published"])
def test_l8_a_word_that_the_vocabulary_lacks_leaves_the_text_unscored(tmp_path, metric):
    scorer = opened(written(tmp_path, transformers.LlamaConfig(**LLAMA)), metric)
    texts = ["The snowy dog slept .", "The old dog slept ."]
    asked = [Sentence(text, (Region("continuation", text.index("slept"), len(text)),)) for text in texts]
    snowy, old = scorer.score(asked)
    assert snowy == Unscored("'snowy' is not in the model's vocabulary")
    assert isinstance(old, SentenceNumbers)


@pytest.mark.parametrize(
    "config",
    [
        transformers.MambaConfig(vocab_size=len(WORDS), hidden_size=24, num_hidden_layers=2, state_size=4),
        transformers.RwkvConfig(vocab_size=len(WORDS), hidden_size=24, num_hidden_layers=2, attention_hidden_size=24),
    ],
    ids=["mamba", "rwkv"],
)
def test_l7_a_model_without_keys_and_values_takes_its_own_forward_pass_and_says_so(tmp_path, config):
    scorer = opened(written(tmp_path, config), "causal")
    texts = [TEXT, "The old dog slept near the dog .", "The door ."]
    assert scorer.provenance()["computed"] == "the model's own forward pass"
    for text, numbers in zip(texts, scorer.score([Sentence(text) for text in texts]), strict=True):
        ids = torch.tensor([[WORDS.index(word) for word in ["<s>", *text.split()]]])
        with torch.inference_mode():
            logprobs = scorer.loaded.model(input_ids=ids).logits[0].double().log_softmax(-1)
        expected = [logprobs[place, token].item() for place, token in enumerate(ids[0, 1:].tolist())]
        assert [value for _, value in numbers.tokens] == pytest.approx(expected, abs=1e-5)
