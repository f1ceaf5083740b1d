"""A corpus at an address is read as the same files here are: in one pass, and in parts."""

import gzip
import re
from argparse import ArgumentTypeError
from contextlib import closing
from itertools import chain
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from corpus import parts as cutting
from corpus.errors import BuildError, SourceError
from corpus.lines import CorpusFile
from corpus.parts import parts
from corpus.provenance import sha256
from corpus.remote import address_of, is_http, place
from corpus.texts import corpus_files

TEXT = "One line of some words.\nAnd a second one, é.\n" * 40


@pytest.fixture
def shelf():
    """A store in memory, as fsspec has one."""
    system = fsspec.filesystem("memory")
    system.pipe_file("/shelf/b.txt.gz", gzip.compress(TEXT.encode(), mtime=0))
    system.pipe_file("/shelf/a.txt", TEXT.encode())
    system.pipe_file("/shelf/of/no.pdf", b"%PDF")
    yield "memory://shelf"
    system.rm("/shelf", recursive=True)


def test_a_folder_elsewhere_is_read_like_one_here(shelf, tmp_path, monkeypatch):
    monkeypatch.setattr(cutting, "BLOCK", 100)
    monkeypatch.setattr(cutting, "BLOCKS", 2)
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(TEXT.encode(), mtime=0))
    there, here = (corpus_files([one], form=None) for one in (place(shelf), tmp_path))
    assert [address_of(path) for path, _ in there] == [f"{shelf}/a.txt", f"{shelf}/b.txt.gz"]
    for (one, form), (other, same) in zip(there, here, strict=True):
        assert (one.name, form, one.stat().st_size, sha256(one)) == (
            other.name,
            same,
            other.stat().st_size,
            sha256(other),
        )
    cut, near = list(parts(there, field="")), list(parts(here, field=""))
    # What is found in them has one name.
    assert [part.content for part in cut] == [part.content for part in near]
    assert list(chain.from_iterable(part.in_blocks() for part in cut)) == list(
        chain.from_iterable(part.in_blocks() for part in near)
    )


def test_what_is_not_there_or_cannot_be_asked_is_a_fault_in_words(shelf):
    with pytest.raises(SourceError, match="no such file or folder"):
        corpus_files([place(f"{shelf}/c.txt")], form=None)
    with pytest.raises(SourceError, match="cannot be read: FileNotFoundError"):
        CorpusFile(place(f"{shelf}/c.txt"))
    with pytest.raises(OSError, match="Protocol not known: nothing"):
        place("nothing://such/x.txt").exists()


def test_addresses_name_what_is_opened(shelf):
    assert place("a/b.txt") == Path("a/b.txt")
    assert [is_http(place(one)) for one in ("http://x/a.txt", "https://x/a.txt", "s3://x/a.txt", "a")] == [
        True,
        True,
        False,
        False,
    ]
    for refused in ("simplecache::http://x/a.txt", "s3://x/a.zip::http://y", "s3://x/a\n.txt", "s3://x/\udc80.txt"):
        for kind in (ArgumentTypeError, BuildError):
            with pytest.raises(kind, match=re.escape(repr(refused))):
                place(refused)
    with closing(CorpusFile(place(f"{shelf}/a.txt"))) as file:
        assert len(list(file)) == 80


def test_addresses_are_asked_for_as_they_are_given(shelf, tmp_path):
    for given in ("http://h/a.txt?u=http://x", "hdfs:///user/a.txt", "s3://x/./a//b.txt"):
        assert address_of(place(given)) == str(place(given)) == given
    (tmp_path / "a.txt").write_text(TEXT)
    for given in (tmp_path.as_uri(), f"{tmp_path.as_uri()}/", f"{tmp_path.as_uri()}/a.txt"):
        [(found, _)] = corpus_files([place(given)], form=None)
        assert address_of(found) == f"{tmp_path.as_uri()}/a.txt"
        assert found.read_bytes() == TEXT.encode()


def test_each_file_of_a_folder_is_read_once_or_the_folder_is_refused(shelf):
    system = fsspec.filesystem("memory")
    texts = {"a/./b.txt": b"dotted", "a//b.txt": b"double", "a/b.txt": b"single"}
    for name, text in texts.items():
        system.pipe_file(f"/shelf/c/{name}", text)
    found = corpus_files([place(f"{shelf}/c")], form=None)
    assert {address_of(path): path.open("rb").read() for path, _ in found} == {
        f"{shelf}/c/{name}": text for name, text in texts.items()
    }
    for name in ("x::y.txt", "new\nline.txt"):
        system.pipe_file(f"/shelf/d/{name}", b"")
        with pytest.raises(BuildError, match=re.escape(repr(f"{shelf}/d/{name}"))):
            corpus_files([place(f"{shelf}/d")], form=None)
        system.rm("/shelf/d", recursive=True)


def test_a_listed_file_whose_address_leads_elsewhere_is_refused(shelf, monkeypatch):
    """As a store that takes off what it reads as a query, or slashes at an end."""
    said = "'/shelf/a.txt/', a file in memory://shelf, cannot be read"
    with monkeypatch.context() as patch, pytest.raises(BuildError, match=said):
        patch.setattr(MemoryFileSystem, "find", lambda self, path: [f"{path}/a.txt/"])
        corpus_files([place(shelf)], form=None)
