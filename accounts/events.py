"""Writing down what concerns who can use an account: in its row, and in the log by the account's number.

Django and django-allauth say by signals what happens in their views; a new password is noted where tokens end with it.
"""

import logging
from typing import Any

from allauth.mfa.signals import authenticator_added, authenticator_removed
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver

from accounts.adapters import find_account
from accounts.models import AccountEvent, EventKind, User

log = logging.getLogger(__name__)


def note(user: User, kind: EventKind) -> None:
    AccountEvent.objects.create(user=user, kind=kind)
    log.info("Account %s: %s", user.pk, kind.label)


@receiver(user_logged_in)
def _note_login(user: User, **_: Any) -> None:
    note(user, EventKind.LOGIN)


@receiver(user_login_failed)
def _note_failure(credentials: dict[str, Any], **_: Any) -> None:
    if user := find_account(credentials):
        note(user, EventKind.FAILED)
    else:
        log.info("Wrong password for an unknown account")


@receiver(authenticator_added)
def _note_factor(user: User, **_: Any) -> None:
    note(user, EventKind.FACTOR_ADDED)


@receiver(authenticator_removed)
def _note_factor_gone(user: User, **_: Any) -> None:
    note(user, EventKind.FACTOR_REMOVED)
