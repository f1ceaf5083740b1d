"""Reading in a confined process: so many at once on a machine, and no longer than a page waits."""

import stat
import threading
from pathlib import Path

import pytest

from corpus.errors import SourceError
from corpus.formats import apart
from corpus.tables.opening import How


@pytest.fixture
def places(monkeypatch, tmp_path):
    monkeypatch.setenv("PARALLAX_VAR", str(tmp_path))
    monkeypatch.setattr(apart, "PLACES", 2)
    return tmp_path / "reading"


def test_when_all_places_are_held_another_waits_and_then_says_so(places, monkeypatch):
    monkeypatch.setattr(apart, "TURN", 0.2)
    refused = pytest.raises(SourceError, match="the server is reading other files")
    asked = apart.reading_for(lambda: 1)
    with apart._place(Path("one")), apart._place(Path("two")), asked, refused, apart._place(Path("three")):
        pytest.fail("a third place")
    with apart._place(Path("three")):
        pass


def test_a_worker_waits_longer_than_a_page_and_comes_in_when_a_place_is_free(places, monkeypatch):
    monkeypatch.setattr(apart, "TURN", 0.1)
    came = threading.Event()

    def wait():
        with apart._place(Path("three")):
            came.set()

    with apart._place(Path("one")):
        with apart._place(Path("two")):
            waiting = threading.Thread(target=wait)
            waiting.start()
            assert not came.wait(0.3)
        assert came.wait(5)
    waiting.join()


def test_places_lie_where_nobody_else_can_write(places):
    with apart._place(Path("one")):
        assert stat.S_IMODE(places.stat().st_mode) == 0o700


def test_one_account_reads_one_file_at_a_time_and_another_account_reads_beside_it(places, monkeypatch):
    monkeypatch.setattr(apart, "TURN", 0.2)
    with apart.reading_for(lambda: 1), apart._place(Path("one")):
        refused = pytest.raises(SourceError, match="the server is reading another file of yours; send it again")
        with refused, apart._place(Path("two")):
            pytest.fail("a second place")
        with apart.reading_for(lambda: 2), apart._place(Path("three")):
            pass
    with apart.reading_for(lambda: 1), apart._place(Path("two")):
        pass


def test_a_zip_is_read_apart_whatever_it_is_called_and_said_to_be(places):
    with pytest.raises(SourceError):
        apart.records_apart(b"PK\x03\x04 and more", "x.csv", "labels", asked="table", how=How(encoding="utf-8"))


@pytest.mark.slow
def test_what_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(apart, "PATIENCE", 0.5)
    with pytest.raises(SourceError, match="takes longer than"):
        apart.run_confined("timeit", "-n", "1", "-r", "1", "import time; time.sleep(20)", source=Path("slow.csv"))
