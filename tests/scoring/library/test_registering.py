"""`add_model`: a researcher's own models become rows only if they really score, and say what they are everywhere."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from annotation.tasktypes.contract import Sentence, SentenceNumbers, Unscored
from corpus.provenance import digest
from scoring.library.installation import install_baselines
from scoring.library.registering import reread
from scoring.library.trying import TRIAL
from scoring.models import LanguageModel, Run, Score
from scoring.runs import asking, starting, working
from scoring.runs.asking import answers
from scoring.runs.fitting import choices_for
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError
from scoring.scorers.networks import loaded
from scoring.scorers.networks.weights import file_hashes, weight_files
from tests.scoring.library.little_models import COMMIT, SIZE, add, refusal, write_model
from tests.studies import open_small_study, plausibility_rows
from work import queue

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_same_again_changes_nothing_and_opens_nothing(masked, capsys, monkeypatch):
    add("mine", masked)
    before = LanguageModel.objects.values().get()
    monkeypatch.setattr("scoring.library.registering.try_model", None)
    add("mine", masked)
    assert LanguageModel.objects.values().get() == before
    assert "already there, nothing changed" in capsys.readouterr().out


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


@pytest.mark.slow
def test_a_name_is_given_once_and_carries_its_dtype(masked):
    add("one", masked, name="Bertie (int8)", dtype="int8")
    assert LanguageModel.objects.get().name == "Bertie (int8)"
    assert "a model called Bertie (int8) (key one)" in refusal(2, "two", masked, name="Bertie", dtype="int8")
    add("two", masked, name="Bertie")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_family_is_not_taken_on_trust(masked, causal):
    assert "is a masked language model (BertForMaskedLM)" in refusal(1, "a", masked, "causal", start_token="<s>")
    assert "is a causal language model (GPT2LMHeadModel)" in refusal(1, "a", causal, "masked")
    config = json.loads((masked / "config.json").read_text())
    (masked / "config.json").write_text(json.dumps(config | {"architectures": ["BertForPreTraining"]}))
    told = refusal(1, "a", masked, "causal", start_token="<s>")
    assert "depend on how the text ends" in told
    assert not LanguageModel.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["whole lines", "digits"])
def test_a_causal_model_is_tried_by_tokens_whatever_they_are_of(tmp_path, kind):
    """A tokenizer may join words (SuperBPE), so that texts that begin alike have no token in common."""
    words = {name: number for number, name in enumerate(["<s>", "[UNK]", *"0123456789"])}
    made = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if kind == "whole lines":
        made = Tokenizer(models.WordLevel({"<s>": 0, "[UNK]": 1, TRIAL[0]: 2, TRIAL[1]: 3, "Berlin": 4}))
        made.add_tokens(["Potsdam"])
    torch.manual_seed(6)
    rows = 5 if kind == "whole lines" else 12
    config = transformers.GPT2Config(vocab_size=rows, n_positions=40, n_embd=24, n_layer=2, n_head=2)
    folder = write_model(tmp_path / "joined", transformers.GPT2LMHeadModel(config))
    roles = {"bos_token": "<s>", "unk_token": "[UNK]"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=made, **roles).save_pretrained(folder)
    add("gpt", folder, "causal", start_token="<s>")
    scorer = open_scorer(LanguageModel.objects.get().spec, metric="causal", settings={})
    if kind == "whole lines":
        [there, absent] = scorer.score([Sentence("Berlin"), Sentence("Potsdam")])
        assert isinstance(there, SentenceNumbers) and isinstance(absent, Unscored)
        assert "Potsdam, which was added to the tokenizer, but the model has no weights for it" in absent.reason


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
    assert "pytorch_model.bin contains something other than weights, or is damaged" in refusal(1, "b", pickled)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hidden_size": 48}, "has weights whose shapes differ from its config.json: bert.embeddings"),
        ({"vocab_size": 31}, ".weight (30×"),
        ({"num_hidden_layers": 1}, "architecture does not use: bert.encoder.layer.1"),
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


def test_a_source_that_is_no_folder_and_no_id_is_refused(masked):
    assert "/nowhere/model is neither a folder" in refusal(2, "hub", "/nowhere/model", revision=COMMIT)
    assert "A folder has no --revision" in refusal(2, "hub", masked, revision=COMMIT)
    assert not LanguageModel.objects.exists()


@pytest.mark.parametrize(
    ("key", "options", "sentence"),
    [
        ("smollm2-135m", {}, "reserved for a model of Parallax"),
        ("random", {}, "reserved for a model of Parallax"),
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


@pytest.mark.slow
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
    with pytest.raises(ModelError, match=f"differ from those registered: {files[-1].name} has changed"):
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
    ("config.json", b'{"model_type": "nonesuch"}', "does not support the architecture 'nonesuch'"),
    ("config.json", b'{"model_type": "vit"}', "has the architecture 'vit', which has no masked model"),
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
        ("a" * 5000, "The source has 5000 characters; the maximum is 300."),
        ("/" + "b" * 290, "There is no folder /bbb"),
        ("c" * 200 + "/d", "is neither a folder nor a hub ID"),
        ("one\ntwo", "The source contains an unprintable character."),
        ("\udcff", "The source contains an unprintable character."),
    ],
    ids=["no such user", "too long", "too long a name", "too long an id", "two lines", "not UTF-8"],
)
def test_a_source_that_is_none_is_refused_in_one_sentence(db, source, sentence):
    told = refusal(2, "a", source, revision=COMMIT)
    assert sentence in told
    assert "\n" not in told
    assert not LanguageModel.objects.exists()


# --- Models of other scripts, and how a model reads ------------------------------------------------


def greek(folder: Path) -> Path:
    letters = "αβγδεζηθικλμνξοπρσςτυφχψω"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", *letters, *("##" + one for one in letters)]
    made = Tokenizer(models.WordPiece({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    backend: Any = transformers.PreTrainedTokenizerFast
    backend(tokenizer_object=made, mask_token="[MASK]", **names).save_pretrained(folder)
    transformers.BertForMaskedLM(transformers.BertConfig(**SIZE | {"vocab_size": len(words)})).save_pretrained(folder)
    return folder


def phonemes(folder: Path) -> Path:
    words = ["UNK", "UTT", *"pbtdkgfvszmnlrwjhaeiou"]
    made = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="UNK"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    backend: Any = transformers.PreTrainedTokenizerFast
    backend(tokenizer_object=made, unk_token="UNK", bos_token="UTT", eos_token="UTT").save_pretrained(folder)
    config = transformers.GPT2Config(vocab_size=len(words), n_positions=64, n_embd=24, n_layer=2, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_a_model_of_another_script_is_tried_in_words_of_its_own(tmp_path):
    add("greek", greek(tmp_path / "greek"))
    add("sounds", phonemes(tmp_path / "sounds"), "causal", start_token="UTT")
    assert LanguageModel.objects.count() == 2


@pytest.mark.slow
def test_a_sentence_that_is_given_is_what_is_tried(tmp_path):
    folder = greek(tmp_path / "greek")
    told = refusal(1, "a", folder, try_sentence="old dog")
    assert "leaves 'old dog' unscored: 'old' is not in the model's vocabulary" in told
    add("greek", folder, try_sentence="αβγ.")
    assert LanguageModel.objects.get().reading == []


def lower_casing(folder: Path) -> Path:
    vocabulary = {"[UNK]": 0, "<s>": 1, "the": 2, "old": 3, "dog": 4, "The": 5}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    folder.mkdir()
    made.save(str(folder / "tokenizer.json"))
    told = {"tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>", "eos_token": "<s>", "unk_token": "[UNK]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    config = transformers.GPT2Config(vocab_size=6, n_positions=40, n_embd=24, n_layer=2, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_what_is_read_otherwise_than_by_the_class_is_said_and_kept(tmp_path, capsys):
    add("mine", lower_casing(tmp_path / "little"), "causal", start_token="<s>", try_sentence="the old dog")
    told = capsys.readouterr().out
    assert "its tokenizer.json decides how texts are read, not the class GPT2Tokenizer" in told
    assert "texts are lower-cased, so these words of its vocabulary are never read (1): The" in told
    row = LanguageModel.objects.get()
    assert row.reading == ["tokenizer.json"]
    scorer = open_scorer(row.spec, metric="causal", settings={})
    assert scorer.provenance()["read_otherwise_than_its_class"] == row.reading
    capital, small = scorer.score([Sentence("The old dog"), Sentence("the old dog")])
    assert capital == small


@pytest.mark.slow
def test_rows_from_before_are_looked_at_once_and_only_what_changed_is_scored_anew(tmp_path, causal, monkeypatch):
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    add("same", causal, "causal", start_token="<s>")
    add("other", lower_casing(tmp_path / "little"), "causal", start_token="<s>", try_sentence="the old dog")
    rows = {row.key: row for row in LanguageModel.objects.all()}
    # As a version left them that knew of no reading.
    LanguageModel.objects.update(reading=None)
    study = open_small_study(tmp_path / "study", plausibility_rows(2))
    measured = {}
    for row in LanguageModel.objects.all():
        run = Run.objects.create(study=study, model=row, metric="causal", metric_version="3", state="finished", total=2)
        Score.objects.bulk_create(Score(run=run, item=item, strength=1.0) for item in study.items.all())
        measured[row.key] = asking.measurement_of(row, "causal")
    with pytest.raises(ModelError, match=r"reads texts otherwise than its row says .*fetch_models"):
        answers(Run.objects.get(model=rows["other"]), [Sentence("the old dog")])
    said: list[str] = []
    reread(say=said.append)
    again = {row.key: row for row in LanguageModel.objects.all()}
    assert {key: row.reading for key, row in again.items()} == {"same": [], "other": ["tokenizer.json"]}
    kept = {run.model.key: run.scores.filter(strength=1.0).count() for run in Run.objects.all()}
    assert kept["same"] > 0 and kept["other"] == 0
    assert asking.measurement_of(again["same"], "causal") == measured["same"]
    assert asking.measurement_of(again["other"], "causal") != measured["other"]
    assert said[0] == "other: texts are now tokenized differently (tokenizer.json)"
    reread(say=said.append)
    assert len(said) == 2
