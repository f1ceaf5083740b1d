"""Little causal models of any shape, with a tokenizer of whole words."""

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

WORDS = ["[UNK]", "<s>", "</s>", "<sep>", "The", "old", "dog", "slept", "near", "the", "door", "."]
LLAMA: dict[str, Any] = {
    "vocab_size": len(WORDS),
    "hidden_size": 24,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


def written(folder: Path, config: Any, *, begins: str = "<s>", ends: str = "</s>") -> Path:
    """A model with the weights that it was made with, and a tokenizer of whole words."""
    torch.manual_seed(5)
    transformers.AutoModelForCausalLM.from_config(config).eval().save_pretrained(folder)
    made = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, unk_token="[UNK]", bos_token=begins, eos_token=ends
    ).save_pretrained(folder)
    return folder


def chatting(
    folder: Path, template: object = "{% for m in messages %}{{ m.content }} {% endfor %}{{ 'door ' }}"
) -> Path:
    """A little Llama that has a chat template."""
    written(folder, transformers.LlamaConfig(**LLAMA))
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    return folder
