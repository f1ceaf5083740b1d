"""Little models in folders, and `add_model` for them."""

from pathlib import Path
from typing import Any

import pytest
import transformers
from django.core.management import CommandError, call_command
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from tests.scoring.scorers.shapes import BERT

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<s>"]
WORDS = ["The", "old", "dog", "slept", "near", "the", "door", "on", "top", "of", "us", "."]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
SIZE: dict[str, Any] = BERT | {"vocab_size": 30}


def write_tokenizer(folder: Path, *, mask: bool = True) -> None:
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *dict.fromkeys(WORDS)])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    if mask:
        names["mask_token"] = "[MASK]"
    transformers.PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=40, **names).save_pretrained(folder)


def write_model(folder: Path, made: Any, *, mask: bool = True, **options: Any) -> Path:
    made.eval().save_pretrained(folder, **options)
    write_tokenizer(folder, mask=mask)
    return folder


def add(key, source, family="masked", **options):
    call_command("add_model", key, source=str(source), family=family, **options)


def refusal(code, *arguments, **options):
    with pytest.raises(CommandError) as refused:
        add(*arguments, **options)
    assert refused.value.returncode == code, refused.value
    return str(refused.value)
