"""A chunk belongs to its worker as long as that worker lives, however long the chunk takes."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.library.installation import install_baselines
from scoring.models import Chunk
from scoring.runs import asking, starting, working
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from scoring.scorers import open_scorer
from tests.studies import open_small_study, plausibility_rows
from work import queue
from work.leases import LeaseLost
from work.queue import recover


@pytest.fixture
def run(tmp_path, monkeypatch):
    for module in (queue, starting, working):
        monkeypatch.setattr(module, "send", lambda chunks: None)
    install_baselines()
    return start_run(open_small_study(tmp_path, plausibility_rows(3)), find_model("random"), "label")


# The thread that renews has a connection of its own, so that what it is to see must be committed.
@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_chunk_that_takes_longer_than_its_lease_is_given_to_nobody_else(run, monkeypatch):
    # Long enough that a busy machine does not let it run out between two renewals.
    monkeypatch.setattr(Chunk, "LEASE", timedelta(seconds=3))
    renewed, renew = threading.Semaphore(0), Chunk.renew
    lost = []

    def counted(chunk):
        renew(chunk)
        renewed.release()

    monkeypatch.setattr(Chunk, "renew", counted)

    class Slow:
        """The random baseline, after four renewals: longer than the lease that the chunk was claimed under."""

        def __init__(self, *args, **options):
            self.scorer = open_scorer(*args, **options)
            self.provenance = self.scorer.provenance

        def score(self, requests):
            for _ in range(4):
                assert renewed.acquire(timeout=60)
            lost.append(recover())
            return self.scorer.score(requests)

    monkeypatch.setattr(asking, "open_scorer", Slow)
    CHUNKS.work(run.chunks.get().pk, worker="slow")
    run.refresh_from_db()
    assert lost == [0]
    assert (run.state, run.scored) == ("finished", 3)
    # With the chunk, the thread has come to its end.
    assert "lease" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.django_db
def test_a_chunk_that_was_given_back_is_not_renewed_by_the_one_who_lost_it(run):
    past = timezone.now() - timedelta(seconds=1)
    first = Chunk.objects.claim(run.chunks.get().pk, worker="w", until=past)
    assert first is not None
    assert recover() == 1
    with pytest.raises(LeaseLost):
        first.renew()
    assert run.chunks.get().lease_expires_at == past
    # Nor where the one who has it now works in the same place.
    second = Chunk.objects.claim(first.pk, worker="w", until=past)
    assert second is not None
    with pytest.raises(LeaseLost):
        first.renew()
    assert run.chunks.get().lease_expires_at == past
    second.renew()
    assert run.chunks.get().lease_expires_at > timezone.now()
