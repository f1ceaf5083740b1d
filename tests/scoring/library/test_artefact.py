"""The artefact: worked examples, what composing gives back, and what is refused."""

import json

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from corpus.provenance import sha256
from scoring.library import artefact
from scoring.library.artefact import SCALE_UNIT, ArtefactError, compose, pack, read, unpack
from tests.training.masked.tiny import SPECIAL, WORDS, write_encoder
from training.masked.learner import as_carried, codes, is_matrix, write_artefact
from training.masked.network import trained, with_new_head

SIZE = len(SPECIAL) + len(WORDS)


@pytest.fixture
def encoder(tmp_path):
    return write_encoder(tmp_path / "encoder")


@pytest.fixture(params=["body", "all"])
def made(request, encoder, tmp_path):
    """A model that was moved at random, its weights before and after, and its artefact."""
    model = with_new_head(encoder, seed=1, counts=np.ones(SIZE, dtype=np.int64))
    weights = trained(model, request.param)
    before = {name: weight.detach().clone() for name, weight in weights.items()}
    torch.manual_seed(3)
    with torch.no_grad():
        for weight in weights.values():
            weight.add_(0.02 * torch.randn_like(weight))
    bits = {"body": 8, "all": 4}[request.param]
    path = tmp_path / "artefact.safetensors"
    write_artefact(path, weights, before, bits=bits, encoder_sha256=sha256(encoder / "model.safetensors"))
    return weights, before, bits, path


def composed(encoder, path, tmp_path):
    folder = tmp_path / "composed"
    folder.mkdir()
    return folder, compose(encoder, path, folder)


def test_two_numbers_in_a_byte_by_hand():
    packed = pack(np.array([[-7, 7, 0, 1]], dtype=np.int8))
    assert packed.tolist() == [[0xF1, 0x98]]
    assert unpack(packed).tolist() == [[-7, 7, 0, 1]]


def test_whole_numbers_and_scale_by_hand():
    # 8 bits: 1.27 is 127 steps of 0.01. 4 bits: 0.85 · 0.7 is 7 steps of 0.085, and what lies beyond is cut.
    whole, scale = codes(torch.tensor([[1.27, -0.01, 0.0], [0.0, 0.0, 0.0]]), 8)
    assert whole.tolist() == [[127, -1, 0], [0, 0, 0]]
    assert float(scale[0]) * SCALE_UNIT == pytest.approx(0.01, rel=1e-3)
    assert float(scale[1]) == 0
    whole, scale = codes(torch.tensor([[0.7, -0.17, 0.08]]), 4)
    assert whole.tolist() == [[7, -2, 1]]
    assert float(scale[0]) * SCALE_UNIT == pytest.approx(0.085, rel=1e-3)


@pytest.mark.slow
def test_composing_gives_the_trained_weights_within_half_a_step(made, encoder, tmp_path):
    weights, before, bits, path = made
    folder, _ = composed(encoder, path, tmp_path)
    found = load_file(folder / "model.safetensors")
    base = {f"bert.{name}": value for name, value in load_file(encoder / "model.safetensors").items()}
    for name, weight in weights.items():
        off = np.abs(found[name] - weight.detach().numpy())
        if is_matrix(name, weight):
            change = (weight - before[name]).detach().numpy()
            steps = codes(torch.from_numpy(change), bits)[1].float().numpy()[:, None] * SCALE_UNIT
            within = np.abs(change) <= steps * (artefact.LEVELS[bits] + 0.5)
            assert within.mean() > 0.9
            assert (off <= steps / 2 + 1e-6)[within].all(), name
        else:
            assert off.max() <= 2e-3, name
    untouched = set(found) - set(weights)
    assert all((found[name] == base[name]).all() for name in untouched)
    assert not any("pooler" in name for name in found)


def test_the_rounding_that_training_sees_is_the_one_that_is_carried(made, encoder, tmp_path):
    weights, before, bits, path = made
    exact = {name: weight.detach().clone() for name, weight in weights.items()}
    folder, _ = composed(encoder, path, tmp_path)
    found = load_file(folder / "model.safetensors")
    with as_carried(weights, before, bits):
        for name, weight in weights.items():
            if is_matrix(name, weight):
                assert np.abs(weight.detach().numpy() - found[name]).max() < 1e-6, name
    assert all(torch.equal(weight, exact[name]) for name, weight in weights.items())


def test_the_same_weights_give_the_same_bytes(made, encoder, tmp_path):
    weights, before, bits, path = made
    again = tmp_path / "again.safetensors"
    write_artefact(again, weights, before, bits=bits, encoder_sha256=sha256(encoder / "model.safetensors"))
    assert again.read_bytes() == path.read_bytes()


def test_a_digest_that_was_expected_is_held(made, encoder, tmp_path):
    *_, path = made
    folder, digest = composed(encoder, path, tmp_path)
    assert compose(encoder, path, folder, expected=digest) == digest
    with pytest.raises(ArtefactError, match="composes to"):
        compose(encoder, path, folder, expected="0" * 64)


def test_the_tokenizer_neither_cuts_nor_fills_up_any_more(made, encoder, tmp_path):
    *_, path = made
    folder, _ = composed(encoder, path, tmp_path)
    before, after = (json.loads((place / "tokenizer.json").read_text()) for place in (encoder, folder))
    assert before["truncation"]
    assert before["padding"]
    assert (after["truncation"], after["padding"]) == (None, None)
    assert after["model"] == before["model"]


@pytest.mark.parametrize("size", [0, 100, 5000, -1])
def test_a_torn_file_is_refused(made, size):
    *_, path = made
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ArtefactError, match="cannot be read"):
        read(path)


def test_another_file_another_encoder_and_numbers_that_are_none_are_refused(made, encoder, tmp_path):
    *_, path = made
    with pytest.raises(ArtefactError, match="no artefact of the form"):
        read(encoder / "model.safetensors")
    oddities: tuple[object, ...] = ([], {"form": artefact.FORM})
    for about in oddities:
        save_file({}, tmp_path / "odd.safetensors", {"about": json.dumps(about)})
        with pytest.raises(ArtefactError, match="no artefact of the form"):
            read(tmp_path / "odd.safetensors")
    with pytest.raises(ArtefactError, match="belongs to an encoder with sha256"):
        compose(write_encoder(tmp_path / "other", seed=6), path, tmp_path)
    parts, wanted = read(path)
    artefact.write(path, parts | {"cls.predictions.bias": np.full(SIZE, np.inf, np.float16)}, encoder_sha256=wanted)
    with pytest.raises(ArtefactError, match="not finite"):
        read(path)


def test_parts_that_do_not_fit_are_refused(made, encoder, tmp_path):
    *_, path = made
    parts, wanted = read(path)
    name = "bert.encoder.layer.0.attention.self.query.weight"
    lacking = {key: part for key, part in parts.items() if key != name + artefact.SCALE}
    for changed, reason in (
        (lacking, "lacks its scales"),
        (parts | {"bert.nonesuch.difference": np.zeros(3, np.float16)}, "the encoder has no bert.nonesuch"),
        (parts | {name + artefact.CODES: parts[name + artefact.CODES][:, :4]}, "in the encoder and"),
        ({key: part for key, part in parts.items() if not key.startswith(artefact.HEAD)}, "no head"),
    ):
        artefact.write(path, changed, encoder_sha256=wanted)
        with pytest.raises(ArtefactError, match=reason):
            compose(encoder, path, tmp_path)


def test_an_artefact_that_is_too_large_is_not_written(tmp_path):
    path = tmp_path / "artefact.safetensors"
    with pytest.raises(ArtefactError, match="at most 12,000,000 are allowed"):
        artefact.write(path, {"x": np.zeros(13_000_000, np.int8)}, encoder_sha256="")
    assert list(tmp_path.iterdir()) == []


def test_the_packaged_encoders_shape_fits_in_both_forms():
    """12 MB by arithmetic, with random numbers in place of weights: 6 layers of 384, 30,522 words, 512 places."""
    body = 6 * (4 * 384 * 384 + 2 * 384 * 1536) + 512 * 384 + 2 * 384
    rows = 6 * (4 * 384 + 1536 + 384) + 512 + 2
    vectors = 6 * (4 * 384 + 1536 + 384 + 4 * 384) + 2 * 384
    head = 384 * 384 + 3 * 384 + 30_522
    names = 20_000
    assert body + 2 * rows + 2 * vectors + 2 * head + names < artefact.LARGEST
    everything, all_rows = body + 30_522 * 384, rows + 30_522
    assert everything // 2 + 2 * all_rows + 2 * vectors + 2 * head + names < artefact.LARGEST


def test_a_file_of_the_right_form_without_parts_has_no_head(encoder, tmp_path):
    path = tmp_path / "empty.safetensors"
    wanted = sha256(encoder / "model.safetensors")
    save_file({}, path, {"about": json.dumps({"form": artefact.FORM, "encoder": wanted})})
    with pytest.raises(ArtefactError, match="no head"):
        compose(encoder, path, tmp_path)
