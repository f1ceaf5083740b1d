"""Models of a hub: a branch becomes its commit, and pickled weights are brought and converted.

Each asks in a process of its own, because the hub's library reads its address when it is imported.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from tests import forked
from tests.migrated import migrated_file
from tests.scoring.library.hub import hub_of
from tests.scoring.library.little_models import COMMIT, SIZE, write_model

pytestmark = pytest.mark.slow
NAME = "owner/little"
ASK = """
import json, os, shutil, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from scoring.library.registering import CannotRegister, Wanted, register
from scoring.models import LanguageModel
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError
from annotation.tasktypes.contract import Sentence
def asked(source, revision):
    shutil.rmtree(os.environ["HF_HOME"], ignore_errors=True)
    LanguageModel.objects.all().delete()
    try:
        row = register(Wanted(key="mine", source=source, family="masked", revision=revision)).row
    except (CannotRegister, ModelError) as error:
        return {"refused": str(error)}
    again = register(Wanted(key="mine", source=source, family="masked", revision=revision))
    scorer = open_scorer(row.spec, metric="pll", settings={})
    [numbers] = scorer.score([Sentence("The old dog slept .")])
    told = {"location": row.location, "source": row.source, "revision": row.revision, "new": again.is_new}
    return told | {"logprob": numbers.logprob, "from": scorer.provenance().get("converted_from")}
print(json.dumps([asked(*one.split(" ")) for one in sys.argv[1:]]))
"""


@pytest.fixture
def model(tmp_path) -> Path:
    torch.manual_seed(5)
    return write_model(tmp_path / "little", transformers.BertForMaskedLM(transformers.BertConfig(**SIZE)))


def asked(address: str, place: Path, *wanted: tuple[str, str]) -> list[dict[str, Any]]:
    """What comes of asking for each source and revision, one after the other and as if for the first time."""
    found = os.environ | {
        "HF_ENDPOINT": address,
        "HF_HOME": str(place / "cache"),
        "PARALLAX_VAR": str(place / "var"),
        "DATABASE_URL": f"sqlite:///{place}/db.sqlite3",
    }
    place.mkdir(exist_ok=True)
    shutil.copyfile(migrated_file(), place / "db.sqlite3")
    done = forked.run("-c", ASK, *(f"{source} {revision}" for source, revision in wanted), env=found)
    assert done.returncode == 0, done.stderr[-2000:]
    told: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_g7_a_branch_is_kept_as_its_commit(model, tmp_path):
    revisions = ("", "main", "v1", COMMIT)
    with hub_of(model, model=NAME, branches={"main": COMMIT, "v1": COMMIT}) as address:
        found = asked(address, tmp_path, *((NAME, revision) for revision in revisions))
    kept = [(told["location"], told["source"], told["revision"], told["new"]) for told in found]
    assert kept == [("hub", NAME, COMMIT, False)] * len(revisions)


def test_pickled_weights_of_a_hub_are_brought_and_converted(model, tmp_path):
    with hub_of(model, model=NAME, branches={"main": COMMIT}) as address:
        [before] = asked(address, tmp_path / "before", (NAME, ""))
        made = transformers.BertForMaskedLM.from_pretrained(model)
        torch.save(made.state_dict(), model / "pytorch_model.bin")
        (model / "model.safetensors").unlink()
        [told] = asked(address, tmp_path / "after", (NAME, "main"))
    assert (told["location"], told["revision"]) == ("models", COMMIT)
    assert told["from"]["origin"] == f"{NAME} at {COMMIT}"
    assert set(told["from"]["weights_sha256"]) == {"pytorch_model.bin"}
    assert told["logprob"] == pytest.approx(before["logprob"], abs=1e-5)


def test_what_the_hub_has_not_is_said(model, tmp_path):
    with hub_of(model, model=NAME, branches={"main": COMMIT}) as address:
        revision, source = asked(address, tmp_path, (NAME, "nonesuch"), ("owner/other", "main"))
    assert "the hub does not provide owner/little at nonesuch" in revision["refused"]
    assert "the hub does not provide owner/other at main" in source["refused"]
