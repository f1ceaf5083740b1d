"""Webhooks of a study: made with what they are told, removed, and the secret of each; and where a message may go.

Which addresses a message may go to: those of hosts that the installation names, and never into its own network.

Without the setting WEBHOOK_HOSTS nothing is sent anywhere. A name that leads to a private address is refused unless
that address is named as well; plain HTTP goes to this machine alone, and only where that is named.
"""

import socket
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Study, Webhook
from annotation.models.researchers import LONGEST_ADDRESS
from annotation.webhooks.outbox import TOLD, Event, is_complete, put

PORTS = {"https": 443, "http": 80}

MOST = 5


class AddressRefused(ValueError):
    """Why nothing goes there. str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Target:
    scheme: str
    host: str
    port: int
    path: str


def allowed() -> list[str]:
    return [host.lower() for host in settings.WEBHOOK_HOSTS]


def read_address(address: str) -> Target:
    """The parts of an address that messages may go to; asks no name server."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise AddressRefused("Not a valid address. Example: https://hooks.example.org/parallax.") from None
    host = (parts.hostname or "").lower()
    if parts.scheme not in PORTS or not host or port == 0 or not address.isascii() or not address.isprintable():
        raise AddressRefused("Not a valid address. Example: https://hooks.example.org/parallax.")
    if "@" in parts.netloc or parts.fragment or " " in address or len(address) > LONGEST_ADDRESS:
        raise AddressRefused("Addresses have no user, password, # or spaces, and at most 500 characters.")
    if host not in allowed():
        raise AddressRefused(f"Messages to {host} are not allowed. {hosts_said()}")
    if parts.scheme == "http" and not _is_loopback(host):
        raise AddressRefused("The address must start with https.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or PORTS[parts.scheme], path)


def hosts_said() -> str:
    """Where messages may go, in a sentence."""
    if not allowed():
        return "The server allows no hosts."
    return f"The server allows {', '.join(allowed())}."


def resolved(target: Target) -> str:
    """The internet address of the host as it is now. AddressRefused for one within a private network.

    It is asked once, and the connection goes to what was looked at: the name may lead elsewhere a moment later.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AddressRefused(f"Host {target.host} not found.") from None
    addresses = [str(one[4][0]).partition("%")[0] for one in found]
    for one in addresses:
        is_this_machine = target.host == "localhost" and ip_address(one).is_loopback
        if not ip_address(one).is_global and one not in allowed() and not is_this_machine:
            raise AddressRefused(f"{target.host} is in a private network. Messages there are not allowed.")
    return addresses[0]


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class WebhookRefused(ValueError):
    """Why none was made. str() is a sentence."""


def add_webhook(study: Study, *, address: str, events: Collection[str]) -> Webhook:
    """AddressRefused for an address that nothing is sent to; WebhookRefused else."""
    if unknown := set(events) - set(TOLD):
        raise WebhookRefused(f"There is no event {', '.join(sorted(unknown))}. Available: {', '.join(TOLD)}.")
    if not events:
        raise WebhookRefused("Choose at least one event.")
    target = read_address(address)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if study.webhooks.count() >= MOST:
            raise WebhookRefused(f"A study can have at most {MOST} webhooks. Remove one first.")
        if study.webhooks.filter(address=address).exists():
            raise WebhookRefused("This address already has a webhook. To change its events, remove it first.")
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
