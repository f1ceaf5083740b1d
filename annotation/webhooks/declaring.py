"""Webhooks of a study: made with what they are told, removed, and the secret of each."""

from collections.abc import Collection
from urllib.parse import urlsplit

from django.db import transaction
from django.utils.crypto import salted_hmac

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Study, Webhook
from annotation.webhooks.hosts import read_address
from annotation.webhooks.outbox import TOLD, Event, is_complete, put

MOST = 5


class WebhookRefused(ValueError):
    """Why none was made. str() is a sentence."""


def add_webhook(study: Study, *, address: str, events: Collection[str]) -> Webhook:
    """AddressRefused for an address that nothing is sent to; WebhookRefused else."""
    if unknown := set(events) - set(TOLD):
        raise WebhookRefused(f"There is no event {', '.join(sorted(unknown))}. There are: {', '.join(TOLD)}.")
    if not events:
        raise WebhookRefused("Choose of what the address is told.")
    target = read_address(address)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.webhooks.count() >= MOST:
            raise WebhookRefused(f"A study has {MOST} webhooks at most. Remove one first.")
        if study.webhooks.filter(address=address).exists():
            raise WebhookRefused("This address is told already. Remove it first, to be told of something else.")
        chosen = [event.value for event in TOLD if event in events]
        # Of what has been before, nothing is told.
        done = is_complete(study)
        made = Webhook.objects.create(study=study, address=address, events=chosen, told_complete=done)
        # By its host: the rest of an address may hold a password of its own.
        record(study, Deed.WEBHOOK_ADDED, target.host, facts={"events": ", ".join(chosen)})
    return made


def remove_webhook(webhook: Webhook) -> None:
    """With what has not been told yet."""
    with transaction.atomic():
        record(webhook.study, Deed.WEBHOOK_REMOVED, urlsplit(webhook.address).hostname or "")
        webhook.delete()


def secret_of(webhook: Webhook) -> str:
    """By which its messages are signed: of the webhook and the installation's key, so that it is stored nowhere."""
    return salted_hmac("annotation.webhook", str(webhook.uid), algorithm="sha256").hexdigest()


def send_test(webhook: Webhook) -> None:
    """Have it told that this is a test."""
    put([webhook], Event.TEST, {})
