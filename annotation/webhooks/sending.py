"""Sending what the outbox holds: one attempt at a time, signed, again and later until it arrives or is given up.

For a worker alone: no page waits for another site. Nothing is followed, and of an answer only its status is read.
"""

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from datetime import timedelta

import httpx
from django.db.models import F, Sum
from django.utils import timezone

from annotation.models import Delivery, Sitting, Study
from annotation.webhooks.declaring import secret_of
from annotation.webhooks.hosts import PORTS, AddressRefused, Target, read_address, resolved

# How long after the first attempt, the second and so on the next is due; after the last it is given up, a day and a
# half after the first.
WAITS = tuple(timedelta(seconds=one) for one in (15, 60, 300, 1_800, 7_200, 21_600, 86_400))
TIMEOUT_SECONDS = 10.0
# For so long an attempt is believed to be under way; a worker that dies in it leaves it to the next.
CLAIMED = timedelta(seconds=60)
KEPT = timedelta(days=30)
AGENT = "Parallax-Webhook/1"
WELL = range(200, 300)


def send_due(*, seconds: float, clock: Callable[[], float] = time.monotonic) -> int:
    """Try what is due, the longest first, for about so long. Returns how many arrived."""
    until, arrived = clock() + seconds, 0
    due = Delivery.objects.filter(state=Delivery.State.WAITING, next_at__lte=timezone.now()).order_by("next_at", "pk")
    for delivery in due.select_related("webhook__study")[:200]:
        if clock() > until:
            break
        arrived += _claim(delivery) and _try(delivery)
    return arrived


def forget_old() -> int:
    """Erase what was told, or given up, so long ago."""
    over = Delivery.objects.exclude(state=Delivery.State.WAITING)
    return over.filter(happened_at__lt=timezone.now() - KEPT).delete()[0]


def signature(secret: str, body: bytes, at: int) -> str:
    """What the header says: when it was sent, and the HMAC-SHA256 of that moment, a dot and the body."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def _claim(delivery: Delivery) -> bool:
    """Whether it is this worker's to try: only one moves it on. Its body is written now, and stays."""
    body = delivery.body or _body(delivery)
    claimed = Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.WAITING, next_at=delivery.next_at)
    if not claimed.update(next_at=timezone.now() + CLAIMED, attempts=F("attempts") + 1, body=body):
        return False
    delivery.refresh_from_db(fields=["attempts", "body"])
    return True


def _try(delivery: Delivery) -> bool:
    status, trouble = None, ""
    try:
        target = read_address(delivery.webhook.address)
        status = _post(target, resolved(target), delivery)
    except AddressRefused as refused:
        trouble = str(refused)
    except httpx.HTTPError as error:
        trouble = type(error).__name__
    arrived = status in WELL
    if not arrived and not trouble:
        trouble = f"The answer was {status}."
    delivery.status, delivery.trouble, delivery.next_at = status, trouble[:200], timezone.now()
    if arrived:
        delivery.state = Delivery.State.DELIVERED
    elif delivery.attempts > len(WAITS):
        delivery.state = Delivery.State.GIVEN_UP
    else:
        delivery.next_at += WAITS[delivery.attempts - 1]
    delivery.save(update_fields=["status", "trouble", "next_at", "state"])
    return arrived


def _post(target: Target, address: str, delivery: Delivery) -> int:
    """To the internet address that was looked at; by name only in what the other side reads and certifies."""
    body, at = delivery.body.encode(), int(time.time())
    host = f"[{target.host}]" if ":" in target.host else target.host
    headers = {
        "Host": host if target.port == PORTS[target.scheme] else f"{host}:{target.port}",
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "Parallax-Event": delivery.event,
        "Parallax-Delivery": str(delivery.uid),
        "Parallax-Signature": signature(secret_of(delivery.webhook), body, at),
    }
    where = f"[{address}]" if ":" in address else address
    url = httpx.URL(f"{target.scheme}://{where}:{target.port}{target.path}")
    with (
        httpx.Client(follow_redirects=False, trust_env=False, timeout=TIMEOUT_SECONDS) as client,
        client.stream("POST", url, content=body, headers=headers, extensions={"sni_hostname": target.host}) as answer,
    ):
        return answer.status_code


def _body(delivery: Delivery) -> str:
    """The message: what happened, and the study's counts as they are when it is first tried. Nobody is named."""
    study = delivery.webhook.study
    told = {
        "id": str(delivery.uid),
        "event": delivery.event,
        "happened_at": delivery.happened_at.isoformat(timespec="seconds"),
        "study": study.slug,
        **delivery.facts,
        "counts": _counts(study),
    }
    return json.dumps(told, ensure_ascii=False)


def _counts(study: Study) -> dict[str, object]:
    sums = study.items.targets().aggregate(labels=Sum("counted"), wanted=Sum("target"))
    finished = study.sittings.filter(state=Sitting.State.FINISHED).count()
    return {
        "population": study.population,
        "labels": sums["labels"] or 0,
        "labels_wanted": sums["wanted"] or 0,
        "sittings_finished": finished,
    }
