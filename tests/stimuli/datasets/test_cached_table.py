"""Tables read in a process of their own, and kept."""

import datetime
import decimal

import pyarrow
import pyarrow.parquet
import pytest

from corpus.errors import SourceError
from corpus.formats import reading
from stimuli.datasets.table import cached as cached_table
from stimuli.datasets.table.cached import read_apart, read_stored_table
from stimuli.datasets.table.reading import read_table


@pytest.mark.slow
def test_the_same_table_comes_back(tmp_path):
    source, kept = tmp_path / "items.csv", tmp_path / "kept.json"
    source.write_text("a,b\n1,ä\n,x\n")
    read_apart(source, kept)
    assert read_stored_table(kept, source=source) == read_table(source)


@pytest.mark.slow
def test_days_and_decimals_of_parquet_are_written_out(tmp_path):
    source, kept = tmp_path / "items.parquet", tmp_path / "kept.json"
    columns = {"day": [datetime.date(2026, 1, 2)], "share": [decimal.Decimal("0.50")], "picture": [b"\x89PNG"]}
    pyarrow.parquet.write_table(pyarrow.table(columns), source)
    read_apart(source, kept)
    [row] = read_stored_table(kept, source=source).rows
    assert row.values == {"day": "2026-01-02", "share": "0.50", "picture": ["bytes"]}


@pytest.mark.slow
def test_faults_come_back_by_place(tmp_path):
    source = tmp_path / "items.csv"
    source.write_text("a,b\n1\n")
    with pytest.raises(SourceError) as refused:
        read_apart(source, tmp_path / "kept.json")
    [fault] = refused.value.faults
    assert (fault.field, fault.message) == ("line 2", "has 1 cell; the header has 2")


@pytest.mark.slow
def test_a_file_that_eats_memory_is_refused(tmp_path):
    source = tmp_path / "items.csv"
    source.write_text("a\n" + "x\n" * 2_000_000)
    with pytest.raises(SourceError, match="takes too much memory or time"):
        read_apart(source, tmp_path / "kept.json", most_bytes=200 * 1024**2)
    assert not (tmp_path / "kept.json").exists()


def test_of_a_long_table_a_page_reads_the_first_rows_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(cached_table, "MOST_SHOWN", 3)
    source, kept = tmp_path / "items.csv", tmp_path / "kept.json"
    source.write_text("a\n1\n2\n3\n4\n5\n")
    cached_table.keep(read_table(source), kept)
    first, whole = (read_stored_table(kept, source=source, whole=one) for one in (False, True))
    assert ([row.where for row in first.rows], first.beyond, first.count) == (["line 2", "line 3", "line 4"], 2, 5)
    assert whole == read_table(source)
    monkeypatch.setattr(reading, "CHARACTERS_SHOWN", 4)
    cached_table.keep(read_table(source), kept)
    assert [row.where for row in read_stored_table(kept, source=source, whole=False).rows] == ["line 2", "line 3"]
    monkeypatch.setattr(reading, "CHARACTERS_SHOWN", 2_000_000)
    source.write_text("a\n1\n")
    cached_table.keep(read_table(source), kept)
    assert read_stored_table(kept, source=source, whole=False) == read_table(source)


def test_a_table_that_is_kept_in_place_of_a_long_one_has_none_of_its_first_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(cached_table, "MOST_SHOWN", 2)
    kept, fresh = tmp_path / "kept.json", tmp_path / "fresh.json"
    for name, lines in (("long.csv", 3), ("short.csv", 1), ("long.csv", 3)):
        source = tmp_path / name
        source.write_text("id,sentence\n" + "".join(f"{name}{n},It rains.\n" for n in range(lines)))
        cached_table.keep(read_table(source), fresh)
        cached_table.keep_instead(fresh, kept)
        first, whole = (read_stored_table(kept, source=source, whole=one) for one in (False, True))
        assert (len(first.rows), len(whole.rows)) == (min(lines, 2), lines)
        assert first.rows == whole.rows[:2]
