"""A sweep gives the same results however many processes it has and however often it is killed."""

import gzip
import subprocess
import sys

import pytest
import zstandard

from corpus import sweep as sweeping
from corpus.errors import BuildError
from corpus.lines import CorpusFile
from corpus.parsing import Parser
from corpus.sweep import sweep
from corpus.texts import texts
from corpus.workplace import Workplace
from tests.corpus.finders import Adverbs, Refuses
from tests.corpus.trees import TREES
from tests.house.sources import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def parser():
    return Parser()


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.setattr(sweeping, "BLOCK", 200)
    path = tmp_path / "corpus.txt"
    path.write_text("".join(f"Number {n} is really quite slowly gone.\n" for n in range(60)))
    return path


def at(folder, *, processes=1):
    return Workplace(folder, processes=processes, seed=0)


def found(corpus, workplace, finder=None):
    return [hit for block in sweep([corpus], finder or Adverbs(), workplace) for hit in block]


def test_everything_in_order_from_one_process_or_two(corpus, tmp_path):
    alone = found(corpus, at(tmp_path / "one"))
    assert [place for place, _ in alone] == [f"corpus.txt:{n}" for n in range(1, 61)]
    assert alone[0][1] == ["really", "quite", "slowly"]
    assert found(corpus, at(tmp_path / "two", processes=2)) == alone
    files = [next((tmp_path / name).iterdir()).read_bytes() for name in ("one", "two")]
    assert files[0] == files[1]


def test_a_worker_that_dies_stops_the_sweep_and_loses_nothing_finished(corpus, tmp_path):
    with pytest.raises(BuildError, match="A process of this build was killed"):
        found(corpus, at(tmp_path / "work", processes=2), Adverbs(kills="Number 40 "))
    before = next((tmp_path / "work").iterdir()).read_bytes()
    assert before.count(b"\n") > 1
    assert found(corpus, at(tmp_path / "work")) == found(corpus, at(tmp_path / "afresh"))
    after = next((tmp_path / "work").iterdir()).read_bytes()
    assert after.startswith(before)


def test_a_line_torn_by_a_kill_is_done_again(corpus, tmp_path):
    whole = found(corpus, at(tmp_path))
    kept = next(tmp_path.glob("*.jsonl"))
    full = kept.read_bytes()
    kept.write_bytes(full[:-7])
    assert found(corpus, at(tmp_path)) == whole
    assert kept.read_bytes() == full


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_packed_corpus_gives_the_same(corpus, tmp_path, suffix):
    whole = found(corpus, at(tmp_path / "plain"))
    packed = corpus.with_name(corpus.name + suffix)
    packed.write_bytes((gzip.compress if suffix == ".gz" else zstandard.compress)(corpus.read_bytes()))
    assert [words for _, words in found(packed, at(tmp_path / "packed"))] == [words for _, words in whole]


def test_afresh_forgets_this_sweep_and_no_other(corpus, tmp_path):
    other = corpus.with_name("other.txt")
    other.write_text("Now it is quickly another.\n")
    found(other, at(tmp_path / "work"))
    kept = next((tmp_path / "work").iterdir())
    whole = found(corpus, at(tmp_path / "work"))
    again = Workplace(tmp_path / "work", processes=1, seed=0, afresh=True)
    # What is done again meets the finder that breaks; what is kept does not.
    with pytest.raises(RuntimeError, match="asked again"):
        list(sweep([corpus], Refuses(), again))
    assert found(corpus, at(tmp_path / "work")) == whole
    assert found(other, at(tmp_path / "work")) == [["other.txt:1", ["Now", "quickly"]]]
    assert kept.exists()


def test_nobody_goes_on_from_a_sweep_of_a_file_that_changed(corpus, tmp_path):
    text = corpus.read_text()
    blocks = sweep([corpus], Adverbs(), at(tmp_path / "work"))
    next(blocks)
    [kept] = (tmp_path / "work").iterdir()
    lines = kept.read_bytes()
    corpus.write_text(text.replace("quite", "very"))
    with pytest.raises(BuildError, match=r"corpus\.txt changed while it was read"):
        next(blocks)
    assert not kept.exists()
    corpus.write_text(text)
    stopped = sweep([corpus], Adverbs(), at(tmp_path / "work"))
    next(stopped)
    assert kept.read_bytes() == lines, "a kill here leaves what is true of the file"
    corpus.write_text(text.replace("quite", "very"))
    stopped.close()
    corpus.write_text(text)
    assert found(corpus, at(tmp_path / "work")) == found(corpus, at(tmp_path / "afresh"))


def test_what_is_finished_is_not_done_again(corpus, tmp_path):
    whole = found(corpus, at(tmp_path))
    # This finder would die at once if it were asked anything.
    assert found(corpus, at(tmp_path), Adverbs(kills="Number")) == whole


def test_another_corpus_is_another_sweep(corpus, tmp_path):
    found(corpus, at(tmp_path / "work"))
    corpus.write_text("Now it is quickly another.\n")
    assert found(corpus, at(tmp_path / "work")) == [["corpus.txt:1", ["Now", "quickly"]]]


def test_two_at_the_same_sweep(corpus, tmp_path):
    first = sweep([corpus], Adverbs(), at(tmp_path))
    next(first)
    with pytest.raises(BuildError, match="Another build is writing"):
        next(sweep([corpus], Adverbs(), at(tmp_path)))
    first.close()


def test_a_killed_sweep_leaves_no_process_behind(corpus, tmp_path):
    """The parent dies by SIGKILL in the middle; its workers go by themselves."""
    script = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from stimuli.making.contract import Workplace\n"
        "from corpus.sweep import sweep\n"
        "from tests.corpus.finders import Adverbs\n"
        "if __name__ == '__main__':\n"
        f"    blocks = sweep([Path({str(corpus)!r})], Adverbs(), Workplace(Path({str(tmp_path / 'w')!r}), 2, 0))\n"
        "    next(blocks)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    file = tmp_path / "killed.py"
    file.write_text(script)
    # Workers hold the pipe of stdout: it ends only when the last of them is gone.
    done = subprocess.run(
        [sys.executable, str(file)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, timeout=300
    )
    assert done.returncode == -9


def test_tags_and_trees_in_two_steps_are_those_of_the_whole_pipeline(parser, tmp_path):
    path = tmp_path / "a.txt"
    sentences = ["They don't want to be armed.", "The ones that would want guns are probably scary.", "Really?"]
    path.write_text("\n".join(sentences))
    docs = list(parser.parsed_many(parser.tagged_many(texts(CorpusFile(path), "plain", field=""))))
    for sentence, doc in zip(sentences, docs, strict=True):
        assert [describe(token) for token in doc] == [describe(token) for token in parser.nlp(sentence)]


def test_gold_trees_stay_as_they_are(parser, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TREES)
    first, _ = texts(CorpusFile(path), "conllu", field="")
    [doc] = parser.parsed_many(parser.tagged_many([first]))
    assert [token.dep_ for token in doc] == ["nsubj", "aux", "advmod", "ROOT", "punct", "ROOT", "punct"]
    assert [sentence.text for sentence in doc.sents] == ["They don't know.", "Really!"]
    assert [token.tag_ for token in doc][:3] == ["PRP", "VBP", "RB"]


def describe(token):
    return token.text, token.tag_, token.dep_, token.head.i, token.lemma_, token.is_sent_start
