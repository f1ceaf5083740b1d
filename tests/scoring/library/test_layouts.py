"""The layouts that models are published in: each is registered, and scored as plain loops score it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from annotation.tasktypes.contract import Cloze, ClozeNumbers, Sentence, SentenceNumbers
from corpus.provenance import sha256
from scoring.models import LanguageModel
from scoring.scorers import open_scorer
from tests.scoring.library.layouts import (
    ALBERT_PIECES,
    GEMMA_PIECES,
    LLAMA_PIECES,
    TEXT,
    Written,
    bert_as_published,
    bert_in_pickles,
    deberta_1,
    deberta_2,
    gpt2,
    gptj,
    neox,
    of_bert,
    of_bytes,
    of_pieces,
    qwen2,
    roberta,
)
from tests.scoring.library.little_models import add

pytestmark = pytest.mark.django_db
SLOT = "The old ____ slept near the door."


@pytest.fixture(autouse=True)
def own_models(tmp_path, settings):
    settings.MODELS_DIR = tmp_path / "models"


PACKED = [pytest.mark.slow]
MASKED: dict[str, tuple[Callable[[Path], Written], list[Any]]] = {
    "BERT, cased, vocab.txt alone": (of_bert, []),
    "BERT, uncased, vocab.txt alone": (lambda folder: of_bert(folder, cased=False), []),
    "BERT as published: gamma and beta, pooler, next sentence": (bert_as_published, []),
    "BERT, pickled in three parts": (bert_in_pickles, PACKED),
    "ELECTRA's generator, vocab.txt": (lambda folder: of_bert(folder, cased=False, kind="Electra"), []),
    "RoBERTa, tokenizer.json": (lambda folder: roberta(folder, as_json=True), []),
    "RoBERTa, vocab.json and merges.txt alone": (roberta, []),
    "DeBERTa 1, vocab.json and merges.txt alone": (deberta_1, []),
    "DeBERTa 1 as published: pickled, its own head": (lambda folder: deberta_1(folder, published=True), PACKED),
    "DeBERTa 2, spm.model": (deberta_2, []),
    "DeBERTa 3 as published: pickled, spm.model, its own heads": (
        lambda folder: deberta_2(folder, published=True),
        PACKED,
    ),
    "XLM-RoBERTa, sentencepiece.bpe.model": (
        lambda folder: of_pieces(folder, "XLMRoberta", "sentencepiece.bpe.model", rows=2, around=(0, 2), moved=1),
        [],
    ),
    "CamemBERT, sentencepiece.bpe.model": (
        lambda folder: of_pieces(folder, "Camembert", "sentencepiece.bpe.model", rows=5, around=(5, 6), moved=4),
        [],
    ),
    "ALBERT, spiece.model": (
        lambda folder: of_pieces(folder, "Albert", "spiece.model", around=(2, 3), **ALBERT_PIECES),
        [],
    ),
}
CAUSAL: dict[str, tuple[Callable[[Path], Written], str, list[Any]]] = {
    "GPT-2, vocab.json and merges.txt": (lambda folder: of_bytes(folder, gpt2), "<|endoftext|>", []),
    "GPT-2, in several files with an index": (
        lambda folder: of_bytes(folder, gpt2, max_shard_size="30KB"),
        "<|endoftext|>",
        [],
    ),
    "GPT-2, pickled, with old buffers": (
        lambda folder: of_bytes(
            folder, gpt2, in_pickles=True, more={"transformer.h.0.attn.bias": torch.ones(1, 1, 64, 64).tril().bool()}
        ),
        "<|endoftext|>",
        PACKED,
    ),
    "GPT-J as published: pickled, float16": (
        lambda folder: of_bytes(folder, gptj, in_pickles=True, dtype=torch.float16),
        "<|endoftext|>",
        PACKED,
    ),
    "GPT-NeoX, tokenizer.json that lower-cases": (
        lambda folder: of_bytes(folder, neox, as_json=True, lower=True),
        "<|endoftext|>",
        [],
    ),
    "Qwen2, tokenizer.json that lower-cases": (
        lambda folder: of_bytes(folder, qwen2, as_json=True, lower=True),
        "<|endoftext|>",
        [],
    ),
    "Llama, tokenizer.model": (
        lambda folder: of_pieces(folder, "Llama", "tokenizer.model", head="CausalLM", **LLAMA_PIECES),
        "<s>",
        [],
    ),
    "Mistral, tokenizer.model": (
        lambda folder: of_pieces(folder, "Mistral", "tokenizer.model", head="CausalLM", **LLAMA_PIECES),
        "<s>",
        [],
    ),
    "Gemma, tokenizer.model": (
        lambda folder: of_pieces(folder, "Gemma", "tokenizer.model", head="CausalLM", **GEMMA_PIECES),
        "<bos>",
        [],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "write", [pytest.param(write, id=name, marks=marks) for name, (write, marks) in MASKED.items()]
)
def test_a_masked_model_is_scored_as_plain_loops_score_it(tmp_path, write):
    written = write(tmp_path / "model")
    add("mine", tmp_path / "model")
    row = LanguageModel.objects.get()
    [numbers] = open_scorer(row.spec, metric="pll", settings={}).score([Sentence(TEXT)])
    assert isinstance(numbers, SentenceNumbers), numbers
    scorer: Any = open_scorer(row.spec, metric="cloze", settings={})
    ids, mask = written.ids(TEXT), scorer.tokenizer.mask_token_id
    expected = []
    for place in range(1, len(ids) - 1):
        masked = [*ids[:place], mask, *ids[place + 1 :]]
        with torch.no_grad():
            expected.append(
                written.model(input_ids=torch.tensor([masked])).logits[0, place].log_softmax(-1)[ids[place]].item()
            )
    assert [value for _, value in numbers.tokens] == pytest.approx(expected, abs=1e-4)
    [cloze] = scorer.score([Cloze(SLOT, ("dog",))])
    if ids.count(ids[1]) and len(numbers.tokens) == 8:
        # Where every word is one token, the word at the slot is that token.
        assert isinstance(cloze, ClozeNumbers), cloze
        assert cloze.logprobs[0] == pytest.approx(expected[2], abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("write", "start"),
    [pytest.param(write, start, id=name, marks=marks) for name, (write, start, marks) in CAUSAL.items()],
)
def test_a_causal_model_is_scored_as_plain_loops_score_it(tmp_path, write, start):
    written = write(tmp_path / "model")
    add("mine", tmp_path / "model", "causal", start_token=start)
    scorer: Any = open_scorer(LanguageModel.objects.get().spec, metric="causal", settings={})
    [numbers] = scorer.score([Sentence(TEXT)])
    ids = [scorer.start_id, *written.ids(TEXT)]
    with torch.no_grad():
        logprobs = written.model(input_ids=torch.tensor([ids])).logits[0].log_softmax(-1)
    expected = [logprobs[place, token].item() for place, token in enumerate(ids[1:])]
    assert [value for _, value in numbers.tokens] == pytest.approx(expected, abs=1e-4)


# --- Pickled weights, once ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("begun_as_the_program_does")
def test_pickled_weights_are_converted_once_and_both_hashes_are_kept(tmp_path, settings, monkeypatch):
    bert_in_pickles(tmp_path / "model")
    add("mine", tmp_path / "model")
    row = LanguageModel.objects.get()
    assert (row.location, row.name) == ("models", "model")
    assert {"conversion.json", "model.safetensors"} <= set(row.files)
    told = open_scorer(row.spec, metric="pll", settings={}).provenance()
    before = {file.name: sha256(file) for file in sorted((tmp_path / "model").glob("*.bin"))}
    assert told["converted_from"] == {"origin": str(tmp_path / "model"), "weights_sha256": before}
    assert told["files_sha256"]["model.safetensors"] == row.files["model.safetensors"]
    monkeypatch.setattr("scoring.library.pickled._convert_apart", None)
    add("mine", tmp_path / "model")
    add("again", tmp_path / "model", name="Again")
    assert LanguageModel.objects.count() == 2
