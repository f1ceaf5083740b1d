"""A database of an earlier release keeps its labels, runs, scores and results under the newest migrations.

Migrations are only added: those of a release stand in its file with their sha256.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.either_database import found_by
from tests.servers import fresh_database
from tests.upgrade.release import hashes

RELEASES = sorted(Path(__file__).parent.glob("*.json"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The DATABASE_URL of an empty database of either kind."""
    if request.param == "postgresql":
        with fresh_database(request.getfixturevalue("postgres_server")) as fresh:
            yield fresh
    else:
        yield f"sqlite:///{tmp_path / 'empty.sqlite3'}"


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_what_was_collected_and_computed_stays(release, empty_url):
    before = json.loads(release.read_text())["seen"]
    assert before["labels"]
    assert {status for pages in before["pages"].values() for status in pages["status"].values()} == {200}
    assert found_by("tests.upgrade.release", "read", str(release), url=empty_url) == before


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_the_migrations_of_a_release_are_never_changed(release):
    was, now = json.loads(release.read_text())["sha256"], hashes()
    assert [path for path, sha256 in was.items() if now.get(path) != sha256] == []
