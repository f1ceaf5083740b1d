"""Passes that machines share: each with its own PARALLAX_VAR, one database, one queue and one store."""

import copy
import os
import signal

import pytest

from tests import forked
from tests.installation import Installation
from tests.stimuli.constructions.adjective_words import write_sources

pytestmark = pytest.mark.slow

# Passes with few texts to a part; `sources` and `out` are folders.
ASK = """
import sys
import django
django.setup()
from django.core.management import call_command
from corpus import parts
parts.BLOCK, parts.BLOCKS = 2_500, 1
sources, out = sys.argv[1:]
corpus = f"{sources}/corpus.txt"
given = ("--corpus", corpus, "--conceptnet", f"{sources}/triples.txt", "--nonsubsective", f"{sources}/adjectives.txt")
call_command("build_study", "adjectives", *given, "--out", out, "--no-load", "--processes", "1")
call_command("count_corpus", "shared", corpus, processes=1)
"""
FINDERS, PARTS = ("adjectives", "associations"), 3


def kill(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_killed_in_the_middle_they_go_on_and_give_the_bytes_of_one_machine(tmp_path, valkey_url):
    (sources := tmp_path / "sources").mkdir()
    write_sources(sources)
    store = tmp_path / "store"
    alone = Installation(tmp_path / "alone", valkey_url, OMP_NUM_THREADS="1")
    here = Installation(tmp_path / "here", valkey_url, CORPUS_STORE=store.as_uri(), OMP_NUM_THREADS="1")
    there = copy.copy(here)
    there.env = here.env | {"PARALLAX_VAR": str(tmp_path / "there")}
    there.log = tmp_path / "there.log"

    def ask(installation):
        arguments = ("-c", ASK, str(sources), str(tmp_path / f"study-{installation.log.parent.name}"))
        log = tmp_path / f"asker-{installation.log.parent.name}.log"
        return forked.begin(*arguments, env=installation.env, log=log, new_session=True)

    def found():
        return {path.name: path.stat().st_ino for name in FINDERS for path in store.glob(f"{name}/*.gz")}

    running = [there.worker("jobs,upkeep"), ask(here)]
    try:
        here.wait_for(found)
        for process in running:
            kill(process)
        before = found()
        assert len(before) < PARTS
        assert here.row("SELECT COUNT(*) AS n FROM scoring_corpuspart WHERE state = 'held'")["n"] > 0
        running = [there.worker("jobs,upkeep"), ask(here), ask(alone)]
        for process in running[1:]:
            assert process.wait() == 0, "".join(path.read_text()[-3000:] for path in tmp_path.glob("asker-*.log"))
    finally:
        for process in running:
            if process.poll() is None:
                kill(process)
    assert len(found()) == PARTS * len(FINDERS)
    assert found().items() >= before.items()
    assert here.row("SELECT COUNT(*) AS n FROM scoring_corpuspart")["n"] == 0
    assert_same(tmp_path / "study-here", tmp_path / "study-alone", "*")
    assert_same(tmp_path / "here", tmp_path / "alone", "associations/shared/*/store.json")


def assert_same(one, other, pattern):
    """These files, byte for byte."""
    names = sorted(path.relative_to(other) for path in other.glob(pattern))
    assert names
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
