"""Finished states as scorers open them: many at a time, and without a trace."""

from collections import Counter

from scoring.associations.reading import Associations
from scoring.associations.tally import Tally
from tests.scoring.associations.stores import counted

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
