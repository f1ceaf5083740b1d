"""Making a token: the one moment at which it is known whole."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from api.models import PREFIX, ApiToken, hash_of, new_secret, scopes_of


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
        raise TokenRefused("A token without a scope opens nothing. Choose one or more.")
    if not name.strip() or not name.isprintable() or len(name) > _longest():
        raise TokenRefused(f"A token needs a name of {_longest()} characters at most, such as: analysis on my laptop.")
    secret = new_secret()
    token = ApiToken(user=user, name=name.strip(), prefix=secret[:PREFIX], hash=hash_of(secret), scopes=wanted)
    token.expires_at = expires_at
    if token.has_expired:
        raise TokenRefused("That day is over. Choose a later one, or none.")
    token.save()
    return NewToken(token, secret)


def _longest() -> int:
    longest = ApiToken._meta.get_field("name").max_length
    assert longest is not None, "a name has a bound"
    return longest
