"""Little models in the layouts that models are published in, each with its own weights and how it reads a text."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sentencepiece
import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

TEXT = "The old dog slept near the door."
TEXTS = [TEXT, "The old dog slept on top of us.", "Anna visited Berlin in summer.", "A door is near the dog."] * 20
SIZES: dict[str, Any] = {
    "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48,
    "max_position_embeddings": 64,
}  # fmt: skip
GPT: dict[str, Any] = {"n_positions": 64, "n_embd": 24, "n_layer": 2, "n_head": 2}
BERT_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# The ids of a text, with start and end where the model is masked.
Ids = Callable[[str], list[int]]


@dataclass(frozen=True)
class Written:
    """A model in memory, and how its texts are to be read, by other means than ours."""

    model: Any
    ids: Ids


def drawn(model: Any) -> Any:
    torch.manual_seed(3)
    with torch.no_grad():
        for weights in model.parameters():
            weights.copy_(0.3 * torch.randn_like(weights) + (1.0 if weights.dim() == 1 else 0.0))
    return model.eval()


# --- Weights -----------------------------------------------------------------------------------------


def pickled(folder: Path, model: Any, *, shards: int = 1, dtype: Any = None, more: Any = None) -> None:
    """The weights in torch's own form, as they were published before safetensors."""
    model.config.save_pretrained(folder)
    held = {name: weight.clone() for name, weight in model.state_dict().items()} | (more or {})
    held = {name: weight.to(dtype) if dtype and weight.is_floating_point() else weight for name, weight in held.items()}
    if shards == 1:
        torch.save(held, folder / "pytorch_model.bin")
        return
    names = list(held)
    where = {name: f"pytorch_model-{place % shards + 1:05d}-of-{shards:05d}.bin" for place, name in enumerate(names)}
    for file in set(where.values()):
        torch.save({name: held[name] for name in names if where[name] == file}, folder / file)
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": where}))


# --- Tokenizers --------------------------------------------------------------------------------------


def word_pieces(folder: Path, *, cased: bool) -> tuple[int, Ids]:
    """vocab.txt alone."""
    texts = TEXTS if cased else [text.lower() for text in TEXTS]
    words = sorted({word.strip(".") for text in texts for word in text.split()})
    vocabulary = [*BERT_SPECIAL, ".", *words]
    folder.mkdir(exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")

    def ids(text: str) -> list[int]:
        parts = (text if cased else text.lower()).replace(".", " .").split()
        return [2, *map(vocabulary.index, parts), 3]

    return len(vocabulary), ids


def bytes_of(
    folder: Path, special: list[str], *, first: str = "", last: str = "", as_json: bool = False, lower: bool = False
) -> tuple[int, Ids]:
    """A byte-level vocabulary: vocab.json and merges.txt, or tokenizer.json."""
    made = Tokenizer(models.BPE())
    if lower:
        made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        TEXTS, trainers.BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet)
    )
    folder.mkdir(exist_ok=True)
    if as_json:
        made.save(str(folder / "tokenizer.json"))
    else:
        made.model.save(str(folder))

    def ids(text: str) -> list[int]:
        own = made.encode(text, add_special_tokens=False).ids
        ends = [made.get_vocab()[token] for token in (first, last) if token]
        return [ends[0], *own, ends[1]] if ends else list(own)

    return made.get_vocab_size(), ids


def pieces(
    folder: Path, name: str, *, around: tuple[int, ...] = (), moved: int = 0, kind: str = "unigram", **asked: Any
) -> tuple[int, Ids]:
    """A file of sentencepiece alone. `moved` is how far the model's numbers lie behind the file's."""
    folder.mkdir(exist_ok=True)
    options: dict[str, Any] = {
        "vocab_size": 90,
        "hard_vocab_limit": False,
        "minloglevel": 3,
        "model_type": kind,
    } | asked
    stem = folder / "trained"
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(TEXTS), model_prefix=str(stem), **options)
    stem.with_suffix(".model").rename(folder / name)
    stem.with_suffix(".vocab").unlink()
    reader = sentencepiece.SentencePieceProcessor(model_file=str(folder / name))

    def ids(text: str) -> list[int]:
        own = [one + moved for one in reader.encode(text)]
        return [around[0], *own, around[1]] if around else own

    return reader.get_piece_size(), ids


DEBERTA_PIECES: dict[str, Any] = {
    "pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3, "pad_piece": "[PAD]", "bos_piece": "[CLS]",
    "eos_piece": "[SEP]", "unk_piece": "[UNK]",
}  # fmt: skip
ALBERT_PIECES: dict[str, Any] = {
    "pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1, "pad_piece": "<pad>",
    "control_symbols": ["[CLS]", "[SEP]", "[MASK]"],
}  # fmt: skip
LLAMA_PIECES: dict[str, Any] = {
    "kind": "bpe", "byte_fallback": True, "vocab_size": 340, "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False, "split_digits": True,
}  # fmt: skip
GEMMA_PIECES = LLAMA_PIECES | {
    "add_dummy_prefix": False, "pad_id": 0, "eos_id": 1, "bos_id": 2, "unk_id": 3, "pad_piece": "<pad>",
    "eos_piece": "<eos>", "bos_piece": "<bos>",
}  # fmt: skip
ROBERTA_SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
DEBERTA_SPECIAL = ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"]

# --- Whole folders -----------------------------------------------------------------------------------


def of_bert(folder: Path, *, cased: bool = True, kind: str = "Bert", **sizes: Any) -> Written:
    size, ids = word_pieces(folder, cased=cased)
    config = getattr(transformers, f"{kind}Config")(vocab_size=size, **(sizes or SIZES))
    model = drawn(getattr(transformers, f"{kind}ForMaskedLM")(config))
    model.save_pretrained(folder)
    return Written(model, ids)


def bert_as_published(folder: Path) -> Written:
    """With pooler, next sentence, and norms by TensorFlow's names."""
    size, ids = word_pieces(folder, cased=True)
    whole = drawn(transformers.BertForPreTraining(transformers.BertConfig(vocab_size=size, **SIZES)))
    whole.save_pretrained(folder)
    path = folder / "model.safetensors"
    names = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    renamed = {}
    for name, weight in load_file(path).items():
        for new, old in names.items():
            name = name.replace(new, old)
        renamed[name] = weight
    save_file(renamed, path, {"format": "pt"})
    return Written(lambda input_ids: _Logits(whole(input_ids=input_ids).prediction_logits), ids)


class _Logits:
    def __init__(self, logits: Any) -> None:
        self.logits = logits


def bert_in_pickles(folder: Path) -> Written:
    size, ids = word_pieces(folder, cased=False)
    model = drawn(transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=size, **SIZES)))
    pickled(folder, model, shards=3)
    return Written(model, ids)


def roberta(folder: Path, *, as_json: bool = False) -> Written:
    size, ids = bytes_of(folder, ROBERTA_SPECIAL, first="<s>", last="</s>")
    model = drawn(transformers.RobertaForMaskedLM(transformers.RobertaConfig(vocab_size=size, pad_token_id=1, **SIZES)))
    model.save_pretrained(folder)
    if as_json:
        transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
        # As it is published: the mask takes the space before it.
        content = json.loads((folder / "tokenizer.json").read_text())
        for token in content["added_tokens"]:
            token["lstrip"] = token["content"] == "<mask>"
        (folder / "tokenizer.json").write_text(json.dumps(content))
    return Written(model, ids)


def deberta_1(folder: Path, *, published: bool = False) -> Written:
    size, ids = bytes_of(folder, DEBERTA_SPECIAL, first="[CLS]", last="[SEP]")
    config = transformers.DebertaConfig(vocab_size=size, legacy=not published, **SIZES)
    model = drawn(transformers.DebertaForMaskedLM(config))
    _as_published(folder, model) if published else model.save_pretrained(folder)
    return Written(model, ids)


def deberta_2(folder: Path, *, published: bool = False) -> Written:
    size, ids = pieces(folder, "spm.model", around=(1, 2), **DEBERTA_PIECES)
    config = transformers.DebertaV2Config(
        vocab_size=size + 10, legacy=not published, relative_attention=True, pos_att_type=["c2p", "p2c"], **SIZES
    )
    model = drawn(transformers.DebertaV2ForMaskedLM(config))
    if published:
        more = {"mask_predictions.dense.weight": torch.ones(24, 24), "mask_predictions.classifier.bias": torch.ones(1)}
        _as_published(folder, model, more=more)
    else:
        model.save_pretrained(folder)
    return Written(model, ids)


def _as_published(folder: Path, model: Any, *, more: Any = None) -> None:
    pickled(folder, model, more=more)
    config = json.loads((folder / "config.json").read_text())
    # Its authors' says nothing of it, nor what the weights are for.
    for name in ("legacy", "architectures"):
        config.pop(name, None)
    (folder / "config.json").write_text(json.dumps(config))


def of_pieces(folder: Path, shape: str, name: str, *, rows: int = 0, head: str = "MaskedLM", **how: Any) -> Written:
    more = {"pad_token_id": 1} if shape in ("XLMRoberta", "Camembert") else {}
    more |= {"embedding_size": 16} if shape == "Albert" else {}
    more |= {"num_key_value_heads": 2, "head_dim": 12} if head == "CausalLM" else {}
    size, ids = pieces(folder, name, **how)
    config = getattr(transformers, f"{shape}Config")(vocab_size=size + rows, **SIZES | more)
    model = drawn(getattr(transformers, f"{shape}For{head}")(config))
    model.save_pretrained(folder)
    return Written(model, ids)


def of_bytes(folder: Path, config: Any, **how: Any) -> Written:
    made = {name: how.pop(name) for name in ("as_json", "lower") if name in how}
    size, ids = bytes_of(folder, ["<|endoftext|>"], **made)
    model = drawn(transformers.AutoModelForCausalLM.from_config(config(size)))
    if how.pop("in_pickles", False):
        pickled(folder, model, **how)
        return Written(model if "dtype" not in how else model.to(how["dtype"]).float(), ids)
    model.save_pretrained(folder, **how)
    return Written(model, ids)


def gpt2(size: int) -> Any:
    return transformers.GPT2Config(vocab_size=size, **GPT)


def gptj(size: int) -> Any:
    return transformers.GPTJConfig(vocab_size=size, rotary_dim=4, **GPT)


def neox(size: int) -> Any:
    return transformers.GPTNeoXConfig(vocab_size=size, **SIZES)


def qwen2(size: int) -> Any:
    return transformers.Qwen2Config(vocab_size=size, num_key_value_heads=2, **SIZES)
