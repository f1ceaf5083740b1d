"""A worker's loop: whatever `do` does, its row ends, and what is nobody's fault here is no line in the log."""

from typing import Any

import pytest
from django.apps import apps

from tests.house.sources import ROOT
from work.kinds import Kind, NotEnded
from work.leases import Leased, LeaseLost
from work.models import Errand

pytestmark = pytest.mark.django_db


@pytest.fixture
def row() -> Errand:
    return Errand.objects.create(name="note", fingerprint="0")


@pytest.fixture
def failures() -> list[str]:
    return []


def kind(do, failures: list[str]) -> Kind[Errand]:
    def fail(row: Errand, error: Exception) -> None:
        failures.append(str(error))
        row.release(state=Errand.State.WAITING)

    return Kind(model=Errand, do=do, fail=fail)


def test_a_row_that_lacks_what_its_message_says_is_no_kind_of_work():
    row: Any = type("Row", (), {"WAITS": "waiting", "HELD": "held", "QUEUE": "upkeep"})
    with pytest.raises(TypeError, match="does not declare NOUN"):
        Kind(model=row, do=print, fail=print)


def test_every_kind_of_work_is_a_word_of_ours():
    words = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    kinds = [model.__name__ for model in apps.get_models() if issubclass(model, Leased)]
    assert "Job" in kinds
    assert [name for name in kinds if f"**{name}**" not in words] == []


def test_a_row_that_is_still_held_when_its_work_returns_fails_at_once_and_is_logged(row, failures):
    with pytest.raises(NotEnded, match="without a result"):
        kind(lambda row: None, failures).work(row.pk, worker="here")
    assert failures == ["its worker returned without a result"]
    row.refresh_from_db()
    assert (row.state, row.worker, row.attempts) == ("waiting", "", 1)


def test_a_row_that_its_work_ended_or_that_another_worker_took_does_not(row, failures):
    def lost(row: Errand) -> None:
        Errand.objects.update(state=Errand.State.WAITING, worker="")
        assert Errand.objects.claim(row.pk, worker="there")

    kind(lost, failures).work(row.pk, worker="here")
    assert failures == [] and Errand.objects.get().worker == "there"
    Errand.objects.update(state=Errand.State.WAITING)
    kind(lambda row: row.delete(), failures).work(row.pk, worker="here")
    assert failures == [] and not Errand.objects.exists()


def test_a_row_that_was_lost_meanwhile_is_left_to_whoever_has_it(row, failures):
    def lose(row: Errand) -> None:
        raise LeaseLost

    kind(lose, failures).work(row.pk, worker="here")
    assert failures == []
