"""Weights that come pickled (`pytorch_model.bin`) become safetensors, once, in a process with limits of its own.

`python -m scoring.library.pickled FOLDER TARGET` is that process. It reads with torch's `weights_only`, which runs no
code of the file and takes nothing but tensors; nothing is pickled here.
"""

import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corpus.own_process import without_secrets
from corpus.provenance import digest, sha256
from corpus.whole import whole_folder
from scoring.library.locks import in_turn
from scoring.scorers.contract import ModelError
from scoring.scorers.networks.weights import CONVERSION, INDEX, WHOLE, deciding_files, named_in

ROOT = Path(__file__).resolve().parents[2]
PICKLED, PICKLED_INDEX = "pytorch_model.bin", "pytorch_model.bin.index.json"
# torch's own code, and what a file needs: some are read whole, and a part of them is copied.
BASE_BYTES, TIMES = 12 * 1024**3, 3
MOST_SECONDS = 3600
PART_BYTES = 1024**3
REFUSED = 3


def pickled_files(folder: Path) -> list[Path]:
    """The pickled weights of a folder that has no others: one file, or those that its index names; else none."""
    if (folder / WHOLE).exists() or (folder / INDEX).exists():
        return []
    if (folder / PICKLED).is_file():
        return [folder / PICKLED]
    if not (folder / PICKLED_INDEX).is_file():
        return []
    files = [folder / name for name in named_in(folder / PICKLED_INDEX)]
    if lost := [file.name for file in files if file.parent != folder or not file.is_file()]:
        raise ModelError(f"{folder / PICKLED_INDEX} names weights that are not in the folder: {', '.join(lost)}")
    return files


def converted(folder: Path, *, origin: str, models_dir: Path) -> Path:
    """A folder under `models_dir` with the same model in safetensors, made if it is not there.

    Its name is that of what it was made of, so that the same files are converted once. `origin` is where they come
    from, as a reader names it. ModelError if the file holds anything but weights.
    """
    pickles = {file.name: sha256(file) for file in pickled_files(folder)}
    hashes = {path.name: sha256(path) for path in deciding_files(folder)}
    place = models_dir / f"converted-{digest([pickles, hashes])[:16]}"
    models_dir.mkdir(parents=True, exist_ok=True)
    with in_turn(models_dir / f".{place.name}.lock", waiting=lambda: None):
        if not place.exists():
            with whole_folder(place, is_locked=True) as target:
                for name in hashes:
                    shutil.copyfile(folder / name, target / name)
                _convert_apart(folder, target)
                made_of = {"origin": origin, "weights_sha256": pickles}
                (target / CONVERSION).write_text(json.dumps(made_of, indent=2, sort_keys=True) + "\n")
    return place


def _convert_apart(folder: Path, target: Path) -> None:
    command = [sys.executable, "-m", "scoring.library.pickled", str(folder), str(target)]
    try:
        # Python itself, and arguments of our own making.
        completed = subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=without_secrets(), capture_output=True, text=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ModelError(f"{folder}: its weights take more than an hour to convert to safetensors") from None
    if completed.returncode == REFUSED:
        raise ModelError(f"{folder}: {completed.stdout.strip()}")
    if completed.returncode:
        raise ModelError(
            f"{folder}: its pickled weights take too much memory or time to read, or are damaged; convert them to "
            f"safetensors first"
        )


# --- In the process of its own ------------------------------------------------------------------------


class _NotWeights(ValueError):
    """str() says what is in the file instead."""


def _main(folder: Path, target: Path) -> int:
    files = pickled_files(folder)
    most = BASE_BYTES + TIMES * max(file.stat().st_size for file in files)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    # Only here: whoever asks for a conversion needs no torch.
    from safetensors.torch import save_file

    try:
        held: dict[str, list[str]] = {}
        for number, part in enumerate(_parts(files)):
            name = f"part-{number}.safetensors"
            save_file(part, target / name, {"format": "pt"})
            held[name] = list(part)
    except _NotWeights as error:
        print(error)
        return REFUSED
    _name(target, held)
    return 0


def _parts(files: list[Path]) -> Iterator[dict[str, Any]]:
    """All weights, about PART_BYTES at a time; each with memory of its own, as safetensors wants it."""
    part: dict[str, Any] = {}
    size = 0
    for file in files:
        for name, weight in _weights(file).items():
            part[name] = weight.detach().clone().contiguous()
            size += part[name].nbytes
            if size >= PART_BYTES:
                yield part
                part, size = {}, 0
    if part:
        yield part


def _weights(file: Path) -> Mapping[str, Any]:
    import torch

    try:
        # Mapped, a file needs no memory of its size. The form of before torch 1.6 cannot be.
        weights = torch.load(file, map_location="cpu", weights_only=True, mmap=_is_zip(file))
    except MemoryError:
        raise
    # torch raises whatever it stumbles over in a file that is not what it says.
    except Exception as error:
        raise _NotWeights(
            f"{file.name} contains something other than weights, or is damaged, and was not read "
            f"({str(error).strip().splitlines()[0][:160] if str(error).strip() else type(error).__name__})"
        ) from error
    if not isinstance(weights, Mapping):
        raise _NotWeights(f"{file.name} holds no weights by name")
    others = [str(name) for name, weight in weights.items() if not isinstance(weight, torch.Tensor)]
    if others:
        raise _NotWeights(f"{file.name} holds more than weights: {', '.join(others[:5])}")
    return weights


def _is_zip(file: Path) -> bool:
    with file.open("rb") as start:
        return start.read(4) == b"PK\x03\x04"


def _name(target: Path, held: Mapping[str, list[str]]) -> None:
    """The names that transformers looks for: one file, or several with an index."""
    if len(held) == 1:
        (target / next(iter(held))).rename(target / WHOLE)
        return
    where: dict[str, str] = {}
    for number, (part, names) in enumerate(held.items(), 1):
        name = f"model-{number:05d}-of-{len(held):05d}.safetensors"
        (target / part).rename(target / name)
        where |= dict.fromkeys(names, name)
    size = sum((target / name).stat().st_size for name in set(where.values()))
    (target / INDEX).write_text(json.dumps({"metadata": {"total_size": size}, "weight_map": where}))


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1]), Path(sys.argv[2])))
