"""A training that is killed with -9 goes on where it was, to the same bytes; an interrupt stops it in good order."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from django.conf import settings

from scoring.lstm.finishing import CHECKPOINT
from scoring.lstm.modelfolder import CARD, WEIGHTS
from tests.scoring.lstm.small import SMALL, prepared, trained

pytestmark = pytest.mark.slow
LONG = replace(SMALL, steps=4000, every=200, threads=1)
# The program of the command, with a checkpoint every tenth of a second.
PROGRAM = """
import sys
from scoring.lstm import training
training.CHECKPOINT_SECONDS = 0.1
run = training.Training.run
training.Training.run = lambda self, path, **told: run(self, path, checkpoint_seconds=0.1, **told)
from scoring.lstm.__main__ import main
sys.exit(main())
"""


def started(text_folder, work, out):
    command = [sys.executable, "-c", PROGRAM, str(text_folder), "--out", str(out), "--work", str(work)]
    for name, value in LONG.as_json().items():
        command += [f"--{name}", *(map(str, value) if isinstance(value, list) else [str(value)])]
    return subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, env=os.environ)


def wait_for_another_checkpoint(path, process):
    before = path.stat().st_mtime_ns if path.exists() else 0
    deadline = time.monotonic() + 60
    while not path.exists() or path.stat().st_mtime_ns == before:
        assert process.poll() is None, "it ended before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(("how", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_killed_twice_it_ends_with_the_same_bytes(tmp_path, how, code):
    made = prepared(tmp_path)
    trained(made, LONG, work=tmp_path / "w", out=tmp_path / "whole")
    folder, work, out = tmp_path / "prepared", tmp_path / "work", tmp_path / "killed"
    work.mkdir()
    for _ in range(2):
        process = started(folder, work, out)
        wait_for_another_checkpoint(work / CHECKPOINT, process)
        process.send_signal(how)
        assert process.wait(timeout=60) == code
        assert not out.exists()
    assert started(folder, work, out).wait(timeout=300) == 0
    for name in (WEIGHTS, CARD):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
