"""A corpus in parts: each, read alone, has the blocks of the one pass, in every form and however it is packed."""

import bz2
import gzip
import json
import lzma
from dataclasses import asdict, replace
from itertools import chain

import pytest
import zstandard

from corpus import parts as cutting
from corpus import sweep
from corpus.errors import BuildError
from corpus.parts import Order, Part, Sought, find, parts
from corpus.texts import corpus_files
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
    whole = list(sweep._blocks(files, field="", update=lambda _: None, skip=0))
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
