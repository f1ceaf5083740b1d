"""Published data sets and corpora that are not ours to carry. Tests that read them are skipped where they are not."""

import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("SHARED_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def shared(name: str = ".") -> Path:
    """A file or folder of the shared data, by its path there. Called in the test or fixture that reads it."""
    found = FOLDER / name
    if not found.exists():
        pytest.skip(f"{found} is not there; set SHARED_DATA to the folder that has the shared data.")
    return found
