"""The layouts that cannot be used: each is refused in a sentence that says what is wrong and what helps."""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from scoring.models import LanguageModel
from tests.scoring.library.layouts import (
    LLAMA_PIECES,
    SIZES,
    bert_in_pickles,
    drawn,
    gpt2,
    of_bert,
    of_bytes,
    of_pieces,
    pieces,
    word_pieces,
)
from tests.scoring.library.little_models import refusal

pytestmark = pytest.mark.django_db
# A process that loads torch is started for these.
PICKLED = [pytest.mark.slow]


@pytest.fixture(autouse=True)
def own_models(tmp_path, settings):
    settings.MODELS_DIR = tmp_path / "models"


def stripped(folder: Path) -> Path:
    """A BERT's folder without its weights."""
    of_bert(folder)
    (folder / "model.safetensors").unlink()
    return folder


def of_another_file(name: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (stripped(folder) / name).write_bytes(b"GGUF")

    return write


def adapter(folder: Path) -> None:
    stripped(folder)
    (folder / "config.json").unlink()
    (folder / "adapter_config.json").write_text("{}")


def architecture_of_its_own(folder: Path) -> None:
    of_bert(folder)
    config = {"model_type": "ours", "auto_map": {"AutoConfig": "code.Config"}}
    (folder / "config.json").write_text(json.dumps(config))


def code_of_its_own(folder: Path) -> None:
    of_bert(folder)
    config = {"auto_map": {"AutoTokenizer": ["code.Reader", None]}, "tokenizer_class": "Reader"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))


RAN = Path(tempfile.gettempdir()) / f"parallax-ran-code-{os.getpid()}"


class Harmful:
    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (RAN,))


def harmful(folder: Path) -> None:
    stripped(folder)
    torch.save({"weight": Harmful()}, folder / "pytorch_model.bin")


def plain_pickle(folder: Path) -> None:
    torch.save(Harmful(), stripped(folder) / "pytorch_model.bin", _use_new_zipfile_serialization=False)


def whole_model(folder: Path) -> None:
    torch.save({"epoch": 3, "weight": torch.ones(2)}, stripped(folder) / "pytorch_model.bin")


def torn(folder: Path) -> None:
    written = stripped(folder) / "pytorch_model.bin"
    torch.save({"weight": torch.ones(20_000)}, written)
    written.write_bytes(written.read_bytes()[:9_000])


def part_lost(folder: Path) -> None:
    bert_in_pickles(folder)
    (folder / "pytorch_model-00002-of-00003.bin").unlink()


def discriminator(folder: Path) -> None:
    size, _ = word_pieces(folder, cased=True)
    transformers.ElectraForPreTraining(transformers.ElectraConfig(vocab_size=size, **SIZES)).save_pretrained(folder)


def t5(folder: Path) -> None:
    size, _ = pieces(folder, "spiece.model")
    config = transformers.T5Config(vocab_size=size + 100, d_model=24, d_kv=12, d_ff=48, num_layers=1, num_heads=2)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)


def ranks_of_bytes(folder: Path) -> None:
    of_pieces(folder, "Llama", "tokenizer.model", head="CausalLM", **LLAMA_PIECES)
    (folder / "tokenizer.model").write_text("IQ== 0\nIg== 1\n")


def start_beyond(folder: Path) -> None:
    of_bytes(folder, gpt2, as_json=True)
    told = {"tokenizer_class": "GPT2Tokenizer", "bos_token": "<begin>", "eos_token": "<|endoftext|>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))


def mask_beyond(folder: Path) -> None:
    made = Tokenizer(models.WordLevel({"The": 0, "[UNK]": 1, "old": 2}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    backend: Any = transformers.PreTrainedTokenizerFast
    backend(tokenizer_object=made, unk_token="[UNK]", mask_token="[MASK]").save_pretrained(folder)
    drawn(transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=3, **SIZES))).save_pretrained(folder)


def another_vocabulary(folder: Path) -> None:
    of_bert(folder)
    (folder / "vocab.txt").write_text((folder / "vocab.txt").read_text() + "more\nwords\n")


REFUSED: dict[str, tuple[Callable[[Path], Any], str, str, list[Any]]] = {
    "GGUF": (of_another_file("model.Q4.gguf"), "", "model.Q4.gguf is quantized and cannot be read", []),
    "TensorFlow's": (of_another_file("tf_model.h5"), "", "tf_model.h5 is TensorFlow's", []),
    "Flax's": (of_another_file("flax_model.msgpack"), "", "flax_model.msgpack is Flax's", []),
    "an adapter": (adapter, "", "adapter_config.json is an adapter: merge it into its base model", []),
    "an architecture of its own": (architecture_of_its_own, "", "the model's own code (auto_map) is not run", []),
    "a tokenizer of its own": (code_of_its_own, "", "needs its own tokenizer code", []),
    "a pickle that runs code": (harmful, "", "contains something other than weights", PICKLED),
    "a pickle of no weights": (plain_pickle, "", "contains something other than weights", PICKLED),
    "a pickle of more than weights": (whole_model, "", "holds more than weights: epoch", PICKLED),
    "a torn pickle": (torn, "", "or is damaged", PICKLED),
    "a part that is lost": (part_lost, "", "not in the folder: pytorch_model-00002-of-00003.bin", []),
    "ELECTRA's discriminator": (discriminator, "", "lacks weights for a masked language model: generator", []),
    "T5 as masked": (t5, "", "has the architecture 't5', which has no masked model", []),
    "T5 as causal": (t5, "</s>", "has the architecture 't5', which has no causal model", []),
    "tokenizer.model of another kind": (ranks_of_bytes, "<s>", "tokenizer.model is no file of sentencepiece", []),
    "a start token beyond the embeddings": (start_beyond, "<begin>", "has embeddings for 3", []),
    "a mask beyond the embeddings": (mask_beyond, "", "'[MASK]' of its tokenizer is number 3", []),
    "another model's vocabulary": (another_vocabulary, "", "'more' of its tokenizer is number", []),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("write", "start", "sentence"),
    [pytest.param(write, start, told, id=name, marks=marks) for name, (write, start, told, marks) in REFUSED.items()],
)
def test_what_cannot_be_used_is_refused_in_a_sentence_of_ours(tmp_path, write, start, sentence):
    write(tmp_path / "model")
    told = refusal(1, "mine", tmp_path / "model", "causal" if start else "masked", start_token=start)
    assert sentence in told
    assert not any(word in told for word in ("use_safetensors", "tiktoken", "Unrecognized", "IndexError"))
    assert not LanguageModel.objects.exists()
    assert not RAN.exists()
