"""A database of an earlier release keeps its labels, runs, scores and results under the newest migrations.

Migrations are only added: those of a release stand in its file with their sha256.
"""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import forked
from tests.either_database import found_by
from tests.migrated import fill, kept_sqlite
from tests.servers import fresh_database
from tests.upgrade.release import hashes

RELEASES = sorted(Path(__file__).parent.glob("*.json"))


@pytest.fixture(params=RELEASES, ids=lambda path: path.stem)
def release(request: pytest.FixtureRequest) -> Path:
    file: Path = request.param
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def begun_url(request: pytest.FixtureRequest, release: Path, tmp_path: Path) -> Iterator[str]:
    """The DATABASE_URL of a database of either kind with the migrations of that release: made once, and copied."""

    def begin(url: str) -> None:
        env = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        done = forked.run("-m", "tests.upgrade.release", "begin", str(release), env=env)
        assert done.returncode == 0, done.stderr

    if request.param == "postgresql":
        server = request.getfixturevalue("postgres_server")
        with fresh_database(server) as fresh:
            fill(fresh, server, f"{release.stem}.postgresql", begin)
            yield fresh
    else:
        file = kept_sqlite(f"{release.stem}.sqlite3", begin)
        yield f"sqlite:///{shutil.copyfile(file, tmp_path / 'begun.sqlite3')}"


@pytest.mark.slow
def test_what_was_collected_and_computed_stays_and_settings_come_back(release, begun_url):
    before = json.loads(release.read_text())
    assert before["seen"]["labels"]
    assert {status for pages in before["seen"]["pages"].values() for status in pages["status"].values()} == {200}
    after = found_by("tests.upgrade.release", "read", str(release), url=begun_url)
    assert after["seen"] == before["seen"]
    # Making rows again makes them now.
    studies = zip(before["rows"]["annotation.Study"], after["studies"], strict=True)
    assert [was | {"created_at": now["created_at"]} for was, now in studies] == after["studies"]


def test_the_migrations_of_a_release_are_never_changed(release):
    was, now = json.loads(release.read_text())["sha256"], hashes()
    assert [path for path, sha256 in was.items() if now.get(path) != sha256] == []
