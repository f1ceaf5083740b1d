"""GGUF to safetensors, once. Run as `python -m scoring.library.conversion FILE.gguf FOLDER`.

A process of its own, because reading a GGUF file means dequantizing all of it: a minute of work and more
than a gigabyte of memory that nobody needs afterwards. The weights come out as float32.
"""

import sys
from pathlib import Path

# What `tokenizer.ggml.pre` names. GGUF gives a split pattern by name only, and transformers reads every
# GPT-2-like tokenizer with GPT-2's pattern. SmolLM was trained with single digits ("1871" is four tokens).
SINGLE_DIGITS = frozenset({"smollm"})


def convert(source: Path, target: Path) -> None:
    """Write `source` to the folder `target` as config.json, safetensors (tied weights once) and a fast tokenizer."""
    from tokenizers import pre_tokenizers
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    quantized = AutoModelForCausalLM.from_pretrained(source.parent, gguf_file=source.name, dtype="float32")
    config = AutoConfig.from_pretrained(source.parent, gguf_file=source.name)
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    config.dtype = "float32"
    # A fresh model, so that nothing of the quantized one is written into the folder's config.
    plain = type(quantized)(config)
    plain.load_state_dict(quantized.state_dict())
    plain.tie_weights()
    plain.save_pretrained(target)

    tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    if _pre_tokenizer_name(source) in SINGLE_DIGITS:
        tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
        )
    tokenizer.save_pretrained(target)
    let_read(target)


def let_read(folder: Path) -> None:
    """Newer versions of safetensors write weights for their owner alone; a worker may be another user."""
    for path in folder.iterdir():
        path.chmod(0o644)


def _pre_tokenizer_name(source: Path) -> str:
    from gguf import GGUFReader

    field = GGUFReader(source).fields.get("tokenizer.ggml.pre")
    return str(field.contents()) if field is not None else ""


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
