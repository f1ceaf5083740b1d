"""A registered model is the files that it was registered with; what else is in its place is not scored."""

import shutil
from pathlib import Path

import pytest
import torch
import transformers
from django.core.management import call_command
from safetensors.torch import load_file, save_file

from annotation.tasktypes.contract import Sentence
from scoring.library.installation import install_packaged
from scoring.library.packaged import in_place, packaged
from scoring.models import LanguageModel
from scoring.runs import asking, starting, working
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.networks import loaded, weights
from tests.scoring.library.little_models import COMMIT, SIZE, add, refusal, write_model
from tests.scoring.scorers.weights import MASKED, MODELS_DIR, needs_weights
from tests.studies import open_small_study, plausibility_rows
from work import queue

pytestmark = pytest.mark.django_db
KEPT = ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja")


@pytest.fixture
def folder(tmp_path) -> Path:
    torch.manual_seed(5)
    made = write_model(tmp_path / "little", transformers.BertForMaskedLM(transformers.BertConfig(**SIZE)))
    (made / "chat_template.jinja").write_text("{{ messages }}")
    return made


@pytest.fixture
def row(folder) -> LanguageModel:
    add("mine", folder)
    # This process has the model in memory; another would not.
    loaded._load.cache_clear()
    return LanguageModel.objects.get()


def opened(row):
    return open_scorer(row.spec, metric="pll", settings={})


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_a_file_that_has_changed_is_named(row, folder, name):
    # A byte more that changes no value: what the file says is not judged.
    (folder / name).write_bytes((folder / name).read_bytes() + b"\n")
    with pytest.raises(ModelError, match=f"differ from those registered: {name} has changed;"):
        opened(row)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["vocab.txt", "merges.txt", "special_tokens_map.json", "added_tokens.json", "spiece.model"]
)
def test_a_file_that_came_later_is_named(row, folder, name):
    (folder / name).write_text("{}")
    with pytest.raises(ModelError, match=f"registered: {name} is new;"):
        opened(row)


@pytest.mark.slow
def test_a_file_that_is_gone_is_named_and_others_may_come_and_go(row, folder):
    (folder / "README.md").write_text("Mine.")
    opened(row)
    loaded._load.cache_clear()
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(ModelError, match=r"registered: chat_template.jinja is gone;"):
        opened(row)


@pytest.mark.slow
def test_a_run_on_changed_files_fails_with_the_reason_and_scores_nothing(row, folder, tmp_path, monkeypatch):
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    run = start_run(open_small_study(tmp_path / "study", plausibility_rows(2)), row, "pll")
    (folder / "config.json").write_bytes((folder / "config.json").read_bytes() + b" ")
    for chunk in list(run.chunks.all()):
        CHUNKS.work(chunk.pk, worker="w")
    run.refresh_from_db()
    assert (run.state, run.done) == ("failed", 0)
    assert "config.json has changed" in run.error


@pytest.mark.slow
def test_the_files_are_hashed_once_and_stand_in_the_provenance(row, folder, monkeypatch):
    hashed = []

    def counted(path):
        hashed.append(path)
        return file_hashes(path)

    file_hashes = weights.file_hashes
    monkeypatch.setattr(weights, "file_hashes", counted)
    for _ in range(3):
        scorer = opened(row)
        scorer.score([Sentence("The old dog slept .")])
    assert hashed == [folder]
    told = scorer.provenance()["files_sha256"]
    assert told == row.files
    assert set(told) == set(KEPT)


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT[1:])
def test_g7_another_file_is_another_memory(row, folder, tmp_path, name):
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    (other / name).write_bytes((other / name).read_bytes() + b"\n")
    add("other", other)
    again = LanguageModel.objects.get(key="other")
    # The folder's name alone makes a difference; here only the files may.
    again.source = row.source
    assert asking.measurement_of(again, "pll") != asking.measurement_of(row, "pll")


@pytest.mark.slow
def test_a_row_that_names_only_the_weights_says_what_to_run(row):
    row.files = {"model.safetensors": row.files["model.safetensors"]}
    row.save()
    with pytest.raises(ModelError, match=r"manage.py fetch_models.*under another key"):
        opened(row)


@pytest.mark.slow
@needs_weights
def test_the_other_files_of_a_packaged_model_are_checked_too(tmp_path, settings):
    settings.MODELS_DIR = tmp_path
    shutil.copytree(MODELS_DIR / MASKED, tmp_path / MASKED)
    row = install_packaged(packaged(MASKED), in_place(packaged(MASKED), tmp_path) or {})
    opened(row)
    loaded._load.cache_clear()
    path = tmp_path / MASKED / "tokenizer_config.json"
    path.write_text(path.read_text().replace('"do_lower_case": true', '"do_lower_case": null'))
    with pytest.raises(ModelError, match=r"registered: tokenizer_config.json has changed;"):
        opened(row)


@pytest.mark.slow
def test_a_hub_model_is_not_read_from_a_folder_of_that_name(tmp_path, monkeypatch):
    write_model(tmp_path / "owner" / "name", transformers.BertForMaskedLM(transformers.BertConfig(**SIZE)))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=f"owner/name is a hub ID, but the folder {tmp_path}/owner/name would be"):
        open_scorer(ModelSpec("masked", "owner/name", COMMIT), metric="pll", settings={})


# --- Weights that are left over ---------------------------------------------------------------------


@pytest.mark.slow
def test_heads_that_a_language_model_has_no_use_for_are_named(tmp_path):
    made = transformers.BertForPreTraining(transformers.BertConfig(**SIZE))
    add("mine", write_model(tmp_path / "whole", made))
    told = opened(LanguageModel.objects.get()).provenance()["weights_not_used"]
    assert told == [
        "bert.pooler.dense.bias",
        "bert.pooler.dense.weight",
        "cls.seq_relationship.bias",
        "cls.seq_relationship.weight",
    ]


@pytest.mark.slow
def test_buffers_of_older_versions_are_named(tmp_path):
    config = transformers.GPT2Config(vocab_size=30, n_positions=40, n_embd=24, n_layer=2, n_head=2)
    folder = write_model(tmp_path / "gpt", transformers.GPT2LMHeadModel(config))
    path = folder / "model.safetensors"
    save_file(load_file(path) | {"transformer.h.0.attn.masked_bias": torch.tensor(-1e4)}, path, {"format": "pt"})
    add("gpt", folder, "causal", start_token="<s>")
    scorer = open_scorer(LanguageModel.objects.get().spec, metric="causal", settings={})
    assert scorer.provenance()["weights_not_used"] == ["transformer.h.0.attn.masked_bias"]


@pytest.mark.slow
def test_a_model_whose_weights_are_all_used_says_nothing_of_them(row):
    assert "weights_not_used" not in opened(row).provenance()


def test_layers_that_the_configuration_does_not_have_are_refused(folder):
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"num_hidden_layers": 3', '"num_hidden_layers": 2'))
    told = refusal(1, "mine", folder)
    assert "architecture does not use: bert.encoder.layer.2." in told
    assert " more." in told
    assert not LanguageModel.objects.exists()


@pytest.mark.slow
def test_add_model_again_after_a_change_names_the_file(row, folder):
    (folder / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes() + b"\n")
    assert "tokenizer.json has changed. Choose another key" in refusal(2, "mine", folder)
    call_command("add_model", "again", source=str(folder), family="masked", name="Again")
    assert LanguageModel.objects.count() == 2
