"""A worker whose clock is a day off gives away nothing that another holds, and holds nothing for a day."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Delivery
from tests.either_database import found_by
from tests.servers import fresh_database
from tests.studies import open_small_study, plausibility_rows

DAY = timedelta(days=1)
real_now = timezone.now


@pytest.fixture
def off(monkeypatch):
    """The clock of this process, as whatever asks Django reads it."""

    def by(days):
        monkeypatch.setattr(timezone, "now", lambda: real_now() + days * DAY)

    return by


@pytest.fixture
def delivery(tmp_path, db):
    study = open_small_study(tmp_path, plausibility_rows(2))
    webhook = study.webhooks.create(address="https://example.org/", events=[])
    return Delivery.objects.create(webhook=webhook, event="test", next_at=real_now())


@pytest.mark.parametrize("days", [-1, 1])
def test_what_one_worker_holds_no_other_takes(delivery, off, days):
    Delivery.objects.claim(delivery.pk, worker="right")
    off(days)
    assert Delivery.objects.give_back() == []
    delivery.refresh_from_db()
    assert (delivery.state, delivery.worker) == (Delivery.State.SENDING, "right")


@pytest.mark.parametrize("days", [-1, 1])
def test_what_such_a_worker_holds_no_other_takes_and_is_lost_with_it(delivery, off, days):
    off(days)
    held = Delivery.objects.claim(delivery.pk, worker="off")
    assert held is not None
    held.renew()
    off(0)
    assert Delivery.objects.give_back() == []
    held.refresh_from_db()
    assert held.lease_expires_at is not None
    assert abs(held.lease_expires_at - real_now() - Delivery.LEASE) < timedelta(seconds=30)


@pytest.mark.slow
def test_where_clocks_differ_nobody_s_items_are_taken_and_no_id_is_erased_early(
    tmp_path, postgres_server, migrated_postgres
):
    with fresh_database(postgres_server, template=migrated_postgres) as url:
        found = found_by("tests.work.clock_off", str(tmp_path), url=url)
    assert found.pop("seconds") < 60
    assert 500 < found.pop("left") <= 600
    assert found == {"lapsed": 0, "erased": 0, "due": 0, "active": 1, "ids": 1}
