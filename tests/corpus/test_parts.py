"""A corpus in parts: each, read alone, has the blocks of the one pass, in every form and however it is packed."""

import bz2
import gzip
import json
import lzma
from collections import deque
from dataclasses import asdict, replace
from itertools import chain

import fsspec
import pytest
import zstandard

from corpus import parts as cutting
from corpus import sweep
from corpus.errors import BuildError, SourceError
from corpus.parts import Order, Part, Sought, find, parts
from corpus.remote import place
from corpus.texts import corpus_files
from corpus.workplace import Workplace
from tests.corpus.finders import Adverbs
from tests.corpus.trees import TREES

LINES = [
    "\ufeffThe first one.",
    "",
    "A long one. " * 2_000,
    "é" * 30,
    "Two.\x0bThree &amp; four.",
    *["Short, and said again."] * 9,
]
PACKED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstandard.compress}
WRITTEN = {
    "plain.txt": "\n".join(LINES),
    "ended.txt": "\r\n".join([*LINES, ""]),
    "table.tsv": "\n".join(f"{line}\tno" for line in LINES),
    "records.jsonl": "\n".join(json.dumps({"text": f"{line}\n{line}"}) for line in LINES),
    "empty.txt": "",
}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for module in (cutting, sweep):
        monkeypatch.setattr(module, "BLOCK", 50)
    monkeypatch.setattr(cutting, "BLOCKS", 3)


def files_in(folder, packing, pack):
    folder.mkdir()
    for name, text in WRITTEN.items():
        (folder / f"{name}{packing}").write_bytes(pack(text.encode()))
    (folder / f"trees.conllu{packing}").write_bytes(pack((TREES * 4).encode()))
    return corpus_files([folder], form=None)


@pytest.mark.parametrize(("packing", "pack"), PACKED.items())
def test_parts_have_the_blocks_of_the_one_pass(tmp_path, packing, pack):
    files = files_in(tmp_path / "corpus", packing, pack)
    cut = [Part.of(json.loads(json.dumps(asdict(part)))) for part in parts(files, field="")]
    whole = list(sweep._blocks(files, field="", update=lambda _: None, skip=0, read=deque()))
    assert list(chain.from_iterable(part.in_blocks() for part in cut)) == whole
    assert len(cut) == 15
    assert sum(part.read for part in cut) > sum(path.stat().st_size for path, _ in files) - 50


def test_a_part_of_another_file_or_of_another_parser_is_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("One line of some words, and a little more than fifty.\n" * 8)
    one, *_, last = parts([(path, "plain")], field="")
    path.write_text(path.read_text()[:-30] + "\n")
    assert len(list(one.in_blocks())) == 3
    with pytest.raises(BuildError, match=r"a\.txt is another file here, or it has changed"):
        list(last.in_blocks())
    order = Order(one, replace(Sought.by(Adverbs()), made_by={"packages": {"spacy": "0.1"}}))
    with pytest.raises(BuildError, match=r"The pass is made with .*0\.1.*, and here is "):
        find(order, Adverbs(), tmp_path / "found", processes=1)
    # What was found in texts that are the same has the same name, wherever they lie.
    assert replace(one, path="/elsewhere/a.txt").content == next(parts([(path, "plain")], field="")).content


def test_a_file_that_is_changed_cut_off_or_removed_between_parts_is_refused(tmp_path):
    path, elsewhere = tmp_path / "a.txt", place("memory://changed/a.txt")
    text = "One line of some words, and a little more than fifty.\n" * 8
    system = fsspec.filesystem("memory")

    def one_by_one(files, *_):
        for part in parts(files, field=""):
            yield list(part.in_blocks())

    def all_ahead(files, *_):
        for part in list(parts(files, field="")):
            yield list(part.in_blocks())

    changes = {
        "grown": lambda: path.write_text(text * 2),
        "other at its beginning": lambda: path.write_text(text.replace("One", "Two", 1)),
        "cut off": lambda: path.write_text(text[:200]),
        "removed": lambda: path.unlink(),
    }
    cases = [(path, asker, change) for asker in (one_by_one, all_ahead) for change in changes.values()]
    cases.append((elsewhere, one_by_one, lambda: system.pipe_file("/changed/a.txt", text.encode() * 2)))
    for source, asker, change in cases:
        path.write_text(text)
        system.pipe_file("/changed/a.txt", text.encode())
        found = sweep.sweep([source], Adverbs(), Workplace(tmp_path, 1, 0, shared={"adverbs": asker}))
        next(found)
        change()
        with pytest.raises((BuildError, SourceError), match=r"(?s)a\.txt.*(changed|cannot be read)"):
            list(found)
    assert len(list(sweep.sweep([elsewhere], Adverbs(), Workplace(tmp_path, 1, 0, shared={"adverbs": one_by_one})))) > 1
    system.rm("/changed", recursive=True)
