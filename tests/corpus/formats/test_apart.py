"""Reading in a confined process: so many at once on a machine, and no longer than a page waits."""

import io
import os
import re
import stat
import threading
import time
import zipfile
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
def test_a_page_waits_shortly_and_a_worker_is_to_read_on(places, monkeypatch):
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 0.5)
    asleep = ("timeit", "-n", "1", "-r", "1", "import time; time.sleep(200)")
    began = time.monotonic()
    with apart.reading_for(lambda: 1), pytest.raises(apart.TakesLonger):
        apart.run_confined(*asleep, source=Path("slow.csv"))
    assert time.monotonic() - began < 100


def test_where_no_place_is_free_a_worker_is_to_read_too(places, monkeypatch):
    monkeypatch.setattr(apart, "TURN", 0.1)
    page = apart.reading_for(lambda: 1)
    with apart._place(Path("one")), apart._place(Path("two")), page, pytest.raises(apart.TakesLonger):
        apart.records_apart(b"PK", "x.xlsx", "labels")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("os.kill(os.getpid(), 9)", "the server stopped; send it again"),
        ("os.kill(os.getpid(), 15)", "the server stopped; send it again"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", "takes too much memory or time"),
        ("os.abort()", "takes too much memory or time"),
    ],
)
def test_who_was_killed_from_outside_does_not_blame_the_file(places, what, says):
    with pytest.raises(SourceError, match=says):
        apart.run_confined("timeit", "-n", "1", "-r", "1", f"import os, signal; {what}", source=Path("a.csv"))


@pytest.mark.slow
def test_who_takes_too_long_of_a_processor_is_told_so_before_it_is_killed(places):
    limited = "from corpus.formats import apart; apart.MOST_SECONDS = 1; apart.confine(2**32)\nwhile True: pass"
    with pytest.raises(SourceError, match="takes too much memory or time"):
        apart.run_confined("timeit", "-n", "1", "-r", "1", limited, source=Path("a.csv"))


def test_what_was_sent_lies_there_and_what_a_killed_process_left_is_erased(places):
    with apart.sent_folder() as live:
        assert Path(live).parent == places
        old, new = places / "sent-old", places / "sent-new"
        for folder in (old, new):
            folder.mkdir()
            (folder / "sent").write_text("names")
        os.utime(old, (0, 0))
        assert apart.drop_left() == 1
        assert not old.exists() and new.exists() and Path(live).exists()


ODS = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml": "<manifest/>"}
WORD = {"[Content_Types].xml": "<Types/>", "word/document.xml": "<document/>"}
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zipped(members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as out:
        for name, text in members.items():
            out.writestr(name, text)
    return data.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.json"])
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (zipped(ODS), "is an OpenDocument file, such as .ods, which is not read; save it as .xlsx or CSV"),
        (zipped(WORD), "is a Word file; copy its table into a spreadsheet and save it as .xlsx or CSV"),
        (OLD + bytes(600), "is an old Excel file (.xls), or has a password; save it as .xlsx or CSV without one"),
        (
            b"\x1f\x8b\x08\0",
            "is a file packed by gzip, or an R file (.rds, .RData); unpack it, or write its table as CSV",
        ),
    ],
)
def test_what_is_no_table_is_called_what_it_is_and_how_it_becomes_one(places, name, data, says):
    with pytest.raises(SourceError, match=re.escape(says)):
        apart.records_apart(data, name, "labels")


@pytest.mark.slow
def test_only_the_first_records_come_back_to_a_page(places):
    text = "item,text\n" + "".join(f"i{number},ä\n" for number in range(30))
    found = apart.records_apart(text.encode("latin-1"), "a.csv", "labels", first=4)
    assert found is not None
    assert (len(found.rows), found.beyond) == (4, 26)


@pytest.mark.slow
def test_what_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(apart, "PATIENCE", 0.5)
    with pytest.raises(SourceError, match="takes longer than"):
        apart.run_confined("timeit", "-n", "1", "-r", "1", "import time; time.sleep(20)", source=Path("slow.csv"))
