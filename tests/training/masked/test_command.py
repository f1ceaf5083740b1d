"""The command lines: what they refuse, and that neither needs what the other machine lacks."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from django.core.management import call_command

from scoring.scorers.networks.onednn import REMEMBERED
from tests.house.sources import ROOT
from tests.training.masked.tiny import QUICK, wanted
from training.masked.options import run
from training.masked.training import train
from training.shared.checkpoint import CHECKPOINT

SMALL = ["--rows=32", "--batch=128", "--step=512", "--held-out=0.1", "--warm-up=4", "--threads=1"]


@pytest.mark.slow
def test_the_management_command_trains_and_ends_without_a_word_of_complaint(tmp_path, capsys, monkeypatch):
    for name in REMEMBERED:
        monkeypatch.delenv(name, raising=False)
    asked = wanted(tmp_path, "run")
    files = [str(path) for path in asked.sources]
    call_command(
        "train_masked_lm", *files, "--out", str(asked.out), "--encoder", str(asked.encoder), "--steps=3", *SMALL
    )
    said = capsys.readouterr()
    assert "held out, after, as composed: top-1" in said.out
    assert (asked.out / "artefact.safetensors").exists()
    assert {name: os.environ[name] for name in REMEMBERED} == REMEMBERED


@pytest.mark.parametrize(
    ("changes", "code", "complaint"),
    [
        ({"rows": 8}, 2, "rows: '8' is not a whole number from 16."),
        ({"steps": 0}, 2, "steps: '0' is not a whole number from 1."),
        ({"cools_from": 3}, 2, "below --steps"),
        ({"save_minutes": 0.0}, 2, "save_minutes: '0.0' is not a number above 0."),
        ({"judge_minutes": float("nan")}, 2, "judge_minutes: 'nan' is not a number above 0."),
        ({"steps": None, "minutes": float("nan")}, 2, "minutes: 'nan' is not a number above 0."),
        ({"weight_decay": float("nan")}, 2, "weight_decay: 'nan' is not a number from 0"),
        ({"rows": 128}, 1, "the encoder reads 64 tokens, and rows have up to 128"),
        ({"files": ["none.txt"]}, 1, "no such file"),
        ({"encoder": "/"}, 1, "not an encoder folder"),
    ],
)
def test_what_does_not_fit_has_an_exit_code_and_a_sentence(tmp_path, changes, code, complaint):
    asked = wanted(tmp_path, "run")
    options = asdict(QUICK) | {
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


def without_a_mask(run):
    path = run.encoder / "tokenizer.json"
    path.write_text(path.read_text().replace("[MASK]", "[MUSK]"))


def with_a_torn_tokenizer(run):
    (run.encoder / "tokenizer.json").write_text("{}")


def with_a_word_too_many(run):
    path = run.encoder / "tokenizer.json"
    told = json.loads(path.read_text())
    told["model"]["vocab"]["more"] = len(told["model"]["vocab"])
    path.write_text(json.dumps(told))


def with_a_file_in_its_place(run):
    run.out.write_text("")


def with_a_file_where_the_state_goes(run):
    run.out.mkdir()
    (run.out / f".{CHECKPOINT}.part").mkdir()


def with_a_torn_identity(run):
    run.out.mkdir()
    (run.out / "record.json").write_text("{")


def stopped(run):
    assert train(run, say=print, is_stopped=lambda: True) is None
    return run.out / CHECKPOINT


def with_torn_numbers(run):
    state = stopped(run)
    state.write_bytes(state.read_bytes().replace(b"position", b'posi"ion'))


def with_torn_moments(run):
    state = stopped(run)
    state.write_bytes(state.read_bytes()[:-100])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (without_a_mask, "the tokenizer has no [MASK]"),
        (with_a_torn_tokenizer, "is not a tokenizer"),
        (with_a_word_too_many, "has 35 words, and its tokenizer 36"),
        (with_a_file_in_its_place, "cannot be written"),
        (with_a_file_where_the_state_goes, "cannot be written"),
        (with_a_torn_identity, "does not say whose folder this is"),
        (with_torn_numbers, "is damaged"),
        (with_torn_moments, "is damaged"),
    ],
)
def test_what_is_damaged_has_an_exit_code_and_a_sentence(tmp_path, spoil, complaint):
    asked = wanted(tmp_path, "run")
    spoil(asked)
    command = ["train_masked_lm", *map(str, asked.sources), "--out", str(asked.out), "--encoder", str(asked.encoder)]
    complaints: list[str] = []
    with pytest.raises(SystemExit) as ended:
        call_command(*command, "--steps=12", *SMALL, "--rate=5e-3", stderr=Lines(complaints))
    assert ended.value.code == 1
    assert complaint in complaints[0]


class Lines:
    def __init__(self, kept):
        self.write = kept.append


@pytest.mark.slow
def test_it_imports_nothing_that_a_bare_machine_with_torch_lacks():
    """Django, the broker, spaCy, zstandard and pandas are not on the machine with the GPU."""
    script = (
        "import sys\n"
        "for name in ('django', 'celery', 'spacy', 'zstandard', 'pandas', 'scipy', 'sklearn'):\n"
        "    sys.modules[name] = None\n"
        "import training.masked.__main__, training.masked.training, training.masked.card\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.slow
def test_the_help_needs_no_torch():
    script = (
        "import sys\nfrom argparse import ArgumentParser\nfrom training.masked.options import add_arguments\n"
        "add_arguments(ArgumentParser(), encoder=None)\nassert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
