"""The arrows between the rooms run one way (the contracts stand in pyproject.toml)."""

import subprocess
import sys
from pathlib import Path

from tests.house.sources import ROOT


def test_import_contracts_hold():
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
