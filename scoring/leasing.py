"""A worker's hold on its chunk, renewed while the worker lives, however long the chunk takes."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, connection
from django.utils import timezone

from scoring.models import Chunk

log = logging.getLogger(__name__)

# Two renewals may fail before the lease runs out.
EVERY = Chunk.LEASE / 3


def renew(chunk: Chunk) -> None:
    """Hold the chunk longer, if it is still this worker's."""
    Chunk.objects.held_as(chunk).update(lease_expires_at=timezone.now() + Chunk.LEASE)


@contextmanager
def held(chunk: Chunk) -> Iterator[None]:
    """Renew the chunk's lease as long as the block runs. A thread does it: the block may be one long wait."""
    over = threading.Event()
    renewing = threading.Thread(target=_keep, args=(chunk, over), name="lease", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        over.set()
        renewing.join()


def _keep(chunk: Chunk, over: threading.Event) -> None:
    while not over.wait(EVERY.total_seconds()):
        try:
            renew(chunk)
        except Error as error:
            log.warning("The lease of chunk %s could not be renewed: %s", chunk.pk, error)
        finally:
            # The thread's own connection, which nobody else would close, and which may be broken.
            connection.close()
