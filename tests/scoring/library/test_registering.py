"""`add_model`: a researcher's own models become rows only if they really score, and say what they are everywhere."""

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers

from annotation.tasktypes.contract import Sentence, SentenceNumbers
from corpus.provenance import digest
from scoring.library.installation import install_baselines
from scoring.models import LanguageModel, Run
from scoring.runs.fitting import choices_for
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError
from scoring.scorers.networks import loaded
from scoring.scorers.networks.weights import file_hashes, weight_files
from tests.scoring.library.little_models import COMMIT, SIZE, add, refusal, write_model
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def masked(tmp_path):
    # Large weights, so that places really attend to each other.
    torch.manual_seed(5)
    config = transformers.BertConfig(**SIZE, initializer_range=0.3)
    return write_model(tmp_path / "little-bert", transformers.BertForMaskedLM(config))


@pytest.fixture
def causal(tmp_path):
    torch.manual_seed(6)
    config = transformers.GPT2Config(vocab_size=30, n_positions=40, n_embd=24, n_layer=2, n_head=2)
    return write_model(tmp_path / "little-gpt", transformers.GPT2LMHeadModel(config))


def test_a_folder_becomes_a_row_that_scores(masked, capsys):
    add("mine", masked, license="CC0")
    row = LanguageModel.objects.get()
    assert (row.key, row.name, row.family, row.dtype) == ("mine", "little-bert", "masked", "float32")
    assert (row.source, row.revision, row.license, row.settings) == (str(masked), "", "CC0", {})
    assert row.files == file_hashes(masked)
    assert set(row.files) == {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    assert row.file_hash == digest(row.files)
    assert "registered" in capsys.readouterr().out
    [result] = open_scorer(row.spec, metric="pll", settings={}).score([Sentence("The old dog slept .")])
    assert isinstance(result, SentenceNumbers)
    assert len(result.tokens) == 5


def test_the_same_again_changes_nothing_and_opens_nothing(masked, capsys, monkeypatch):
    add("mine", masked)
    before = LanguageModel.objects.values().get()
    monkeypatch.setattr("scoring.library.registering.open_scorer", None)
    add("mine", masked)
    assert LanguageModel.objects.values().get() == before
    assert "there already, nothing changed" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["int8", "bfloat16", "float16"])
def test_another_dtype_is_another_row_that_says_so(masked, dtype, tmp_path):
    add("mine", masked)
    assert "dtype is 'float32', not" in refusal(2, "mine", masked, dtype=dtype)
    add("mine-fast", masked, dtype=dtype)
    row = LanguageModel.objects.get(key="mine-fast")
    assert (row.name, row.dtype, str(row)) == (f"little-bert ({dtype})", dtype, f"little-bert ({dtype})")
    study = open_small_study(tmp_path / "study", plausibility_rows(2))
    assert [f"{model}" for model, _ in choices_for(study)] == ["little-bert", f"little-bert ({dtype})"]
    assert str(Run(study=study, model=row, metric="pll")) == f"little-bert ({dtype}) · pll"
    told = open_scorer(row.spec, metric="pll", settings={}).provenance()
    assert told["dtype"] == dtype
    assert ("arithmetic" in told) is (dtype == "int8")


def test_a_name_is_given_once_and_carries_its_dtype(masked):
    add("one", masked, name="Bertie (int8)", dtype="int8")
    assert LanguageModel.objects.get().name == "Bertie (int8)"
    assert "a model called Bertie (int8) already (key one)" in refusal(2, "two", masked, name="Bertie", dtype="int8")
    add("two", masked, name="Bertie")


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_a_causal_model_needs_a_start_token_of_its_vocabulary(causal, dtype):
    told = refusal(2, "gpt", causal, "causal", dtype=dtype)
    assert "--start-token" in told
    assert "L3" in told
    assert "not '<nonesuch>'" in refusal(1, "gpt", causal, "causal", start_token="<nonesuch>", dtype=dtype)
    assert not LanguageModel.objects.exists()
    add("gpt", causal, "causal", start_token="<s>", dtype=dtype)
    assert LanguageModel.objects.get().settings == {"start_token": "<s>"}
    assert "settings is" in refusal(2, "gpt", causal, "causal", start_token="[CLS]", dtype=dtype)


def test_a_family_is_not_taken_on_trust(masked, causal):
    assert "is a masked language model (BertForMaskedLM)" in refusal(1, "a", masked, "causal", start_token="<s>")
    assert "is a causal language model (GPT2LMHeadModel)" in refusal(1, "a", causal, "masked")
    config = json.loads((masked / "config.json").read_text())
    (masked / "config.json").write_text(json.dumps(config | {"architectures": ["BertForPreTraining"]}))
    told = refusal(1, "a", masked, "causal", start_token="<s>")
    assert "depends on how the text ends" in told
    assert not LanguageModel.objects.exists()


@pytest.mark.slow
def test_weights_that_are_missing_broken_or_changed_are_refused(masked, tmp_path):
    bare = transformers.BertModel(transformers.BertConfig(**SIZE))
    assert "lacks weights" in refusal(1, "a", write_model(tmp_path / "bare", bare))
    assert "has no model.safetensors" in refusal(1, "a", emptied(masked, tmp_path / "none", "model.safetensors"))
    assert "has no config.json" in refusal(1, "a", emptied(masked, tmp_path / "odd", "config.json"))
    assert "has no tokenizer file" in refusal(1, "a", emptied(masked, tmp_path / "mute", "tokenizer.json"))
    broken = emptied(masked, tmp_path / "broken", "model.safetensors")
    (broken / "model.safetensors").write_bytes(b"\x10" * 100)
    assert "could not be loaded" in refusal(1, "a", broken)
    assert not LanguageModel.objects.exists()
    add("a", masked)
    torch.manual_seed(8)
    transformers.BertForMaskedLM(transformers.BertConfig(**SIZE)).save_pretrained(masked)
    assert "model.safetensors has changed" in refusal(2, "a", masked)

    pickled = emptied(masked, tmp_path / "pickled", "model.safetensors")
    (pickled / "pytorch_model.bin").write_bytes(b"")
    assert "convert the weights of a model of your own to safetensors" in refusal(1, "a", pickled)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hidden_size": 48}, "holds weights of other shapes than its config.json says: bert.embeddings"),
        ({"vocab_size": 31}, ".weight (30×"),
        ({"num_hidden_layers": 1}, "has no place for: bert.encoder.layer.1"),
        ({"num_hidden_layers": 4}, "lacks weights for a masked language model: bert.encoder.layer.3"),
        ({"num_attention_heads": 0}, "could not be loaded: a size or number in its config.json is 0"),
    ],
)
def test_a_configuration_of_another_model_is_one_sentence_and_nothing_else_is_printed(masked, changes, sentence, capfd):
    config = json.loads((masked / "config.json").read_text())
    (masked / "config.json").write_text(json.dumps(config | changes))
    capfd.readouterr()
    told = refusal(1, "a", masked)
    assert sentence in told
    assert "\n" not in told
    assert "ignore_mismatched_sizes" not in told
    out, err = capfd.readouterr()
    assert out + err == ""


def emptied(source: Path, target: Path, missing: str) -> Path:
    shutil.copytree(source, target)
    (target / missing).unlink()
    return target


def test_a_masked_model_needs_a_mask_token(tmp_path):
    made = transformers.BertForMaskedLM(transformers.BertConfig(**SIZE))
    assert "has no mask token" in refusal(1, "a", write_model(tmp_path / "m", made, mask=False))


def test_g7_a_hub_model_needs_its_commit(masked):
    for revision in ("", "main", COMMIT[:7]):
        told = refusal(2, "hub", "someone/model", revision=revision)
        assert "may change" in told
        assert "G7" in told
    assert "There is no folder /nowhere/model" in refusal(2, "hub", "/nowhere/model", revision=COMMIT)
    assert "A folder has no --revision" in refusal(2, "hub", masked, revision=COMMIT)
    assert not LanguageModel.objects.exists()


@pytest.mark.parametrize(
    ("key", "options", "sentence"),
    [
        ("smollm2-135m", {}, "kept for a model of Parallax's own"),
        ("random", {}, "kept for a model of Parallax's own"),
        ("a b", {}, "key: Enter a valid"),
        ("a", {"dtype": "int4"}, "'int4' is not one of float32, bfloat16, float16, int8"),
        ("a", {"start_token": "<s>"}, "has no --start-token"),
        ("a", {"name": "x" * 201}, "name: Ensure this value has at most 200"),
    ],
)
def test_arguments_that_do_not_fit(masked, key, options, sentence):
    install_baselines()
    count = LanguageModel.objects.count()
    assert sentence in refusal(2, key, masked, **options)
    assert LanguageModel.objects.count() == count


def test_weights_in_several_files_are_found_by_their_index_and_hashed(tmp_path):
    torch.manual_seed(7)
    made = transformers.BertForMaskedLM(transformers.BertConfig(**SIZE))
    folder = write_model(tmp_path / "parts", made, max_shard_size="20KB")
    files = weight_files(folder)
    assert len(files) > 1
    assert files == sorted(folder.glob("model-*.safetensors"))
    add("parts", folder)
    row = LanguageModel.objects.get()
    assert set(row.files) > {"model.safetensors.index.json", *(file.name for file in files)}
    files[-1].write_bytes(files[-1].read_bytes()[:-4] + b"\0\0\1\0")
    # This process has the model in memory; another would not.
    loaded._load.cache_clear()
    with pytest.raises(ModelError, match=f"not those that were registered: {files[-1].name} has changed"):
        open_scorer(row.spec, metric="cloze", settings={})


@pytest.mark.parametrize(
    "index", ['{"weight_map": {"a": "../x"}}', '{"weight_map": {}}', "[]", "{", '{"weight_map": 3}']
)
def test_an_index_that_leads_nowhere_is_refused(tmp_path, index):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "model.safetensors.index.json").write_text(index)
    assert "model.safetensors.index.json" in refusal(1, "a", tmp_path)


# --- Files and sources that no model can be made of: a sentence each --------------------------------


DAMAGED = [
    ("config.json", b"[]", "config.json holds no JSON object"),
    ("config.json", b'{"model_type": ', "config.json cannot be read as JSON"),
    ("config.json", b"\xff\xfe", "config.json cannot be read as JSON"),
    ("config.json", b"[" * 100_000, "config.json cannot be read as JSON"),
    ("config.json", b"{}", "does not name the model's architecture (model_type)"),
    ("config.json", b'{"model_type": ["bert"]}', "does not name the model's architecture (model_type)"),
    ("config.json", b'{"model_type": "nonesuch"}', "knows no architecture 'nonesuch'"),
    ("config.json", b'{"model_type": "vit"}', "could not be loaded"),
    ("config.json", b'{"model_type": "bert", "hidden_size": "wide"}', "could not be loaded"),
    ("config.json", b'{"model_type": "bert", "architectures": 3}', "could not be loaded"),
    ("tokenizer_config.json", b"[]", "tokenizer_config.json holds no JSON object"),
    ("tokenizer_config.json", b"{", "tokenizer_config.json cannot be read as JSON"),
    ("tokenizer_config.json", b"\xff\xfe", "tokenizer_config.json cannot be read as JSON"),
    ("tokenizer_config.json", b'{"tokenizer_class": 5}', "could not be loaded"),
    ("tokenizer.json", b"[]", "could not be loaded"),
    ("tokenizer.json", b'{"model": 1}', "could not be loaded"),
]


@pytest.mark.parametrize(
    ("name", "content", "sentence"), DAMAGED, ids=[f"{name}: {sentence}" for name, _, sentence in DAMAGED]
)
def test_a_damaged_folder_is_refused_in_one_sentence(masked, name, content, sentence):
    (masked / name).write_bytes(content)
    told = refusal(1, "a", masked)
    assert sentence in told
    assert str(masked) in told
    assert "\n" not in told
    assert not told.endswith("..")
    assert not LanguageModel.objects.exists()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("~nosuchuser/x", "There is no folder ~nosuchuser/x"),
        ("a" * 5000, "The source has 5000 characters; at most 300 are kept."),
        ("/" + "b" * 290, "There is no folder /bbb"),
        ("c" * 200 + "/d", "is no id of a model hub"),
        ("one\ntwo", "The source holds a character that cannot be printed."),
        ("\udcff", "The source holds a character that cannot be printed."),
    ],
    ids=["no such user", "too long", "too long a name", "too long an id", "two lines", "not UTF-8"],
)
def test_a_source_that_is_none_is_refused_in_one_sentence(db, source, sentence):
    told = refusal(2, "a", source, revision=COMMIT)
    assert sentence in told
    assert "\n" not in told
    assert not LanguageModel.objects.exists()
