"""What runs before a merge is there, can be run, and runs the whole suite last."""

import os
import subprocess

from tests.house.sources import ROOT


def test_ci_run_is_executable_and_ends_with_the_tests():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = script.read_text().splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert "set -euo pipefail" in lines
    assert lines.index("make -k lint || failed=$?") < lines.index('make test ARGS="--durations 50" || failed=$?')


def test_ci_run_is_valid_bash():
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)


def test_make_knows_what_the_readme_promises():
    for target in ("run", "test", "check", "format"):
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)
