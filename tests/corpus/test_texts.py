"""Reading corpora: every format, packed or not, and every fault with its line."""

import bz2
import gzip
import json
import lzma
import os
import time
import tracemalloc
from functools import partial

import pytest
import zstandard

from corpus import lines
from corpus.errors import SourceError
from corpus.lines import CorpusFile
from corpus.texts import LONGEST, _pieces, corpus_files, form_of, texts
from tests.corpus.trees import TREES


def read(path, *, form=None, field=""):
    return list(texts(CorpusFile(path), form_of(path, form), field=field))


def refusal(path, **options):
    with pytest.raises(SourceError) as refused:
        read(path, **options)
    return str(refused.value)


def test_plain_lines_with_their_places_and_without_entities(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffOne  line.\r\n\r\n&gt; Tom &amp; Ann.\n".encode())
    assert [(text.place, text.text) for text in read(path)] == [("a.txt:1", "One line."), ("a.txt:3", "> Tom & Ann.")]


PACKERS = {
    ".gz": partial(gzip.compress, compresslevel=1),
    ".zst": zstandard.compress,
    ".bz2": bz2.compress,
    ".xz": partial(lzma.compress, preset=0),
}
# Longer than what is read and unpacked in one go.
MANY = "".join(f"Line {number} of {number * 7919 % 104729}.\n" for number in range(20_000)).encode()
packed = pytest.mark.parametrize(("suffix", "pack"), PACKERS.items(), ids=PACKERS)


@packed
def test_packed_files(tmp_path, suffix, pack):
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack(b"One.\nTwo.\n"))
    assert [text.text for text in read(path)] == ["One.", "Two."]


@pytest.mark.slow
@packed
def test_packed_files_in_several_parts(tmp_path, suffix, pack):
    """As parallel packers and dumps in several streams write them."""
    path = tmp_path / f"dump{suffix}"
    path.write_bytes(pack(b"One.\n") + pack(b"") + pack(MANY) + pack(b"Two.\n"))
    found = [text.text for text in read(path, form="plain")]
    assert (found[0], found[1:-1], found[-1]) == ("One.", MANY.decode().splitlines(), "Two.")


def test_padding_between_parts_and_frames_that_hold_no_text(tmp_path):
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(b"One.\n") + bytes(8) + lzma.compress(b"Two.\n") + bytes(4))
    skippable = (0x184D2A50).to_bytes(4, "little") + (3).to_bytes(4, "little") + b"abc"
    (tmp_path / "a.txt.zst").write_bytes(skippable + zstandard.compress(b"One.\n") + skippable)
    assert [text.text for text in read(tmp_path / "a.txt.xz")] == ["One.", "Two."]
    assert [text.text for text in read(tmp_path / "a.txt.zst")] == ["One."]


@pytest.mark.slow
@packed
@pytest.mark.parametrize("keep", [0, 3, 2_000, -9])
def test_a_packed_file_that_is_cut_off(tmp_path, suffix, pack, keep):
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack(MANY)[:keep])
    assert "cannot be read further" in refusal(path)


@pytest.mark.slow
@packed
def test_a_packed_file_that_is_damaged_names_the_line(tmp_path, suffix, pack):
    """In the middle, and at the beginning of its second part, which the libraries take for the end of the file."""
    path = tmp_path / f"a.txt{suffix}"
    whole = pack(MANY)
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + bytes(8) + whole[middle + 8 :])
    assert "cannot be read further" in refusal(path) or "is not UTF-8 text" in refusal(path)
    path.write_bytes(whole + pack(b"More.\n")[2:])
    assert "line 20001: cannot be read further" in refusal(path)


@pytest.mark.slow
@packed
def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(tmp_path, suffix, pack, monkeypatch):
    monkeypatch.setattr(lines, "LONGEST_LINE", 2**20)
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack(b"Good.\n" + b" " * 2**27))
    tracemalloc.start()
    try:
        assert "line 2: is longer than 1,048,576 bytes" in refusal(path)
        assert tracemalloc.get_traced_memory()[1] < 2**26
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["a.txt.zip", "a.7z", "a.tar.gz"])
@pytest.mark.parametrize("form", [None, "plain"])
def test_what_is_packed_otherwise_says_what_can_be_read(tmp_path, name, form):
    with pytest.raises(SourceError, match=r"decompress it, or compress it as \.gz, \.zst, \.bz2 or \.xz"):
        form_of(tmp_path / name, form)


def test_a_comment_with_several_lines_is_several_texts(tmp_path):
    path = tmp_path / "rc.jsonl"
    path.write_text(json.dumps({"body": "First one.\n\nSecond one."}) + "\n" + json.dumps({"body": None}) + "\n")
    assert [(text.place, text.text) for text in read(path, field="body")] == [
        ("rc.jsonl:1", "First one."),
        ("rc.jsonl:1.2", "Second one."),
    ]


def test_a_column_of_a_table(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("One.\tx\nTwo.\ty\n")
    assert [text.text for text in read(path)] == ["One.", "Two."]
    assert [text.text for text in read(path, field="2")] == ["x", "y"]


def test_a_very_long_line_is_cut_between_sentences(tmp_path):
    path = tmp_path / "a.txt"
    sentence = "This is a sentence of some length. "
    path.write_text(sentence * 1000)
    found = read(path)
    assert all(len(text.text) <= LONGEST and text.text.endswith(".") for text in found)
    assert " ".join(text.text for text in found) == (sentence * 1000).strip()


@pytest.mark.slow
def test_the_time_for_a_line_grows_with_its_length_and_not_with_its_square():
    """Some corpora (text8) are one line. Forty million characters took 53 seconds when each cut copied the rest."""
    began = time.process_time()
    line = "no sentence ends here " * 1_800_000
    assert "".join(_pieces(line)).replace(" ", "") == line.replace(" ", "")
    assert time.process_time() - began < 10


def test_trees_are_joined_by_paragraph(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TREES)
    first, second = read(path)
    assert (first.place, first.text) == ("a.conllu:1", "They don't know. Really!")
    assert first.gold.words == ("They", "do", "n't", "know", ".", "Really", "!")
    assert first.gold.heads == (3, 3, 3, 3, 3, 5, 5)
    assert first.gold.starts == (True, False, False, False, False, True, False)
    assert second.text == "Yes"


@pytest.mark.parametrize(
    ("name", "data", "options", "said"),
    [
        ("a.txt", b"Good.\nBad \xff byte.\n", {}, "line 2: is not UTF-8 text"),
        ("a.txt.gz", gzip.compress(b"Good.\n" * 9999)[:-9], {}, "cannot be read further"),
        ("a.txt.zst", b"not zst at all", {}, "line 1: cannot be read further"),
        ("a.jsonl", b'{"text": "x"}\n{"text": \n', {}, "line 2: is not JSON"),
        ("a.jsonl", b'{"body": "x"}\n', {}, "line 1: has no field 'text' (it has body); give --field"),
        ("a.jsonl", b'{"text": 3}\n', {}, "line 1, field “text”: must be text, not int"),
        ("a.jsonl", b'{"text": "half \\ud83d"}\n', {}, "line 1, field “text”: contains half of a character"),
        ("a.tsv", b"x\ty\nx\n", {"field": "2"}, "line 2: has no column '2'"),
        ("a.conllu", b"1\tYes\tyes\n", {}, "line 1: has 3 columns instead of 10"),
        ("a.conllu", b"1\tYes\t_\t_\t_\t_\t7\t_\t_\t_\n", {}, "line 1: has the HEAD '7'"),
        ("a.conllu", b"1\tYes\tyes\t_\tUH\t_\t0\t_\t_\t_\n", {}, "line 1: has the UPOS '_', which is not a universal"),
        ("a.conllu", b"1\t\tyes\tINTJ\tUH\t_\t0\t_\t_\t_\n", {}, "line 1: has no FORM"),
        ("a.conllu", b"x\tYes\t_\t_\t_\t_\t0\t_\t_\t_\n", {}, "line 1: has the ID 'x'"),
    ],
)
def test_a_fault_names_its_line(tmp_path, name, data, options, said):
    path = tmp_path / name
    path.write_bytes(data)
    assert said in refusal(path, **options)


def test_a_name_that_tells_nothing(tmp_path):
    with pytest.raises(SourceError, match="give --format"):
        form_of(tmp_path / "RC_2015-01.zst", None)


def test_a_file_that_is_not_there(tmp_path):
    assert "cannot be read: No such file" in refusal(tmp_path / "a.txt")


def test_a_folder_is_its_files_in_order(tmp_path):
    for name in ("b/two.txt", "a/one.tsv", "b/SOURCE.txt", "b/picture.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [(path.name, form) for path, form in corpus_files([tmp_path], form=None)] == [
        ("one.tsv", "tsv"),
        ("two.txt", "plain"),
    ]


def test_an_empty_folder(tmp_path):
    with pytest.raises(SourceError, match=r"contains no file named \.txt"):
        corpus_files([tmp_path], form=None)


def test_a_pipe_is_refused(tmp_path):
    """It can be read once only, and a corpus is read more than once: to find its faults, for its hash, for its text."""
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(SourceError, match="is not a regular file"):
        corpus_files([tmp_path / "pipe.txt"], form=None)


def test_a_corpus_that_is_not_there(tmp_path):
    with pytest.raises(SourceError, match="no such file or folder"):
        corpus_files([tmp_path / "typo.txt"], form=None)
    with pytest.raises(SourceError, match="no such file or folder"):
        corpus_files([tmp_path / "nothing"], form=None)
