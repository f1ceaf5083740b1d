"""A whole run on a tiny encoder: the loss falls, and a run that was interrupted ends as one that was not."""

import json
import os
import signal
import time
from dataclasses import replace
from typing import Any

import pytest
import torch
import transformers

from scoring.library.locks import FolderInUse, exclusive_folder
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from tests import forked
from tests.training.masked.tiny import QUICK, wanted
from training.masked.settings import CannotTrain
from training.masked.training import Diverged, train
from training.shared.checkpoint import CHECKPOINT, load

pytestmark = pytest.mark.slow


def said():
    lines: list[str] = []
    return lines, lines.append


class After:
    """Asks a run to stop after so many steps."""

    def __init__(self, steps):
        self.left = steps

    def __call__(self):
        self.left -= 1
        return self.left < 0


def finished(run, *, say):
    """The record of a run that nobody stopped."""
    record = train(run, say=say)
    assert record is not None
    return record


def result(run):
    record = json.loads((run.out / "record.json").read_text())
    return (run.out / "artefact.safetensors").read_bytes(), record["composed_digest"], record["curve"]


def steps_saved(run):
    path = run.out / CHECKPOINT
    return load(path).state["position"]["step"] if path.exists() else 0


def test_a_run_learns_and_leaves_a_model_that_a_scorer_opens(tmp_path):
    run = wanted(tmp_path, "run", steps=60, settings=replace(QUICK, rate=2e-2))
    lines, say = said()
    record = finished(run, say=say)
    before, after = record["held_out"]["before"], record["held_out"]["after"]
    assert after["loss"] < before["loss"] - 0.3
    assert after["top_1"] > before["top_1"]
    assert abs(after["loss"] - record["held_out"]["exact"]["loss"]) < 0.01
    assert [judged["when"] for judged in record["judgments"]] == ["before"]
    assert sum(line.startswith("held out") for line in lines) == 3
    spec = ModelSpec("masked", str(run.out / "model"))
    # Opened as any model is: no weight may be missing.
    scorer: Any = open_scorer(spec, metric="pll", settings={})
    assert scorer.loaded.tokenizer("the dog sees a cat in the garden and the hen .")["input_ids"][-1] == 3
    composed = transformers.BertForMaskedLM.from_pretrained(run.out / "model")
    assert composed.cls.predictions.decoder.weight is composed.bert.embeddings.word_embeddings.weight


@pytest.mark.parametrize("part", ["body", "all"])
def test_stopped_in_several_places_it_ends_with_the_same_bytes(tmp_path, part):
    settings = replace(QUICK, train=part)
    straight = wanted(tmp_path, "straight", settings=settings)
    train(straight, say=print)
    broken = wanted(tmp_path, "broken", settings=settings)
    for steps in (1, 5, 5):
        assert train(broken, say=print, is_stopped=After(steps - 1)) is None
    assert steps_saved(broken) == 11
    train(broken, say=print)
    assert result(broken) == result(straight)


def test_another_seed_gives_another_model(tmp_path):
    one, other = wanted(tmp_path, "one", steps=3), wanted(tmp_path, "two", steps=3, settings=replace(QUICK, seed=2))
    train(one, say=print)
    train(other, say=print)
    assert result(one)[0] != result(other)[0]


def test_the_seeds_bytes_hang_on_no_folder_and_no_earlier_run(tmp_path):
    one, other = wanted(tmp_path, "one", steps=3), wanted(tmp_path, "two", steps=3)
    train(one, say=print)
    torch.manual_seed(77)
    train(other, say=print)
    assert result(one) == result(other)


def test_passes_over_the_text_follow_one_another(tmp_path):
    run = wanted(tmp_path, "run", steps=30)
    record = finished(run, say=print)
    assert record["position"]["epoch"] >= 1
    assert record["position"]["step"] == 30
    assert [step for step, _ in record["curve"]] == [25]


def test_a_finished_run_is_not_done_again(tmp_path):
    run = wanted(tmp_path, "run", steps=3)
    first = finished(run, say=print)
    changed = (run.out / "artefact.safetensors").stat().st_mtime_ns
    lines, say = said()
    assert train(run, say=say) == first
    assert lines == [f"{run.out}: already finished"]
    assert (run.out / "artefact.safetensors").stat().st_mtime_ns == changed


def test_a_run_killed_before_its_record_only_finishes(tmp_path):
    run = wanted(tmp_path, "run", steps=3)
    first = finished(run, say=print)
    (run.out / "record.json").unlink()
    lines, say = said()
    again = finished(run, say=say)
    assert again["composed_digest"] == first["composed_digest"]
    assert any("resuming after step 3" in line for line in lines)


def test_another_run_does_not_go_on_in_the_folder(tmp_path):
    run = wanted(tmp_path, "run", steps=3)
    train(run, say=print)
    with pytest.raises(CannotTrain, match="contains another run: its settings differ"):
        train(replace(run, settings=replace(QUICK, seed=2)), say=print)
    run.sources[0].write_text(run.sources[0].read_text() + "the dog rest .\n")
    with pytest.raises(CannotTrain, match="contains another run: its sources differ"):
        train(run, say=print)
    with pytest.raises(CannotTrain, match="not an encoder folder"):
        train(replace(run, encoder=tmp_path, out=tmp_path / "new"), say=print)


def test_the_clock_ends_a_run_with_a_cool_down(tmp_path):
    run = wanted(tmp_path, "run", steps=None, minutes=0.01)
    lines, say = said()
    record = finished(run, say=say)
    schedule = record["schedule"]
    assert any(line.startswith("cooling down from step") for line in lines)
    assert 0 < schedule["cools_from"] < schedule["steps"] == record["position"]["step"]
    # The end that the clock set is what a second run can be given to get the same.
    again = wanted(tmp_path, "again", steps=schedule["steps"], cools_from=schedule["cools_from"])
    train(again, say=print)
    assert result(again) == result(run)


def test_a_loss_that_is_no_number_ends_the_run(tmp_path):
    run = wanted(tmp_path, "run", steps=60, settings=replace(QUICK, rate=0.9, warm_up=1, weight_decay=1e9))
    with pytest.raises(Diverged, match="after step 25; try a lower --rate"):
        train(run, say=print)


def test_killed_with_9_at_the_command_line_it_goes_on_to_the_same_bytes(tmp_path):
    straight = wanted(tmp_path, "straight", steps=150)
    train(straight, say=print)
    broken = wanted(tmp_path, "broken", steps=150)
    command = ["-m", "training.masked", *map(str, broken.sources), "--encoder", str(broken.encoder)]
    command += ["--out", str(broken.out), "--steps", "150", "--threads", "1", "--save-minutes", "0.005"]
    for name in ("held_out", "rows", "batch", "step", "rate", "warm_up"):
        command += [f"--{name.replace('_', '-')}", str(getattr(QUICK, name))]
    # Neither Django's settings nor a database: the command must not ask for them.
    bare = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    process = forked.begin(*command, env=bare, log=tmp_path / "log")
    deadline = time.monotonic() + 120
    while steps_saved(broken) < 20:
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert not (broken.out / "record.json").exists()
    assert forked.run(*command, env=bare).returncode == 0
    assert result(broken) == result(straight)


def test_two_processes_do_not_train_in_one_folder(tmp_path):
    run = wanted(tmp_path, "run", steps=3)
    with exclusive_folder(run.out), pytest.raises(FolderInUse, match="Another process is working in"):
        train(run, say=print)
    assert train(run, say=print) is not None
