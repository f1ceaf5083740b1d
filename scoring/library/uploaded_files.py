"""What may be uploaded as a model: config.json, tokenizer files and safetensors, told by name and by content.

Nothing here runs what it reads or takes a pickle, and sizes are bounded before anything is read whole. A model is first
opened by `python -m scoring.library.uploaded_files FOLDER FAMILY`, a process with limits of its own: a few numbers in
config.json may ask for any memory and time.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from safetensors import SafetensorError, safe_open

from corpus.bounds import fault_of_depth, fault_of_values
from corpus.formats.source import is_of_system
from corpus.own_process import without_secrets
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.networks.weights import CONFIG, INDEX, INSTEAD, TOKENIZER_CONFIG, deciding
from scoring.scorers.rendering import TooSlow

WEIGHTS, JSON, TEXT, PIECES = ".safetensors", (".json",), (".txt", ".codes", ".tiktoken", ".jinja"), (".model", ".spm")
GENERATION = "generation_config.json"
# What a model's folder often has beside it and nobody reads here: it is passed over, not kept.
PASSED_OVER = ("readme*", "license*", "notice*", "use_policy*", ".git*")
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle", "*.joblib", "*.npy", "*.npz")
CODE = ("*.py", "*.pyc", "*.pyo", "*.pyd", "*.so", "*.dll", "*.dylib", "*.sh", "*.bat", "*.exe", "*.ipynb", "*.js")
# A tokenizer of 260,000 words has some 35 MB and three million values.
MOST_BYTES_BESIDE_WEIGHTS, LONGEST_HEADER = 48 * 1024**2, 16 * 1024**2
LONGEST_NAME = 100
# Files that may ask for Python code beside them.
NAMING_CODE = (CONFIG, TOKENIZER_CONFIG, GENERATION)
# What opening may take: torch itself, and a few times the weights; seconds of a processor, and of a clock.
BASE_BYTES, TIMES, MOST_SECONDS, PATIENCE = 3 * 1024**3, 4, 120, 600
ROOT = Path(__file__).resolve().parents[2]
REFUSED = 3
# A tokenizer may come as a message of sentencepiece, whose first field is a piece.
FIRST_FIELD = b"\n"


class UploadRefused(ModelError):
    """str() names the files, and what is wrong with each."""


def shown(name: str) -> str:
    """A name as a sentence holds it, whatever somebody has put into it."""
    return (name if name.isprintable() else ascii(name))[:LONGEST_NAME]


def is_passed_over(name: str) -> bool:
    return is_of_system(PurePosixPath(name)) or any(fnmatchcase(name.lower(), pattern) for pattern in PASSED_OVER)


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
    present = set(names)
    faults = [] if CONFIG in present else [f"{CONFIG} is missing"]
    return faults if any(name.endswith(WEIGHTS) for name in present) else [*faults, "a .safetensors file is missing"]


def require_content(folder: Path) -> None:
    """UploadRefused where a file holds something else than its name says."""
    checks = [(path.name, _fault_of_content(path)) for path in sorted(folder.iterdir())]
    if faults := [f"{name} {fault}" for name, fault in checks if fault]:
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
    return _fault_of_json(text, of_model=path.name in NAMING_CODE) if path.suffix in JSON else ""


def _fault_of_json(text: str, *, of_model: bool) -> str:
    if wrong := fault_of_values(text):
        return wrong
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"is not valid JSON ({str(error)[:100]})"
    if not isinstance(parsed, dict):
        return "is not a JSON object"
    if wrong := fault_of_depth(parsed):
        return wrong
    return "names code of its own (auto_map), which is never run here" if of_model and "auto_map" in parsed else ""


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


def require_opens(folder: Path, *, family: str) -> None:
    """UploadRefused where the model cannot be opened, or not with what its size allows."""
    command = [sys.executable, "-m", "scoring.library.uploaded_files", str(folder), family]
    env = without_secrets(CUDA_VISIBLE_DEVICES="", OMP_NUM_THREADS="1")
    try:
        # Python itself, and arguments of our own making.
        completed = subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        completed = None
    if completed is not None and completed.returncode == REFUSED:
        raise UploadRefused(completed.stdout.strip().replace(str(folder), "the upload"))
    if completed is None or completed.returncode:
        raise UploadRefused(f"{CONFIG} describes a model that takes more memory or time to open than its weights allow")


# --- In the process of its own ------------------------------------------------------------------------


def _main(folder: Path, family: str) -> int:
    weights = sum(path.stat().st_size for path in folder.glob(f"*{WEIGHTS}"))
    most = BASE_BYTES + TIMES * weights
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    # Imported here, because the process that asks needs no torch.
    from scoring.scorers.networks.loaded import load
    from scoring.scorers.networks.quiet import quiet

    spec = ModelSpec(method=family, source=str(folder))
    try:
        with quiet():
            loaded = load(spec)
            if family == "causal" and loaded.tokenizer.chat_template:
                _try_template(spec)
    except ModelError as error:
        print(error)
        return REFUSED
    return 0


def _try_template(spec: ModelSpec) -> None:
    """TooSlow for a chat template that goes on and on. Any other is a matter for those who prompt the model."""
    from scoring.scorers.prompted import PromptedScorer

    try:
        PromptedScorer(spec, metric="prompted", settings={})
    except TooSlow:
        raise
    except ModelError:
        return


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1]), sys.argv[2]))
