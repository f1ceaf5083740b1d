"""The model store: a machine without a model fetches its files by their hash, and takes nothing else for them."""

import copy
import os
import shutil
import signal
from hashlib import sha256
from pathlib import Path

import fsspec
import pytest
import torch
import transformers
from django.core.management import CommandError, call_command

from corpus.provenance import digest
from corpus.shared.stores import Store, StoreAway
from scoring.library.model_store import (
    FETCHED,
    WHOLE,
    StoreError,
    is_stored,
    offer,
    on_this_machine,
    read_fault,
    remove,
    upload,
)
from scoring.models import LanguageModel, Run
from scoring.runs.fitting import template_fault
from scoring.scorers import open_scorer
from scoring.scorers.networks.weights import file_hashes
from tests.installation import Installation
from tests.scoring.library.little_models import SIZE, add, write_model
from tests.scoring.scorers.weights import MODELS_DIR, needs_weights
from tests.studies import plausibility_rows, write_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def little(tmp_path: Path) -> Path:
    torch.manual_seed(5)
    return write_model(tmp_path / "little-bert", transformers.BertForMaskedLM(transformers.BertConfig(**SIZE)))


@pytest.fixture
def store(tmp_path: Path, settings) -> Path:
    settings.MODEL_STORE = str(tmp_path / "store")
    settings.VAR_DIR = tmp_path / "var"
    return tmp_path / "store"


@pytest.fixture
def gone(little: Path, store: Path) -> LanguageModel:
    """A model that was added here, as a machine sees it that has not its folder."""
    add("little", little)
    little.rename(little.with_name("elsewhere"))
    return LanguageModel.objects.get(key="little")


@pytest.mark.slow
def test_a_model_that_is_added_is_fetched_where_it_is_missing(gone, tmp_path):
    spec = on_this_machine(gone)
    assert Path(spec.source) == tmp_path / "var" / FETCHED / gone.file_hash
    assert file_hashes(Path(spec.source)) == gone.files
    # It loads, which compares every hash again.
    open_scorer(spec, metric="pll", settings={})


@pytest.mark.slow
def test_what_was_fetched_is_not_fetched_again(gone, store):
    first = on_this_machine(gone)
    shutil.rmtree(store)
    assert on_this_machine(gone) == first


def test_its_own_folder_is_used_where_it_is_there(little, store):
    add("little", little)
    row = LanguageModel.objects.get(key="little")
    shutil.rmtree(store)
    assert on_this_machine(row) == row.spec


@pytest.mark.slow
def test_a_file_that_is_another_is_refused_and_nothing_stays(gone, store, tmp_path):
    [place] = store.iterdir()
    (place / "config.json").write_text("{}")
    with pytest.raises(StoreError, match=r"config\.json of .* is not the file that was registered"):
        on_this_machine(gone)
    assert [path for path in (tmp_path / "var" / FETCHED).iterdir() if path.is_dir()] == []


def test_what_is_still_on_its_way_is_not_taken(gone, store):
    [place] = store.iterdir()
    (place / WHOLE).unlink()
    with pytest.raises(StoreError, match=r"run manage\.py store_models little on the machine that has it"):
        on_this_machine(gone)


def test_without_a_store_the_run_says_what_is_missing(gone, settings):
    settings.MODEL_STORE = ""
    with pytest.raises(StoreError, match="is not on this machine .* and no MODEL_STORE is set"):
        on_this_machine(gone)


@pytest.mark.slow
def test_a_name_that_leads_out_of_the_folder_is_refused(gone, store, settings, tmp_path):
    """Also where the store has such a model, whole."""
    gone.files = {"../../stolen": sha256(b"stolen").hexdigest()}
    place = store / "a" / digest(gone.files)
    place.mkdir(parents=True)
    (place / WHOLE).write_text("{}")
    (store / "stolen").write_bytes(b"stolen")
    settings.MODEL_STORE = str(store / "a")
    with pytest.raises(StoreError, match="is no name of a file of a model"):
        on_this_machine(gone)
    assert not list(tmp_path.glob("var/**/stolen"))


@pytest.mark.slow
def test_a_link_in_the_store_is_not_followed(gone, store, tmp_path):
    [place] = store.iterdir()
    (tmp_path / "secret").write_text("of this machine")
    (place / "LICENSE").symlink_to(tmp_path / "secret")
    with pytest.raises(StoreError, match="LICENSE in the model store is a link"):
        on_this_machine(gone)


@pytest.mark.slow
def test_terms_and_card_go_along(little, store):
    (little / "LICENSE").write_text("CC0")
    (little / "card.json").write_text("{}")
    add("little", little)
    little.rename(little.with_name("elsewhere"))
    folder = Path(on_this_machine(LanguageModel.objects.get(key="little")).source)
    assert ((folder / "LICENSE").read_text(), (folder / "card.json").read_text()) == ("CC0", "{}")


@pytest.mark.slow
def test_what_is_damaged_in_the_store_is_put_there_again(little, store):
    add("little", little)
    [place] = store.iterdir()
    (place / "config.json").write_text("{}")
    (place / "model.safetensors").unlink()
    files = LanguageModel.objects.get().files
    assert upload(little, files)
    assert not upload(little, files)
    assert file_hashes(place) == files
    assert not list(place.glob(".*.part"))


class Failing:
    """As S3 fails without credentials: by an exception that is no OSError."""

    def __getattr__(self, name):
        raise LookupError("no credentials")


@pytest.mark.slow
def test_whatever_the_store_raises_is_said(gone, little, monkeypatch, caplog):
    monkeypatch.setattr(fsspec.core, "url_to_fs", lambda url: (Failing(), "models"))
    assert "cannot be written (LookupError: no credentials)." in read_fault()
    with pytest.raises(StoreError, match="cannot be read"):
        on_this_machine(gone)
    with pytest.raises(StoreError, match="cannot be read"):
        is_stored(gone.file_hash)
    offer(little, gone.files)
    LanguageModel.objects.all().delete()
    remove(gone.file_hash)
    assert [record.levelname for record in caplog.records if record.name.endswith("model_store")] == ["WARNING"] * 2


@pytest.mark.slow
def test_a_store_that_cannot_be_used_is_named(gone, settings):
    settings.MODEL_STORE = "nothing-such://models"
    with pytest.raises(StoreError, match="nothing-such://models cannot be read"):
        on_this_machine(gone)


@pytest.mark.slow
def test_nobody_reads_how_one_logs_in_to_a_store(gone, settings):
    address = "ftp://store:pass-w0rd@127.0.0.1:1/models?key=s3cret"
    settings.MODEL_STORE = address
    with pytest.raises(StoreAway) as away:
        Store(address).has("a")
    with pytest.raises(StoreError) as error:
        on_this_machine(gone)
    for said in (read_fault(), str(error.value), str(away.value)):
        assert "ftp://127.0.0.1:1/models cannot be" in said
        assert "pass-w0rd" not in said and "s3cret" not in said


def test_what_is_wrong_with_the_store_is_said_before_it_is_needed(store, tmp_path, settings):
    assert read_fault() == ""
    assert list(store.iterdir()) == []
    settings.MODEL_STORE = str(tmp_path / "a-file")
    (tmp_path / "a-file").touch()
    assert "a-file cannot be written" in read_fault()
    settings.MODEL_STORE = "nothing-such://models"
    assert read_fault().startswith("The model store nothing-such://models cannot be written")


def test_a_folder_that_has_changed_is_not_put_into_the_store(little, store):
    files = file_hashes(little)
    (little / "config.json").write_text("{}")
    with pytest.raises(StoreError, match=r"config\.json is not the file that was registered"):
        upload(little, files)
    assert not list(store.rglob(WHOLE))


def test_what_no_model_needs_goes_and_nothing_else(gone, store):
    remove(gone.file_hash)
    assert is_stored(gone.file_hash)
    gone.delete()
    remove(gone.file_hash)
    assert list(store.iterdir()) == []
    assert not is_stored(gone.file_hash)


def test_a_chat_template_is_not_missed_where_the_folder_is_elsewhere(gone):
    assert template_fault(gone.spec) is None


class TestCommand:
    @pytest.mark.slow
    def test_copies_what_is_here_once(self, little, store, settings, capsys):
        settings.MODEL_STORE = ""
        add("little", little)
        settings.MODEL_STORE = str(store)
        call_command("store_models")
        call_command("store_models", "little")
        assert capsys.readouterr().out.splitlines()[-2:] == ["little: copied", "little: in the store"]

    @pytest.mark.slow
    def test_names_what_is_not_here(self, gone, capsys):
        with pytest.raises(CommandError, match=r"Not in the model store: little\."):
            call_command("store_models", "little")
        assert "little: has no folder on this machine" in capsys.readouterr().out

    def test_needs_a_store(self, settings):
        settings.MODEL_STORE = ""
        with pytest.raises(CommandError) as refused:
            call_command("store_models")
        assert refused.value.returncode == 2


@pytest.mark.slow
@needs_weights
def test_a_worker_on_another_machine_scores_with_a_model_that_it_never_saw(tmp_path, valkey_url):
    """Two folders of their own, one database and one queue: all that two machines share."""
    here = Installation(tmp_path / "here", valkey_url, MODEL_STORE=(tmp_path / "store").as_uri())
    folder = write_study(tmp_path / "study", plausibility_rows(6), slug="far")
    little = shutil.copytree(MODELS_DIR / "splade-tiny", tmp_path / "little")
    here.call(
        ["add_model", "little", "--source", str(little), "--family", "masked"],
        ["load_study", str(folder)],
        ["score", "far", "--model", "little", "--metric", "pll", "--no-wait"],
    )
    little.rename(little.with_name("elsewhere"))
    there = copy.copy(here)
    there.env = here.env | {"PARALLAX_VAR": str(tmp_path / "there")}
    worker = there.worker("scoring,upkeep")
    query = "SELECT state, error, scored FROM scoring_run"
    try:
        there.wait_for(lambda: there.row(query)["state"] in (Run.State.FINISHED, Run.State.FAILED))
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    assert there.row(query) == {"state": "finished", "error": "", "scored": 6}
    assert len(list((tmp_path / "there" / FETCHED).glob("*/model.safetensors"))) == 1
    assert not (tmp_path / "here" / FETCHED).exists()
