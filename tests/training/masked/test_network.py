"""The forward pass where it is read is the model's own, and so are its gradients."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from torch.nn import functional

from scoring.library.artefact import HEAD
from scoring.scorers.contract import ModelError
from tests.training.masked.tiny import QUICK, SPECIAL, wanted, write_encoder
from tests.training.masked.tiny import WORDS as OWN_WORDS
from training.masked.batches import for_training
from training.masked.network import WORDS, loss, scores, trained, with_new_head
from training.masked.reading import Vocabulary, plain_tokenizer
from training.masked.training import train

SIZE = len(SPECIAL) + len(OWN_WORDS)


@pytest.fixture
def encoder(tmp_path):
    return write_encoder(tmp_path / "encoder")


@pytest.fixture
def model(encoder):
    return with_new_head(encoder, seed=1, counts=np.arange(SIZE))


@pytest.fixture
def masked(encoder):
    vocabulary = Vocabulary.of(plain_tokenizer(encoder))
    return for_training(np.random.default_rng(0).integers(5, SIZE, (6, 12)), vocabulary, seed=1, step=0, batch=0)


def own_scores(model, masked):
    logits = model(input_ids=torch.from_numpy(masked.ids)).logits
    rows = torch.arange(len(masked.ids))[:, None]
    return logits[rows, torch.from_numpy(masked.places)].flatten(0, 1)


def test_scores_are_those_of_the_models_own_forward_pass(model, masked):
    assert torch.allclose(scores(model, masked), own_scores(model, masked), atol=1e-5)


def gradients(weights):
    found = {name: weight.grad for name, weight in weights.items()}
    assert all(gradient is not None for gradient in found.values())
    return {name: gradient.clone() for name, gradient in found.items() if gradient is not None}


def test_so_are_the_gradients(model, masked):
    weights = trained(model, "all")
    loss(model, masked).backward()
    ours = gradients(weights)
    model.zero_grad()
    wanted = torch.from_numpy(masked.wanted).flatten()
    functional.cross_entropy(own_scores(model, masked), wanted, reduction="sum").backward()
    theirs = gradients(weights)
    for name in weights:
        assert torch.allclose(ours[name], theirs[name], atol=1e-4), name


def test_in_bfloat16_on_the_cpu_scores_and_gradients_are_those_of_float32_but_for_its_digits(model, masked):
    weights = trained(model, "all")
    with torch.no_grad():
        for weight in weights.values():
            # Large, so that attention is uneven and a mistake in it would show.
            weight.mul_(4 if weight.dim() > 1 else 1)
    exact = scores(model, masked).detach()
    loss(model, masked).backward()
    wanted = gradients(weights)
    model.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        coarse = scores(model, masked).detach()
        loss(model, masked).backward()
    found = gradients(weights)
    assert coarse.dtype == torch.bfloat16
    assert float((coarse - exact).norm() / exact.norm()) < 0.03
    for name in ("query", "key", "value"):
        name = f"bert.encoder.layer.0.attention.self.{name}.weight"
        assert float((found[name] - wanted[name]).norm() / wanted[name].norm()) < 0.1, name


def test_the_new_head_says_how_frequent_words_are_and_follows_from_the_seed(encoder, model):
    again = with_new_head(encoder, seed=1, counts=np.arange(SIZE))
    other = with_new_head(encoder, seed=2, counts=np.arange(SIZE))
    dense = "cls.predictions.transform.dense.weight"
    assert torch.equal(model.get_parameter(dense), again.get_parameter(dense))
    assert not torch.equal(model.get_parameter(dense), other.get_parameter(dense))
    bias = model.cls.predictions.bias
    # Of counts 9 and 4, smoothed by one: a ratio of 2.
    assert float((bias[9] - bias[4]).detach()) == pytest.approx(np.log(2), abs=1e-5)
    assert model.cls.predictions.decoder.weight is model.bert.embeddings.word_embeddings.weight


def test_the_body_is_all_but_the_word_embeddings(model):
    body, every = trained(model, "body"), trained(model, "all")
    assert every.keys() - body.keys() == {WORDS}
    assert sum(name.startswith(HEAD) for name in body) == 5


@pytest.mark.slow
def test_a_folder_that_is_no_encoder_is_refused(tmp_path):
    with pytest.raises(ModelError, match="could not be loaded"):
        with_new_head(tmp_path, seed=1, counts=np.arange(SIZE))


@pytest.mark.slow
def test_places_that_the_text_does_not_reach_stay_as_they_were(tmp_path):
    run = wanted(tmp_path, "run", steps=3, settings=replace(QUICK, train="all", weight_decay=0.5))
    train(run, say=print)
    found = load_file(run.out / "model" / "model.safetensors")
    base = load_file(run.encoder / "model.safetensors")
    name = "embeddings.position_embeddings.weight"
    moved = np.abs(found[f"bert.{name}"] - base[name]).max(axis=1) > 0
    assert moved[: QUICK.rows // 2].all()
    assert not moved[QUICK.rows :].any()
