"""What is put in place whole: after a failure or a kill there is what there was, and on disk before its name is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.whole import whole_file, whole_folder
from tests.house.sources import ROOT


class Failed(Exception):
    pass


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def synced(monkeypatch):
    """The paths that were put on disk and those that were renamed, in that order."""
    events: list[str] = []
    fsync, rename, replace = os.fsync, Path.rename, Path.replace

    def sync(file):
        events.append(Path(f"/proc/self/fd/{file}").readlink().name)
        fsync(file)

    def moved(move):
        def noted(self, to):
            events.append(f"{to.name} is there")
            return move(self, to)

        return noted

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "rename", moved(rename))
    monkeypatch.setattr(Path, "replace", moved(replace))
    return events


def test_a_file_is_on_disk_before_it_has_its_name(tmp_path, synced):
    with whole_file(tmp_path / "state") as scratch:
        scratch.write_text("new")
        assert not (tmp_path / "state").exists()
    assert synced == [".state.part", "state is there", tmp_path.name]
    assert (tmp_path / "state").read_text() == "new"


def test_a_folder_is_on_disk_before_it_has_its_name(tmp_path, synced):
    with whole_folder(tmp_path / "model") as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "weights").write_text("w")
        # Room for what is not to stay.
        (folder.parent / "wheel").write_text("x")
    assert synced == ["inner", "weights", "model", "model is there", tmp_path.name]
    assert (tmp_path / "model" / "inner" / "weights").read_text() == "w"
    assert names(tmp_path) == ["model"]


def test_where_it_fails_there_is_what_there_was(tmp_path):
    (tmp_path / "state").write_text("old")
    with pytest.raises(Failed), whole_file(tmp_path / "state") as scratch:
        scratch.write_text("ne")
        raise Failed
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "weights").write_text("old")
    with pytest.raises(Failed), whole_folder(tmp_path / "model") as folder:
        (folder / "weights").write_text("ne")
        raise Failed
    assert names(tmp_path) == ["model", "state"]
    assert [(tmp_path / "state").read_text(), (tmp_path / "model" / "weights").read_text()] == ["old", "old"]


def test_what_was_there_is_replaced_with_nothing_left_of_it(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "old").write_text("old")
    with whole_folder(tmp_path / "model") as folder:
        (folder / "new").write_text("new")
    assert names(tmp_path) == ["model"]
    assert names(tmp_path / "model") == ["new"]


@pytest.mark.parametrize("is_locked", [True, False])
def test_what_a_kill_left_is_removed_by_whoever_writes_alone(tmp_path, is_locked):
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom corpus.whole import whole_folder\n"
        "with whole_folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'weights').write_text('half')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path / "model")], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / "model").exists()
    with whole_folder(tmp_path / "model", is_locked=is_locked) as folder:
        (folder / "weights").write_text("whole")
    assert len(names(tmp_path)) == (1 if is_locked else 2)
    assert (tmp_path / "model" / "weights").read_text() == "whole"
