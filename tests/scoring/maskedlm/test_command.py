"""The command lines: what they refuse, and that neither needs what the other machine lacks."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from scoring.maskedlm.options import run
from tests.house.sources import ROOT
from tests.scoring.maskedlm.tiny import QUICK, wanted

SMALL = ["--rows=32", "--batch=128", "--step=512", "--held-out=0.1", "--warm-up=4", "--threads=1"]


def test_the_management_command_trains_and_ends_without_a_word_of_complaint(tmp_path, capsys):
    asked = wanted(tmp_path, "run")
    files = [str(path) for path in asked.sources]
    call_command(
        "train_masked_lm", *files, "--out", str(asked.out), "--encoder", str(asked.encoder), "--steps=3", *SMALL
    )
    said = capsys.readouterr()
    assert "held out, after, as composed: top-1" in said.out
    assert (asked.out / "artefact.safetensors").exists()


@pytest.mark.parametrize(
    ("changes", "code", "complaint"),
    [
        ({"rows": 8}, 2, "rows must be at least 16"),
        ({"steps": 0}, 2, "must be above 0"),
        ({"cools_from": 3}, 2, "below --steps"),
        ({"save_minutes": 0.0}, 2, "must be above 0"),
        ({"files": ["none.txt"]}, 1, "no such file"),
        ({"encoder": "/"}, 1, "no encoder's folder"),
    ],
)
def test_what_does_not_fit_has_an_exit_code_and_a_sentence(tmp_path, changes, code, complaint):
    asked = wanted(tmp_path, "run")
    options = QUICK.as_json() | {
        "files": asked.sources, "encoder": asked.encoder, "out": asked.out, "steps": 3,
        "cools_from": None, "minutes": None, "field": "",
        "device": "cpu", "threads": 1, "save_minutes": 5.0, "judge_minutes": 10.0,
    }  # fmt: skip
    if "files" in changes:
        changes = {"files": [Path(name) for name in changes["files"]]}
    if "encoder" in changes:
        changes = {"encoder": Path(changes["encoder"])}
    complaints: list[str] = []
    assert run(options | changes, say=print, complain=complaints.append) == code
    assert complaint in complaints[0]


@pytest.mark.slow
def test_it_imports_nothing_that_a_bare_machine_with_torch_lacks():
    """Django, the broker, spaCy, zstandard and pandas are not on the machine with the GPU."""
    script = (
        "import sys\n"
        "for name in ('django', 'celery', 'spacy', 'zstandard', 'pandas', 'scipy', 'sklearn'):\n"
        "    sys.modules[name] = None\n"
        "import scoring.maskedlm.__main__, scoring.maskedlm.training, scoring.maskedlm.card\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


def test_the_help_needs_no_torch():
    script = (
        "import sys\nfrom argparse import ArgumentParser\nfrom scoring.maskedlm.options import add_arguments\n"
        "add_arguments(ArgumentParser(), encoder=None)\nassert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
