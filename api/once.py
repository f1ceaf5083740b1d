"""A request that makes something, sent again: the header Idempotency-Key, by which it gets the first answer again.

As draft-ietf-httpapi-idempotency-key-header has it, but that nobody is told to come back later: of two at once, the
second waits for the first. What was refused made nothing and is not kept: it is simply done again.
"""

import hashlib
from collections.abc import Callable
from typing import Annotated

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from ninja import Header

from api.answering.faults import Refused
from api.caller import ApiRequest
from api.models import LONGEST_KEY, KeptAnswer
from corpus.errors import Fault

NAME = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
# What a kept answer says beside its body.
HEADERS = ("Content-Type", "Location", "ETag")
Key = Annotated[
    str,
    Header(
        alias=NAME,
        max_length=LONGEST_KEY,
        pattern=r"^[\x21-\x7e]*$",
        description=(
            "A name you choose for this request, such as a UUID. If you send the same body with it again within 24 "
            "hours, nothing new is created and you get the first response again."
        ),
    ),
]


def once(request: ApiRequest, key: str, make: Callable[[], HttpResponse], *, is_apart: bool = False) -> HttpResponse:
    """What `make` answers, or what it answered when this key came first. Refused where the key came with another body.

    What is made and the answer are stored in one transaction: a process that dies before its end has made nothing.
    With `is_apart` there is no transaction around `make`, which reads long before it writes, or tells workers what it
    has written, and makes nothing twice. Of two requests at once, both get the answer of the one that finished first.
    """
    if not key:
        return make()
    asked = _fingerprint(request)
    if before := KeptAnswer.objects.in_force(timezone.now()).filter(token=request.auth.token, key=key).first():
        return _replayed(before, asked)
    made = make() if is_apart else None
    with transaction.atomic():
        row, is_first = _claimed(request, key, asked)
        if not is_first:
            return _replayed(row, asked)
        answer = make() if made is None else made
        _keep(row, answer)
    return answer


def _fingerprint(request: ApiRequest) -> str:
    sha = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode(errors="replace"))
    sha.update(request.body)
    return sha.hexdigest()


def _claimed(request: ApiRequest, key: str, asked: str) -> tuple[KeptAnswer, bool]:
    """The row of that key, and whether it is ours to fill. Whoever claims it at the same time waits here."""
    KeptAnswer.objects.lapsed(timezone.now()).delete()
    new = {"request": asked, "status": 0, "body": ""}
    return KeptAnswer.objects.get_or_create(token=request.auth.token, key=key, defaults=new)


def _keep(row: KeptAnswer, answer: HttpResponse) -> None:
    row.status = answer.status_code
    row.headers = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
    row.body = answer.content.decode()
    row.save()


def _replayed(row: KeptAnswer, asked: str) -> HttpResponse:
    if row.request != asked:
        raise Refused(
            422,
            "Nothing was done: this Idempotency-Key was used for another request.",
            faults=[Fault(NAME, "use a new key for each request")],
        )
    headers = {**row.headers, REPLAYED: "true"}
    return HttpResponse(row.body, status=row.status, headers=headers)
