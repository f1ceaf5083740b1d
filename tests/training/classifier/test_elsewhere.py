"""Machines that share a database, a queue and a model store, and no folder: one goes on where another was killed."""

import copy
import json
import os
import shutil
import signal
from pathlib import Path

import pytest
from django.conf import settings

from tests.forked import Forked
from tests.installation import Installation
from tests.scoring.scorers.little.bert import adept_rows, write_encoder
from tests.studies import write_study
from tests.training.classifier.killed import EPOCHS, MARK, OPTIONS, mark, stored
from training.classifier.stored_states import STATES, forget, keep, take


@pytest.fixture
def store(tmp_path: Path, settings) -> Path:
    settings.MODEL_STORE = str(tmp_path / "store")
    return tmp_path / "store" / STATES / "one"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "saved"
    folder.mkdir()
    return folder


def write(folder: Path, **parts: str) -> dict[str, str]:
    """A state's files, and what is in them."""
    found = {"checkpoint": "", **parts}
    for path in folder.iterdir():
        path.unlink()
    for name, content in found.items():
        (folder / f"{name.replace('_', '-')}.safetensors").write_text(content)
    return read(folder)


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_the_latest_is_taken_where_what_is_there_is_earlier(store, saved, tmp_path):
    write(saved, checkpoint="at 10", best_5="weights of 5")
    (saved / "lock").touch()
    keep("one", saved, step=10)
    at_20 = write(saved, checkpoint="at 20", best_5="weights of 5")
    keep("one", saved, step=20)
    # A worker that has lost the training writes once more.
    (late := tmp_path / "late").mkdir()
    write(late, checkpoint="at 15", best_9="weights of 9")
    keep("one", late, step=15)
    for beyond, expected in ((20, {}), (15, at_20), (-1, at_20)):
        (there := tmp_path / f"there{beyond}").mkdir()
        take("one", there, beyond=beyond)
        assert read(there) == expected
    keep("one", saved, step=30)
    assert len([*store.glob("*.json")]) == 1
    assert len([*store.iterdir()]) == 3
    forget("one")
    assert not store.exists()


def test_what_is_damaged_or_leads_elsewhere_is_not_taken(store, saved, tmp_path, caplog):
    at_10 = write(saved, checkpoint="at 10")
    keep("one", saved, step=10)
    for note in ('{"../../stolen": "' + "0" * 64 + '"}', '{"checkpoint.safetensors": "../../secret"}', "[]", "{"):
        (store / "state-000000000020.json").write_text(note)
        (there := tmp_path / "there").mkdir()
        take("one", there, beyond=-1)
        assert read(there) == at_10
        shutil.rmtree(there)
    (torn,) = (path for path in store.iterdir() if path.suffix != ".json")
    torn.write_text("other")
    (there := tmp_path / "there").mkdir()
    at_5 = write(there, checkpoint="at 5")
    take("one", there, beyond=5)
    assert read(there) == at_5
    assert all("is damaged: " in record.message for record in caplog.records if record.levelname == "WARNING")


def test_without_a_store_or_where_it_fails_the_training_goes_on(saved, settings, tmp_path, caplog):
    write(saved, checkpoint="at 10")
    for address in ("", "nothing-such://models"):
        settings.MODEL_STORE = address
        keep("one", saved, step=10)
        forget("one")
    assert ["is on this machine alone" in record.message for record in caplog.records] == [True, False]


@pytest.mark.slow
def test_a_training_killed_on_one_machine_ends_on_another_and_a_third_scores_with_it(tmp_path, valkey_url):
    one = Installation(tmp_path / "one", valkey_url, OMP_NUM_THREADS="1", MODEL_STORE=(tmp_path / "store").as_uri())
    encoder = write_encoder(tmp_path / "little-bert")
    folder = write_study(tmp_path / "study", adept_rows(), slug="killed")
    ask = ["train_classifier", "killed", "--recipe", "adept", "--base", str(encoder), *OPTIONS, "--no-wait"]
    one.call(["load_study", str(folder)], ask)
    workers = [worker := machine(one, "one").worker("training", name="one")]
    try:
        states = tmp_path / "store" / STATES
        one.wait_for(lambda: [*states.glob("*/state-*.json")])
        stop(worker)
        assert stored(one)["state"] == "running"
        mark_stored(one, states)
        shutil.rmtree(tmp_path / "one" / "training")
        encoder.rename(encoder.with_name("elsewhere"))
        # Its lease would run out after a quarter of an hour.
        one.run("-c", GIVE_BACK)
        workers.append(machine(one, "two").worker("training", name="two"))
        one.wait_for(lambda: stored(one)["state"] in ("finished", "failed"))
        found = stored(one)
        assert (found["state"], found["error"], found["step"]) == ("finished", "", 9 * EPOCHS)
        assert max(loss for _, loss in json.loads(found["curves"])["loss"]) > MARK / 9
        one.wait_for(lambda: not [*states.iterdir()])
        assert not [*(tmp_path / "one" / "models").glob("*/model.safetensors")]
        assert len([*(tmp_path / "two" / "models").glob("*/model.safetensors")]) == 1
        key = one.row("SELECT key FROM scoring_languagemodel WHERE family = 'classifier'")["key"]
        workers.append(machine(one, "three").worker("scoring", name="three"))
        one.call(["score", "killed", "--model", key, "--metric", "label", "--no-wait"])
        run = "SELECT state, error, scored, total FROM scoring_run"
        one.wait_for(lambda: one.row(run)["state"] in ("finished", "failed"))
        assert (ended := one.row(run)) == ended | {"state": "finished", "error": "", "scored": ended["total"]}
    finally:
        for each in workers:
            stop(each)


GIVE_BACK = """
import django; django.setup()
from django.db.models.functions import Now
from datetime import timedelta
from training.models import Training
from work.queue import keep_moving
Training.objects.update(lease_expires_at=Now() - timedelta(seconds=1)); keep_moving()
"""


def machine(first: Installation, name: str) -> Installation:
    """Another one, with a PARALLAX_VAR of its own."""
    found: Installation = copy.copy(first)
    found.env = first.env | {"PARALLAX_VAR": str(Path(first.env["PARALLAX_VAR"]).with_name(name))}
    return found


def mark_stored(first: Installation, states: Path) -> None:
    """As `mark` does in the folder of a machine, in the store."""
    (place,) = states.iterdir()
    holder = first.database.with_name("marked")
    (folder := holder / place.name).mkdir(parents=True)
    with pytest.MonkeyPatch().context() as patch:
        patch.setattr(settings, "MODEL_STORE", str(states.parent))
        take(place.name, folder, beyond=-1)
        mark(holder)
        step = max(int(path.stem.removeprefix("state-")) for path in place.glob("state-*.json"))
        keep(place.name, folder, step=step)


def stop(worker: Forked) -> None:
    try:
        os.killpg(worker.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    worker.wait()
