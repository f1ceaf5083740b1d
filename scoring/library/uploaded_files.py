"""What may be uploaded as a model: config.json, tokenizer files and safetensors, told by name and by content.

Nothing here opens a model, runs what it reads or takes a pickle. Sizes are bounded before anything is read whole.
"""

import json
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from safetensors import SafetensorError, safe_open

from scoring.scorers.contract import ModelError
from scoring.scorers.networks.weights import CONFIG, INDEX, INSTEAD, deciding

WEIGHTS, JSON, TEXT, PIECES = ".safetensors", (".json",), (".txt", ".codes", ".tiktoken", ".jinja"), (".model", ".spm")
GENERATION = "generation_config.json"
# What a model's folder often has beside it and nobody reads here: it is passed over, not kept.
PASSED_OVER = (
    "readme*", "license*", "notice*", "use_policy*", ".git*", ".ds_store", "._*", "thumbs.db", "desktop.ini",
)  # fmt: skip
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle", "*.joblib", "*.npy", "*.npz")
CODE = ("*.py", "*.pyc", "*.pyo", "*.pyd", "*.so", "*.dll", "*.dylib", "*.sh", "*.bat", "*.exe", "*.ipynb", "*.js")
# A tokenizer of 260,000 words has some 35 MB and three million values.
MOST_BYTES_BESIDE_WEIGHTS, MOST_VALUES, LONGEST_HEADER = 48 * 1024**2, 6_000_000, 16 * 1024**2
LONGEST_NAME = 100
# A tokenizer may come as a message of sentencepiece, whose first field is a piece.
FIRST_FIELD = b"\n"


class UploadRefused(ModelError):
    """str() names the files, and what is wrong with each."""


def shown(name: str) -> str:
    """A name as a sentence holds it, whatever somebody has put into it."""
    return (name if name.isprintable() else ascii(name))[:LONGEST_NAME]


def is_passed_over(name: str) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in PASSED_OVER)


def fault_of_name(name: str) -> str:
    """What is wrong with a file of that name; empty where it belongs to a model."""
    low = name.lower()
    if len(name) > LONGEST_NAME or not name.isprintable():
        return "has a name that is too long or cannot be printed"
    if any(fnmatchcase(low, pattern) for pattern in CODE):
        return "is code, which is never run here"
    for pattern, what in INSTEAD.items():
        if pattern != "*.bin" and fnmatchcase(low, pattern):
            return what
    if any(fnmatchcase(low, pattern) for pattern in PICKLED):
        return "may be pickled: save the model as safetensors"
    suffix = Path(name).suffix
    if suffix == WEIGHTS or name in (INDEX, GENERATION):
        return ""
    is_read = suffix in (*JSON, *TEXT, *PIECES) and bool(deciding({name: ""}))
    return "" if is_read else "is not a model, tokenizer or safetensors file"


def faults_together(names: Iterable[str]) -> list[str]:
    """What the files lack that every model has."""
    there = set(names)
    faults = [] if CONFIG in there else [f"{CONFIG} is missing"]
    return faults if any(name.endswith(WEIGHTS) for name in there) else [*faults, "a .safetensors file is missing"]


def require_content(folder: Path) -> None:
    """UploadRefused where a file holds something else than its name says."""
    found = [(path.name, _fault_of_content(path)) for path in sorted(folder.iterdir())]
    if faults := [f"{name} {fault}" for name, fault in found if fault]:
        raise UploadRefused("; ".join(faults))


def _fault_of_content(path: Path) -> str:
    if path.suffix == WEIGHTS:
        return _fault_of_weights(path)
    if (size := path.stat().st_size) > MOST_BYTES_BESIDE_WEIGHTS:
        return f"has {size // 1024**2:,} MB; at most {MOST_BYTES_BESIDE_WEIGHTS // 1024**2} MB are read"
    data = path.read_bytes()
    if path.suffix in PIECES and data.startswith(FIRST_FIELD):
        return ""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "is not text in UTF-8" if path.suffix not in PIECES else "is not a sentencepiece model"
    if "\0" in text:
        return "is not text: it holds a NUL character"
    return _fault_of_json(text) if path.suffix in JSON else ""


def _fault_of_json(text: str) -> str:
    # A bound on how many values there are: each has one of these before it.
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        return f"holds more than {MOST_VALUES:,} values"
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"is not valid JSON ({str(error)[:100]})"
    return "" if isinstance(found, dict) else "is not a JSON object"


def _fault_of_weights(path: Path) -> str:
    """The file's own reader holds its header to its length: offsets cover the file and nothing else."""
    with path.open("rb") as file:
        header = int.from_bytes(file.read(8), "little")
    if header > LONGEST_HEADER:
        return "is not a safetensors file"
    try:
        with safe_open(path, framework="numpy") as weights:
            return "" if weights.keys() else "holds no weights"
    except (SafetensorError, OSError, ValueError) as error:
        return f"is not a safetensors file ({str(error)[:100]})"
