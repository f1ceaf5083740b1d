"""Tokens, which programs show instead of a password, only a hash of each; and what requests with a key were told."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.events import note
from accounts.models import EventKind, User
from annotation.access.matrix import Right
from api.scopes import Scope, rights_through

# What every token begins with, so that it is known for what it is where it was left by mistake.
MARK = "plx_"
# So much of it is kept to be recognized by; the rest is 256 random bits.
PREFIX = len(MARK) + 6
# So long the same request with the same key is answered as it was.
KEPT = timedelta(hours=24)
LONGEST_KEY = 255


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def in_force(self, now: datetime) -> Self:
        """Those that nobody has withdrawn and that have not run out, of users who may log in."""
        lasting = Q(expires_at=None) | Q(expires_at__gt=now)
        return self.filter(lasting, withdrawn_at=None, user__is_active=True)

    def withdraw(self) -> None:
        """Let none of them open anything any more. Withdrawn before: the first time stands."""
        self.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())

    def with_secret(self, secret: str) -> "ApiToken | None":
        """The token that somebody shows, if it is in force."""
        found = self.in_force(timezone.now()).filter(hash=hash_of(secret))
        return found.select_related("user").first()


class ApiToken(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80, help_text="What it is for, in its owner's words.")
    prefix = models.CharField(max_length=PREFIX, help_text="Its first characters, to recognize it by.")
    hash = models.CharField(max_length=64, unique=True, help_text="sha256 of the token.")
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_on = models.DateField(null=True, blank=True, help_text="The day, and no more.")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def rights(self) -> frozenset[Right]:
        """What its scopes let through of its user's rights."""
        return rights_through(self.scopes)

    @property
    def is_in_force(self) -> bool:
        return self.withdrawn_at is None and not self.has_expired

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    def stamp_used(self, today: date) -> None:
        """One write a day."""
        if self.last_used_on != today:
            ApiToken.objects.filter(pk=self.pk).update(last_used_on=today)

    def withdraw(self) -> None:
        """Let it open nothing any more. Withdrawn before: the first time stands."""
        ApiToken.objects.filter(pk=self.pk).withdraw()
        self.refresh_from_db()


class KeptAnswerQuerySet(models.QuerySet["KeptAnswer"]):
    def in_force(self, now: datetime) -> Self:
        return self.filter(made_at__gt=now - KEPT)

    def lapsed(self, now: datetime) -> Self:
        return self.filter(made_at__lte=now - KEPT)


class KeptAnswer(models.Model):
    """What one request that made something was answered. Until it is made, the row is seen by its transaction alone."""

    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="kept_answers")
    key = models.CharField(max_length=LONGEST_KEY, help_text="The Idempotency-Key that the request came with.")
    request = models.CharField(max_length=64, help_text="sha256 of its method, address and body.")
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    body = models.TextField()
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)

    objects = KeptAnswerQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="kept_answer_unique")]

    def __str__(self) -> str:
        return f"{self.token.prefix}… {self.key}"


def hash_of(secret: str) -> str:
    """Nothing slower is needed: nobody can try 256 random bits one by one."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def new_secret() -> str:
    return MARK + secrets.token_urlsafe(32)


def scopes_of(names: list[str]) -> list[str]:
    """These scopes in their own order, each once; ValueError, listing those there are, for an unknown one."""
    unknown = [name for name in names if name not in list(Scope)]
    if unknown:
        raise ValueError(f"There is no scope {unknown[0]!r}. Available: {', '.join(Scope)}.")
    return [scope.value for scope in Scope if scope in names]


class EndTokens:
    """Among the validators of passwords, which Django tells of each new one: the tokens end, and the account says so.

    Someone who has learned the old password may have made one. A password that is only hashed anew is not told.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Any will do."""

    def password_changed(self, password: str, user: User | None = None) -> None:
        if user is not None:
            ApiToken.objects.filter(user=user).withdraw()
            note(user, EventKind.PASSWORD)

    def get_help_text(self) -> str:
        return "A new password revokes your API tokens, if you have any."


class TokenRefused(ValueError):
    """Why no token was made. str() is a sentence."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """`secret` is the token itself, which nobody can read again."""

    token: ApiToken
    secret: str


def make_token(user: User, *, name: str, scopes: list[str], expires_at: datetime | None = None) -> NewToken:
    """A token that acts as this user, within its scopes. TokenRefused for no name, no scope, or a day that is over."""
    try:
        wanted = scopes_of(scopes)
    except ValueError as error:
        raise TokenRefused(str(error)) from None
    if not wanted:
        raise TokenRefused("Choose at least one scope.")
    if not name.strip() or not name.isprintable() or len(name) > _longest():
        raise TokenRefused(f"A token needs a name of at most {_longest()} characters, such as: analysis on my laptop.")
    secret = new_secret()
    token = ApiToken(user=user, name=name.strip(), prefix=secret[:PREFIX], hash=hash_of(secret), scopes=wanted)
    token.expires_at = expires_at
    if token.has_expired:
        raise TokenRefused("That day has passed. Choose a later one, or none.")
    with transaction.atomic():
        token.save()
        note(user, EventKind.TOKEN)
    return NewToken(token, secret)


def _longest() -> int:
    longest = ApiToken._meta.get_field("name").max_length
    assert longest is not None, "a name has a bound"
    return longest
