"""A training that is killed with -9 goes on where it was, to the same bytes; an interrupt stops it in good order."""

import os
import signal
import time
from dataclasses import replace

import pytest

from scoring.library.locks import exclusive_folder
from scoring.scorers.lstm_model.folder import CARD, WEIGHTS
from tests import forked
from tests.training.lstm.small import SMALL, prepared, trained
from training.shared.checkpoint import CHECKPOINT

pytestmark = pytest.mark.slow
LONG = replace(SMALL, steps=300, every=100)
# The program of the command, with a checkpoint every twentieth of a second.
PROGRAM = """
import sys
from training.lstm import training
training.CHECKPOINT_SECONDS = 0.05
run = training.Training.run
training.Training.run = lambda self, path, **told: run(self, path, checkpoint_seconds=0.05, **told)
from training.lstm.__main__ import main
sys.exit(main())
"""


def started(text_folder, work, out):
    command = ["-c", PROGRAM, str(text_folder), "--out", str(out), "--work", str(work)]
    for name, value in LONG.as_json().items():
        command += [f"--{name}", *(map(str, value) if isinstance(value, list) else [str(value)])]
    return forked.begin(*command, env=os.environ, log=out.parent / "log")


def wait_for_another_checkpoint(path, process):
    before = path.stat().st_mtime_ns if path.exists() else 0
    deadline = time.monotonic() + 120
    while not path.exists() or path.stat().st_mtime_ns == before:
        assert process.poll() is None, "it ended before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_two_programs_do_not_share_a_state(never_stopped, tmp_path):
    with exclusive_folder(tmp_path):
        assert started(never_stopped / "prepared", tmp_path, tmp_path / "model").wait(timeout=300) == 1
    assert not (tmp_path / CHECKPOINT).exists()


@pytest.fixture(scope="module")
def never_stopped(tmp_path_factory):
    """A folder with the prepared text, and what a training of it that is never stopped gives."""
    folder = tmp_path_factory.mktemp("whole")
    trained(prepared(folder), LONG, work=folder / "work", out=folder / "model")
    return folder


@pytest.mark.parametrize(("signals", "code"), [([signal.SIGKILL] * 2, -signal.SIGKILL), ([signal.SIGINT], 130)])
def test_killed_and_started_again_it_ends_with_the_same_bytes(never_stopped, tmp_path, signals, code):
    text_folder, work, out = never_stopped / "prepared", tmp_path, tmp_path / "model"
    for how in signals:
        process = started(text_folder, work, out)
        wait_for_another_checkpoint(work / CHECKPOINT, process)
        os.kill(process.pid, how)
        assert process.wait(timeout=300) == code
        assert not out.exists()
    assert started(text_folder, work, out).wait(timeout=300) == 0
    for name in (WEIGHTS, CARD):
        assert (out / name).read_bytes() == (never_stopped / "model" / name).read_bytes()
