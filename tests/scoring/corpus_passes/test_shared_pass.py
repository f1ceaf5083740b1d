"""A count that machines share: each with its own PARALLAX_VAR, one database, one queue and one store."""

import copy
import os
import signal

import pytest

from scoring.baselines.associations.counting import Wanted, count
from tests import forked
from tests.installation import Installation
from tests.scoring.baselines.associations.stores import TEXT, quiet

pytestmark = pytest.mark.slow

# `count_corpus`, with a few texts to a part.
COUNT = """
import sys
import django
django.setup()
from django.core.management import call_command
from corpus import parts
parts.BLOCK, parts.BLOCKS = 250, 1
call_command("count_corpus", "shared", *sys.argv[1:], processes=1)
"""
PARTS = 4


def kill(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_killed_in_the_middle_it_goes_on_and_gives_the_bytes_of_one_machine(tmp_path, valkey_url):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(TEXT)
    alone = count(Wanted(sources=[corpus]), tmp_path / "alone", say=quiet).manifest
    store = tmp_path / "store"
    here = Installation(tmp_path / "here", valkey_url, CORPUS_STORE=store.as_uri(), OMP_NUM_THREADS="1")
    there = copy.copy(here)
    there.env = here.env | {"PARALLAX_VAR": str(tmp_path / "there")}
    there.log = tmp_path / "there.log"
    asking = {"env": here.env, "log": tmp_path / "asker.log", "new_session": True}
    running = [there.worker("jobs,upkeep"), forked.begin("-c", COUNT, str(corpus), **asking)]

    def found():
        return {path.name: path.stat().st_ino for path in store.glob("associations/*.gz")}

    try:
        here.wait_for(lambda: found())
        for process in running:
            kill(process)
        before = found()
        assert len(before) < PARTS
        assert here.row("SELECT COUNT(*) AS n FROM scoring_corpuspart WHERE state = 'held'")["n"] > 0
        running = [there.worker("jobs,upkeep"), forked.begin("-c", COUNT, str(corpus), **asking)]
        assert running[1].wait() == 0, (tmp_path / "asker.log").read_text()[-3000:]
    finally:
        for process in running:
            if process.poll() is None:
                kill(process)
    assert len(found()) == PARTS
    assert found().items() >= before.items()
    assert here.row("SELECT COUNT(*) AS n FROM scoring_corpuspart")["n"] == 0
    assert len((tmp_path / "asker.log").read_text().split(alone.content[:8])) > 1
    [state] = (tmp_path / "here" / "associations" / "shared").glob(f"{alone.content[:16]}/store.json")
    assert state.read_bytes() == (tmp_path / "alone" / alone.content[:16] / "store.json").read_bytes()
