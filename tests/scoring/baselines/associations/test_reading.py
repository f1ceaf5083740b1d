"""Finished states as scorers open them: many at a time, and without a trace."""

import shutil
from collections import Counter

import pytest

from scoring.baselines.associations import places, reading
from scoring.baselines.associations.reading import Associations, StoreError, open_store
from scoring.baselines.associations.tally import Tally
from tests.scoring.baselines.associations.stores import counted, words_in_two_circles

TALLY = Tally(triples=Counter({("obj", "arrest", "thief"): 4}))


def test_readers_share_a_state_and_leave_nothing_beside_it(tmp_path):
    first = counted(tmp_path, TALLY)
    before = {path.name: path.stat().st_mtime_ns for path in first.folder.iterdir()}
    second = Associations(first.folder, first.manifest)
    assert first.triple("obj", "arrest", "thief") == second.triple("obj", "arrest", "thief") == 4
    assert {path.name: path.stat().st_mtime_ns for path in first.folder.iterdir()} == before


def test_a_folder_may_be_called_anything(tmp_path):
    folder = tmp_path / "100% #1 (why?)"
    folder.mkdir()
    assert counted(folder, TALLY).triple("obj", "arrest", "thief") == 4


def test_vectors_of_a_state_that_is_gone_are_a_store_error(tmp_path):
    """A worker has the state open for PPMI when files are added to the store; then it is asked for SDM."""
    store = counted(tmp_path, words_in_two_circles())
    shutil.rmtree(store.folder)
    with pytest.raises(StoreError, match="no longer has what this model was counted from"):
        _ = store.vectors


def test_a_state_that_goes_while_it_is_opened_is_a_store_error(tmp_path, monkeypatch):
    content = counted(tmp_path, TALLY).manifest.content
    reading._open.cache_clear()
    read_manifest = places.read_manifest

    def slow(folder):
        shutil.rmtree(folder)
        return read_manifest(folder)

    monkeypatch.setattr(places, "read_manifest", slow)
    with pytest.raises(StoreError, match="no longer has what this model was counted from"):
        open_store(tmp_path, content)
