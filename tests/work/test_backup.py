"""A backup is made, everything is destroyed, it is restored elsewhere, on the other kind of database: all is there."""

import gzip
import json
import tarfile
from pathlib import Path

import pytest

from tests.installation import Installation
from tests.studies import plausibility_rows, write_study

pytestmark = pytest.mark.slow

UNUSED = "redis://localhost:1/0"


def rows(path: Path) -> dict[str, list[object]]:
    found = {}
    with tarfile.open(path) as parts:
        for name in parts.getnames():
            if name.startswith("rows/"):
                data = parts.extractfile(name)
                assert data is not None
                lines = gzip.decompress(data.read()).decode().splitlines()
                found[name] = [json.loads(line) for line in lines]
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An installation with labels, and its backup."""
    place = tmp_path_factory.mktemp("backup")
    installation = Installation(place / "var", UNUSED)
    folder = write_study(place / "kept", plausibility_rows(5), slug="kept")
    installation.call(
        ["load_study", str(folder), "--open"],
        ["simulate_annotators", "kept", "--until-full"],
    )
    model = place / "var" / "models" / "mine" / "model.safetensors"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"weights")
    (place / "var" / "reports").mkdir()
    (place / "var" / "reports" / "made-again.zip").write_bytes(b"")
    said = installation.manage("backup", str(place / "one.tar"))
    assert "rows and" in said
    return place


def restored(made, place, **environment):
    installation = Installation(place / "var", UNUSED, **environment)
    installation.call(["migrate", "--verbosity", "0"])
    return installation


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_what_was_destroyed_is_there_again(made, tmp_path, vendor, postgres_url):
    there = {"DATABASE_URL": postgres_url} if vendor == "postgresql" else {}
    installation = restored(made, tmp_path, **there)
    assert "restored" in installation.manage("restore", str(made / "one.tar"))
    assert installation.manage("check_integrity") == "No faults.\n"
    var = tmp_path / "var"
    assert (var / "models" / "mine" / "model.safetensors").read_bytes() == b"weights"
    assert (var / "secret_key").read_text() == "only-for-tests" and not (var / "reports").exists()
    installation.manage("backup", str(tmp_path / "two.tar"))
    one, two = rows(made / "one.tar"), rows(tmp_path / "two.tar")
    assert one == two and len(one["rows/annotation.judgment.jsonl.gz"]) > 10
    # New rows do not take the keys of old ones.
    installation.manage("tag_study", "kept", "again")
    again = installation.run("manage.py", "restore", str(made / "one.tar"))
    assert again.returncode == 1 and "The database is not empty" in again.stderr


def test_a_damaged_backup_changes_nothing(made, tmp_path):
    data = bytearray((made / "one.tar").read_bytes())
    at = data.index(b"weights")
    data[at] ^= 1
    (tmp_path / "bad.tar").write_bytes(data)
    (tmp_path / "cut.tar").write_bytes(data[: len(data) // 2])
    installation = restored(made, tmp_path)
    for name in ("bad.tar", "cut.tar"):
        done = installation.run("manage.py", "restore", str(tmp_path / name))
        assert done.returncode == 1 and "is damaged or no backup" in done.stderr
    assert installation.row("SELECT COUNT(*) AS n FROM annotation_study") == {"n": 0}
    assert not (tmp_path / "var" / "models").exists()


def test_no_backup_is_written_over(made):
    done = Installation(made / "other", UNUSED).run("manage.py", "backup", str(made / "one.tar"))
    assert done.returncode == 1 and "exists" in done.stderr
