"""Sharing a study's results by a link that nobody can guess: making a share, ending it, and what a link opens."""

import hashlib
import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.audit.acts import Fact, record
from annotation.audit.deeds import Deed
from annotation.models import Share, Study

# 256 bits of chance, which no hash need be slow for.
TOKEN_BYTES = 32
LONGEST_TOKEN = 64
# How many of a study may be open at once.
MOST_OPEN = 100


class ShareRefused(ValueError):
    """Why no share was made. str() is a sentence."""


def make_share(
    study: Study, *, name: str, query: str = "", gives_files: bool = False, expires_at: datetime | None = None, by: User
) -> tuple[Share, str]:
    """The share, and the token of its link: it is told here and never again."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        now = timezone.now()
        if sum(one.is_open(now) for one in study.shares.all()) >= MOST_OPEN:
            raise ShareRefused(f"{MOST_OPEN} links to these results are active. End one first.")
        share = Share.objects.create(
            study=study,
            name=name,
            query=query,
            gives_files=gives_files,
            expires_at=expires_at,
            by=by,
            token_hash=_hash(token),
        )
        facts: dict[str, Fact] = {
            "until": f"{expires_at:%Y-%m-%d %H:%M} UTC" if expires_at else "ended by hand",
            "files": "yes" if gives_files else "no",
            "filtered": "yes" if query else "no",
        }
        record(study, Deed.SHARED, f"share {share.pk}", by=by, facts=facts, for_editors={"name": name})
    return share, token


def end_share(share: Share) -> bool:
    """Its link opens nothing any more, from now on. False for one that had ended."""
    with transaction.atomic():
        locked = Share.objects.select_for_update().get(pk=share.pk)
        if locked.ended_at is not None:
            return False
        locked.ended_at = timezone.now()
        locked.save(update_fields=["ended_at"])
        record(locked.study, Deed.SHARE_ENDED, f"share {share.pk}", for_editors={"name": share.name})
    return True


def shared_by(token: str) -> Share | None:
    """What the link with this token opens now. Every page that is shown by a link begins here."""
    if len(token) > LONGEST_TOKEN or not token.isascii():
        return None
    share = Share.objects.select_related("study").filter(token_hash=_hash(token), study__deleted_at=None).first()
    return share if share is not None and share.is_open(timezone.now()) else None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
