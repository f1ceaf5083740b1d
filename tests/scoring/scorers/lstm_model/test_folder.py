"""A finished folder: opened as it was written, refused once anything that decides a score is another."""

import json
import shutil

import pytest
import torch

from scoring.scorers.lstm_model.folder import CARD, VOCABULARY, WEIGHTS, FolderError, copy_model, read_card, read_model
from scoring.scorers.networks.tensor_file import read_whole, write_whole
from tests.training.lstm.small import small_model


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(small_model()[0], tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.slow
def test_it_is_read_as_it_was_written(folder):
    model = read_model(folder, small_model()[1])
    tensors, told = read_whole(folder / WEIGHTS)
    assert all(torch.equal(tensors[name], parameter) for name, parameter in model.network.named_parameters())
    assert told["shape"] == model.network.shape.as_json()
    assert not model.network.training
    assert {path.stat().st_mode & 0o777 for path in small_model()[0].iterdir()} == {0o644}


def change_a_word(folder):
    told = json.loads((folder / VOCABULARY).read_text())
    told["words"][2], told["words"][3] = told["words"][3], told["words"][2]
    (folder / VOCABULARY).write_text(json.dumps(told))


def cut_the_weights(folder):
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-50])


def lose_a_layer(folder):
    tensors, told = read_whole(folder / WEIGHTS)
    write_whole(folder / WEIGHTS, {name: one for name, one in tensors.items() if "layers.1" not in name}, told)


def change_the_kind(folder):
    tensors, told = read_whole(folder / WEIGHTS)
    write_whole(folder / WEIGHTS, tensors, told | {"kind": "else"})


def change_the_cutoffs(folder):
    tensors, told = read_whole(folder / WEIGHTS)
    write_whole(folder / WEIGHTS, tensors, told | {"shape": told["shape"] | {"cutoffs": [8]}})


def lose_the_words(folder):
    (folder / VOCABULARY).unlink()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (change_a_word, "not the vocabulary that these weights were trained with"),
        (cut_the_weights, "cannot be read"),
        (lose_a_layer, "Missing key"),
        (change_the_kind, "no LSTM of this kind"),
        (change_the_cutoffs, "size mismatch"),
        (lose_the_words, "holds no LSTM that can be used"),
    ],
)
def test_a_damaged_folder_is_refused(folder, damage, said):
    damage(folder)
    with pytest.raises(FolderError, match=said):
        read_model(folder)


@pytest.mark.parametrize("damage", [cut_the_weights, lose_a_layer, change_the_kind, change_the_cutoffs])
def test_other_weights_than_those_that_were_registered_are_refused(folder, damage):
    damage(folder)
    with pytest.raises(FolderError, match="not those that were registered"):
        read_model(folder, small_model()[1])


def test_a_model_from_elsewhere_is_taken_whole_or_not_at_all(folder, tmp_path):
    copy_model(folder, tmp_path / "taken")
    assert read_model(tmp_path / "taken").weights_hash == small_model()[1]
    with pytest.raises(FolderError, match="already exists"):
        copy_model(folder, tmp_path / "taken")
    (folder / CARD).write_text(json.dumps(read_card(folder) | {"weights_sha256": "0" * 64}))
    with pytest.raises(FolderError, match="the card of other weights"):
        copy_model(folder, tmp_path / "other")
    for written in ("[]", json.dumps({"weights_sha256": small_model()[1]})):
        (folder / CARD).write_text(written)
        with pytest.raises(FolderError, match="is no card of an LSTM: it lacks"):
            copy_model(folder, tmp_path / "other")
    (folder / CARD).unlink()
    with pytest.raises(FolderError, match="no finished model"):
        copy_model(folder, tmp_path / "other")
    assert not (tmp_path / "other").exists()
