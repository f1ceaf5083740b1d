"""What runs before a merge can be run, and runs the whole suite last. Its processes tell what one alone would."""

import os
import subprocess

import pytest

from tests.forked import run
from tests.house.sources import ROOT

CONFTEST = """
from tests import copies
from tests.copies import pytest_addoption, pytest_runtestloop

copies.HANG = 20.0
"""
ONE = """
import logging
import os
import time
import warnings
from django.conf import settings

def test_it_passes():
    warnings.warn("a warning of the first")
    (settings.VAR_DIR / "mine").write_text(str(os.getpid()))

def test_it_has_a_folder_of_its_own(tmp_path, capsys):
    logging.warning("a line of a log")
    assert capsys.readouterr().err == "", "the log is pytest's, not an error of it"
    assert (settings.VAR_DIR / "mine").read_text() == str(os.getpid())
    assert os.environ["PARALLAX_VAR"] == str(settings.VAR_DIR)
    assert settings.VAR_DIR.name in str(tmp_path)

def test_it_hangs():
    time.sleep(600)
"""
TWO = """
import os
import pytest

def test_it_fails():
    assert "said" == "done"

def test_its_process_dies():
    os._exit(3)

def test_another_goes_on():
    pass

@pytest.mark.skip(reason="said why")
def test_it_is_skipped():
    pass
"""


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


THREE = """
import os
import time
import pytest

@pytest.fixture(scope="session")
def server():
    yield
    raise ValueError("it does not stop")

def test_it_leaves_a_process_and_dies(server):
    if not os.fork():
        time.sleep(60)
        os._exit(0)
    os._exit(4)

def test_its_server_is_taken_down(server):
    pass
"""


@pytest.mark.slow
def test_outcomes_warnings_and_deaths_are_told(tmp_path):
    files = {"conftest.py": CONFTEST, "test_one.py": ONE, "test_two.py": TWO, "test_three.py": THREE}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    options = ["-p", "no:cacheprovider", "-p", "no:schemathesis", "--ds", "tests.settings", "-rs"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "PARALLAX_VAR": str(tmp_path / "var")}
    said = run("-m", "pytest", "--rootdir", str(tmp_path), "--processes", "3", *options, str(tmp_path), env=env)
    assert said.returncode == 1, said.stdout
    assert "4 failed, 4 passed, 1 skipped" in said.stdout
    assert "assert 'said' == 'done'" in said.stdout
    assert "1 error in" in said.stdout and "it does not stop" in said.stdout
    assert "ended with 3 in this test" in said.stdout
    assert "ended with 4 in this test" in said.stdout
    assert "ended with -6 in this test" in said.stdout
    assert "a warning of the first" in said.stdout
    assert "said why" in said.stdout
