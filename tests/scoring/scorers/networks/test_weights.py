"""Which files of a model's folder decide its answers, told without opening the model."""

import hashlib
from pathlib import Path

import pytest
import transformers
from transformers.models.auto import tokenization_auto

from scoring.scorers.contract import ModelError
from scoring.scorers.networks.weights import deciding, differences, file_hashes, read_config, require_registered

DECIDE = {
    "config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
    "spiece.model",
    "chat_template.jinja",
    "additional_chat_templates/default.jinja",
}
DO_NOT = {"README.md", "LICENSE", "notes.txt", "generation_config.json", "pytorch_model.bin", "original/config.json"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in DECIDE | DO_NOT:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    return tmp_path


def test_weights_configuration_tokenizer_and_template_decide_and_nothing_else(folder):
    found = file_hashes(folder)
    assert set(found) == DECIDE
    assert found["vocab.txt"] == hashlib.sha256(b"vocab.txt").hexdigest()


def test_hashes_that_were_recorded_for_a_whole_folder_give_the_same(folder):
    recorded = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}
    whole = file_hashes(folder)
    assert deciding(recorded) == {name: value for name, value in whole.items() if "/" not in name}


def test_what_has_happened_to_each_file_is_said():
    before, after = {"a": "1", "b": "2", "c": "3"}, {"b": "2", "c": "4", "d": "5"}
    assert differences(before, after) == ["a is gone", "c has changed", "d is new"]
    assert differences(before, before) == []


def test_a_folder_that_was_known_by_its_weights_alone_says_what_to_run(folder):
    with pytest.raises(ModelError, match=r"manage.py fetch_models.*manage.py add_model"):
        require_registered(folder, {"model.safetensors": file_hashes(folder)["model.safetensors"]})


def test_weights_that_the_configuration_names_elsewhere_are_refused(folder):
    (folder / "config.json").write_text('{"model_type": "bert", "transformers_weights": "other.safetensors"}')
    (folder / "tokenizer_config.json").write_text("{}")
    with pytest.raises(ModelError, match="transformers_weights"):
        read_config(folder)


@pytest.mark.slow
def test_every_file_that_a_fast_tokenizer_of_transformers_reads_decides():
    kinds = {tokenization_auto.tokenizer_class_from_name(name) for name in _names()}
    fast = [kind for kind in kinds if kind is not None and issubclass(kind, transformers.PreTrainedTokenizerFast)]
    assert len(fast) > 20
    read = {name for kind in fast for name in kind.vocab_files_names.values() if name}
    assert {"vocab.txt", "tokenizer.json", "spiece.model"} <= read
    assert read == set(deciding(dict.fromkeys(read, "")))


def _names() -> set[str]:
    return {name for name in tokenization_auto.TOKENIZER_MAPPING_NAMES.values() if name}
