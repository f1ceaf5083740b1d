"""A backup has what it says, whatever happens to the files meanwhile, and a restore is done or changes nothing."""

import tarfile
from pathlib import Path

import pytest
from django.db import connection

from work import backup
from work.backup import CannotKeep, restore, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def var(tmp_path, settings):
    return place(tmp_path / "var", settings, one=b"one" * 100, two=b"two" * 100)


def place(var: Path, settings, **files: bytes) -> Path:
    """A PARALLAX_VAR with these files below models."""
    (var / "models").mkdir(parents=True)
    for name, data in files.items():
        (var / "models" / name).write_bytes(data)
    settings.VAR_DIR = var
    return var


def names(file: Path) -> list[str]:
    with tarfile.open(file) as parts:
        return [name.removeprefix("files/") for name in parts.getnames() if name.startswith("files/")]


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"new" * 100, b"new", b"new" * 1000, None])
def test_a_file_that_changes_or_goes_while_it_is_read_leaves_a_backup_that_can_be_restored(
    var, tmp_path, settings, monkeypatch, data
):
    changing = var / "models" / "two"

    def meanwhile(owner, name, at, happens):
        before = getattr(owner, name)

        def patched(*given):
            if getattr(given[at], "name", given[at]) == "files/models/two":
                happens()
            before(*given)

        monkeypatch.setattr(owner, name, patched)

    if data is None:
        meanwhile(backup, "_add_file", 2, changing.unlink)
    else:
        meanwhile(tarfile.TarFile, "addfile", 1, lambda: changing.write_bytes(data))
    found = write(tmp_path / "one.tar")
    assert found["files"] == (2 if data else 1)
    other = place(tmp_path / "other", settings)
    assert restore(tmp_path / "one.tar") == found
    assert (other / "models" / "one").read_bytes() == b"one" * 100


@pytest.mark.slow
def test_what_is_unfinished_and_the_database_under_any_name_are_left_out(var, tmp_path, monkeypatch):
    for name in ("builds/it/log", "mine.db", "mine.db-wal", "mine.db-queue", "models/.it.lock", "models/three.part"):
        (var / name).parent.mkdir(parents=True, exist_ok=True)
        (var / name).write_bytes(b"")
    # To the tests' own, before another name is given.
    connection.ensure_connection()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(var / "mine.db"))
    write(tmp_path / "one.tar")
    assert names(tmp_path / "one.tar") == ["models/one", "models/two"]


def test_no_backup_is_written_where_the_next_would_contain_it(var):
    with pytest.raises(CannotKeep, match="Choose another folder"):
        write(var / "one.tar")


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(var, tmp_path):
    with pytest.raises(CannotKeep, match="No such file or directory"):
        write(tmp_path / "none" / "one.tar")


@pytest.mark.slow
@pytest.mark.parametrize("error", [OSError("No space left on device"), KeyboardInterrupt()])
def test_a_restore_that_is_interrupted_changes_nothing_and_can_be_tried_again(
    var, tmp_path, settings, monkeypatch, error
):
    write(tmp_path / "one.tar")
    other = place(tmp_path / "other", settings)
    (other / "secret_key").write_text("before")
    store = backup._store

    def breaks(path, data):
        if path.name == "two":
            raise error
        store(path, data)

    monkeypatch.setattr(backup, "_store", breaks)
    with pytest.raises((CannotKeep, KeyboardInterrupt)):
        restore(tmp_path / "one.tar")
    assert [file.name for file in other.rglob("*") if file.is_file()] == ["secret_key"]
    assert (other / "secret_key").read_text() == "before"
    monkeypatch.undo()
    restore(tmp_path / "one.tar")
    assert (other / "models" / "two").read_bytes() == b"two" * 100
    assert (other / "secret_key").read_text() != "before" and not (other / "restoring").exists()
