"""Celery's side of collecting: what time brings about."""

import logging

from celery import shared_task

from annotation.assignment import release_lapsed
from annotation.models import AnnotatorNumber
from annotation.privacy import forget_due
from annotation.webhooks.outbox import tell_completed

log = logging.getLogger(__name__)

WEBHOOK_SECONDS = 12.0
# Once in each worker: it reads all sittings, and only those of an upgrade lack something.
_numbered = {"done": False}


@shared_task(name="annotation.tasks.upkeep")
def upkeep() -> None:
    """Lapsed sittings give their slots back, and ids whose time has come are erased.

    The first time, those who came during an upgrade are numbered.
    """
    if not _numbered["done"]:
        AnnotatorNumber.objects.give_all()
        _numbered["done"] = True
    release_lapsed()
    forget_due()


@shared_task(name="annotation.tasks.send_webhooks")
def send_webhooks() -> None:
    """Tell what is to be told, for no longer than until the next time, so that figures do not wait behind it."""
    # Here and not above: httpx is for workers.
    from annotation.webhooks.sending import send_due

    tell_completed()
    if arrived := send_due(seconds=WEBHOOK_SECONDS):
        log.info("%s webhook messages delivered", arrived)


@shared_task(name="annotation.tasks.forget_deliveries")
def forget_deliveries() -> None:
    from annotation.webhooks.sending import forget_old

    log.info("%s old webhook messages erased", forget_old())
