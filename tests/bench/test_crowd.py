"""A small made crowd through the real pages, from the link to the payment, on both databases."""

import pytest

from annotation.platforms import Outcome
from bench.crowd import walk
from bench.crowd.personas import MIX, PERSONAS, cast
from bench.crowd.study import CODES, make_world
from bench.crowd.walk import HttpBrowser
from tests.bench.sixteen import PEOPLE
from tests.either_database import found_by

ENDS = (
    Outcome.COMPLETED,
    Outcome.FAILED_CHECKS,
    Outcome.SCREENED_OUT,
    Outcome.NO_CONSENT,
    Outcome.QUOTA_FULL,
)
DO_NOT_READ = sorted(name for name, persona in PERSONAS.items() if not persona.reads)


@pytest.mark.slow
def test_what_became_of_them_is_what_ought_to(tmp_path, either_url):
    found = found_by("tests.bench.sixteen", str(tmp_path / "study"), url=either_url)
    assert found["vendor"] == either_url.split(":")[0]
    assert found["faults"] == []
    assert (found["planned"], found["who"]) == (PEOPLE, sorted(PERSONAS))
    assert found["came"] > PEOPLE
    # Whoever does not read is excluded, each of them; of those who read only the noisy may be.
    assert not set(DO_NOT_READ) & set(found["kept"])
    assert set(DO_NOT_READ) <= set(found["excluded"]) <= {*DO_NOT_READ, "noisy"}
    assert {"", *(CODES[outcome] for outcome in ENDS)} == set(found["codes"])
    assert min(found[name] for name in ("sent_twice", "strangers", "again", "left")) > 0
    # What holds would be seen not to.
    assert found["seen"] == {"items": 1, "lost": 1, "changed": 2, "ends": 1}


def test_everybody_is_in_the_cast():
    sixty = cast(60, seed=1)
    assert {name: sum(one.name == name for one in sixty) for name in MIX} == MIX
    assert len({one.id for one in [*sixty, *cast(60, seed=1, first=61)]}) == 120
    assert {len(one.id) for one in sixty} == {24}
    assert [one.name for one in sixty] != [one.name for one in cast(60, seed=2)]


def test_a_page_says_which_item_it_shows():
    world = make_world(20, seed=1)
    for row in world.rows.values():
        assert world.read(f"Compared with {row.content['original']} how plausible is {row.content['modified']}") == row
    assert {row.kind for row in world.rows.values()} == {"target", "gold", "attention", "practice"}


class _LosesTheFirstLine(HttpBrowser):
    asked = 0

    def _ask(self, address, data):
        self.asked += 1
        if self.asked == 1:
            raise ConnectionResetError("lost")
        return 200, address, f"<p>{data}</p>"


def test_a_form_whose_line_was_lost_is_sent_again(monkeypatch):
    monkeypatch.setattr(walk, "PAUSE", 0)
    page = _LosesTheFirstLine(1).fetch("/sitting/", {"answer": "x"})
    assert (page.status, page.text) == (200, "{'answer': 'x'}")
