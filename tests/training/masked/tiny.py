"""A tiny BERT encoder with weights drawn by a seed, and text that it can learn in seconds."""

import random
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from training.masked.settings import Settings, Wanted

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ANIMALS = ["dog", "cat", "horse", "bird", "cow", "fox", "hen", "goat"]
VERBS = ["sees", "hears", "likes", "chases", "feeds", "finds"]
PLACES = ["garden", "house", "forest", "street", "field", "river"]
WORDS = ["the", "a", "in", "near", "and", ".", "!", "then", "they", "rest", *ANIMALS, *VERBS, *PLACES]
# Small enough for seconds, large enough for rows of several lines and steps of several batches.
QUICK = Settings(held_out=0.1, rows=32, batch=128, step=512, rate=5e-3, warm_up=4)


def write_encoder(folder: Path, *, seed: int = 5) -> Path:
    """A BERT without a head, with a pooler as the packaged one has: two layers, 32 wide, whole words for tokens.

    Its tokenizer asks to be cut and filled up, as the packaged one does.
    """
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    made = Tokenizer(models.WordLevel({word: number for number, word in enumerate([*SPECIAL, *WORDS])}, "[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.enable_truncation(8)
    made.enable_padding(length=8)
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, model_max_length=64, mask_token="[MASK]", **names
    ).save_pretrained(folder)
    return folder


def lines(count: int, *, seed: int = 1) -> list[str]:
    """Sentences of one to three clauses; some come again."""
    rng = random.Random(seed)

    def clause() -> str:
        return (
            f"the {rng.choice(ANIMALS)} {rng.choice(VERBS)} a {rng.choice(ANIMALS)} "
            f"{rng.choice(['in', 'near'])} the {rng.choice(PLACES)}"
        )

    return [" and ".join(clause() for _ in range(rng.choice([1, 1, 2, 3]))) + " ." for _ in range(count)]


def write_text(folder: Path, count: int = 600) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "text.txt"
    path.write_text("\n".join(lines(count)) + "\n")
    return path


def wanted(tmp_path: Path, out: str, **changes: Any) -> Wanted:
    """A run of 12 steps on that text; encoder and text are made where they are not there yet."""
    encoder, text = tmp_path / "encoder", tmp_path / "corpus" / "text.txt"
    if not encoder.exists():
        write_encoder(encoder)
        write_text(tmp_path / "corpus")
    asked = {"sources": (text,), "encoder": encoder, "out": tmp_path / out, "settings": QUICK, "steps": 12}
    return Wanted(**{**asked, **changes})
