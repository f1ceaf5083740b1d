"""A tiny encoder with weights drawn by a seed, and items that it can learn in seconds."""

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from annotation.itemfile import ItemRow

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
NOUNS = ["lamp", "key", "dog", "door", "boat", "song", "horse", "clock", "leaf", "road", "coat", "king"]
# What the modifier does does not hang on the noun, so that a small model can learn it from few items.
EFFECTS = {"dead": "impossible", "false": "less_likely", "red": "equally_likely", "strong": "more_likely"}
WORDS = ["A", "helps", "people", ".", *NOUNS, *EFFECTS, "is", "the", "here", "?", "yes", "no", "There", "no", "one"]
LONGEST = 40


def write_encoder(folder: Path, *, seed: int = 5) -> Path:
    """A BERT without a head: two layers, 32 wide, with a vocabulary of whole words."""
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=60,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
    )
    transformers.BertModel(config).save_pretrained(folder)
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys([*SPECIAL, *WORDS]))}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, model_max_length=LONGEST, mask_token="[MASK]", **names
    ).save_pretrained(folder)
    return folder


def adept_rows() -> list[ItemRow]:
    """Every noun with every modifier, 48 items; those of one noun share their original sentence and their group."""
    return [
        ItemRow(
            f"{noun}-{modifier}",
            {
                "original": f"A {noun} helps people .",
                "modified": f"A {modifier} {noun} helps people .",
                "modifier": modifier,
                "noun": noun,
            },
            reference=effect,
            group=noun,
        )
        for noun in NOUNS
        for modifier, effect in EFFECTS.items()
    ]


def boolq_rows() -> list[ItemRow]:
    """The passage decides; the question alone says nothing."""
    return [
        ItemRow(
            f"{noun}-{answer}",
            {"question": f"is the {noun} here ?", "passage": f"There is {word} {noun} here ."},
            reference=answer,
            group=noun,
        )
        for noun in NOUNS
        for answer, word in (("yes", "one"), ("no", "no"))
    ]
