"""Sending what the outbox holds: one attempt at a time, signed, again and later until it arrives or is given up.

For a worker alone: no page waits for another site. Nothing is followed, and of an answer only its status is read.
"""

import asyncio
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import timedelta
from typing import Any

import httpx
from django.db.models import Sum
from django.utils import timezone

from annotation.models import Delivery, Sitting, Study
from annotation.webhooks.declaring import PORTS, AddressRefused, Target, read_address, resolved, secret_of
from work.clock import database_now
from work.kinds import GivenUp, Kind
from work.place import place

# How long after the first attempt, the second and so on the next is due; after the last it is given up, a day and a
# half after the first.
WAITS = tuple(timedelta(seconds=one) for one in (15, 60, 300, 1_800, 7_200, 21_600, 86_400))
TIMEOUT_SECONDS = 10.0
KEPT = timedelta(days=30)
AGENT = "Parallax-Webhook/1"
WELL = range(200, 300)


def send_due(*, seconds: float, clock: Callable[[], float] = time.monotonic) -> int:
    """Try what is due, the longest first, for about so long. Returns how many arrived."""
    until, arrived = clock() + seconds, 0
    for pk in list(Delivery.objects.waiting().values_list("pk", flat=True)[:200]):
        if clock() > until:
            break
        DELIVERIES.work(pk, worker=place())
        arrived += Delivery.objects.filter(pk=pk, state=Delivery.State.DELIVERED).count()
    return arrived


def forget_old() -> int:
    """Erase what was told, or given up, so long ago."""
    over = Delivery.objects.exclude(state__in=[Delivery.State.WAITING, Delivery.State.SENDING])
    return over.filter(happened_at__lt=database_now() - KEPT).delete()[0]


def signature(secret: str, body: bytes, at: int) -> str:
    """What the header says: when it was sent, and the HMAC-SHA256 of that moment, a dot and the body."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def attempt(delivery: Delivery) -> None:
    """Send it once. Its body is written before the first time, and stays."""
    if not delivery.body:
        delivery.body = _body(delivery)
        delivery.write(body=delivery.body)
    try:
        status = _sent(delivery)
    except AddressRefused as refused:
        _put_off(delivery, str(refused))
    except TimeoutError:
        _put_off(delivery, f"No full answer within {TIMEOUT_SECONDS:g} seconds.")
    except httpx.HTTPError as error:
        _put_off(delivery, type(error).__name__)
    else:
        if status in WELL:
            delivery.release(state=Delivery.State.DELIVERED, status=status, trouble="", next_at=timezone.now())
        else:
            _put_off(delivery, f"The answer was {status}.", status=status)


def _sent(delivery: Delivery) -> int:
    """The status of the answer."""
    until, target = time.monotonic() + TIMEOUT_SECONDS, read_address(delivery.webhook.address)
    address = _looked_up(target)
    return asyncio.run(_post(_request(target, address, delivery), seconds=until - time.monotonic()))


def _looked_up(target: Target) -> str:
    """The internet address of its name. In a thread, as nothing else ends a server of names that is slow; a worker that
    stops does not wait for it.
    """
    found: Future[str] = Future()

    def look() -> None:
        try:
            found.set_result(resolved(target))
        except (AddressRefused, ValueError) as error:
            found.set_exception(error)

    threading.Thread(target=look, name="names", daemon=True).start()
    return found.result(timeout=TIMEOUT_SECONDS)


def fail(delivery: Delivery, error: Exception) -> None:
    _put_off(delivery, str(error) if isinstance(error, GivenUp) else "Internal error. See the worker’s log.")


def _put_off(delivery: Delivery, trouble: str, *, status: int | None = None) -> None:
    """It is tried later, or given up."""
    tries, now = delivery.attempts, database_now()
    over = tries > len(WAITS)
    delivery.release(
        state=Delivery.State.GIVEN_UP if over else Delivery.State.WAITING,
        status=status,
        trouble=trouble[:200],
        next_at=now if over else now + WAITS[tries - 1],
    )


DELIVERIES = Kind(model=Delivery, do=attempt, fail=fail, most_attempts=len(WAITS) + 1)


def _request(target: Target, address: str, delivery: Delivery) -> dict[str, Any]:
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
    return {"url": url, "content": body, "headers": headers, "extensions": {"sni_hostname": target.host}}


async def _post(request: Mapping[str, Any], *, seconds: float) -> int:
    """The status of the answer. A deadline for all of it: a receiver that drips would hold the worker by each byte."""
    async with (
        asyncio.timeout(seconds),
        httpx.AsyncClient(follow_redirects=False, trust_env=False, timeout=seconds) as client,
        client.stream("POST", **request) as answer,
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
