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
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from scoring.library.registering import CannotRegister, Wanted, register
from scoring.models import LanguageModel
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError
from annotation.tasktypes.contract import Sentence
try:
    row = register(Wanted(key="mine", source=sys.argv[1], family="masked", revision=sys.argv[2])).row
except (CannotRegister, ModelError) as error:
    print(json.dumps({"refused": str(error)}))
    sys.exit()
again = register(Wanted(key="mine", source=sys.argv[1], family="masked", revision=sys.argv[2]))
scorer = open_scorer(row.spec, metric="pll", settings={})
[numbers] = scorer.score([Sentence("The old dog slept .")])
told = {"location": row.location, "source": row.source, "revision": row.revision, "new": again.is_new}
print(json.dumps(told | {"logprob": numbers.logprob, "from": scorer.provenance().get("converted_from")}))
"""


@pytest.fixture
def model(tmp_path) -> Path:
    torch.manual_seed(5)
    return write_model(tmp_path / "little", transformers.BertForMaskedLM(transformers.BertConfig(**SIZE)))


def asked(address: str, place: Path, *, revision: str = "", source: str = NAME) -> dict[str, Any]:
    found = os.environ | {
        "HF_ENDPOINT": address,
        "HF_HOME": str(place / "cache"),
        "PARALLAX_VAR": str(place / "var"),
        "DATABASE_URL": f"sqlite:///{place}/db.sqlite3",
    }
    place.mkdir(exist_ok=True)
    shutil.copyfile(migrated_file(), place / "db.sqlite3")
    done = forked.run("-c", ASK, source, revision, env=found)
    assert done.returncode == 0, done.stderr[-2000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.mark.parametrize("revision", ["", "main", "v1", COMMIT])
def test_g7_a_branch_is_kept_as_its_commit(model, tmp_path, revision):
    with hub_of(model, model=NAME, branches={"main": COMMIT, "v1": COMMIT}) as address:
        told = asked(address, tmp_path, revision=revision)
    assert (told["location"], told["source"], told["revision"], told["new"]) == ("hub", NAME, COMMIT, False)


def test_pickled_weights_of_a_hub_are_brought_and_converted(model, tmp_path):
    with hub_of(model, model=NAME, branches={"main": COMMIT}) as address:
        before = asked(address, tmp_path / "before")
        made = transformers.BertForMaskedLM.from_pretrained(model)
        torch.save(made.state_dict(), model / "pytorch_model.bin")
        (model / "model.safetensors").unlink()
        told = asked(address, tmp_path / "after", revision="main")
    assert (told["location"], told["revision"]) == ("models", COMMIT)
    assert told["from"]["origin"] == f"{NAME} at {COMMIT}"
    assert set(told["from"]["weights_sha256"]) == {"pytorch_model.bin"}
    assert told["logprob"] == pytest.approx(before["logprob"], abs=1e-5)


@pytest.mark.parametrize(
    ("source", "revision", "sentence"),
    [
        (NAME, "nonesuch", "the hub does not give owner/little at nonesuch"),
        ("owner/other", "main", "the hub does not give owner/other at main"),
    ],
)
def test_what_the_hub_has_not_is_said(model, tmp_path, source, revision, sentence):
    with hub_of(model, model=NAME, branches={"main": COMMIT}) as address:
        assert sentence in str(asked(address, tmp_path, source=source, revision=revision)["refused"])
