"""What django-allauth is told: limits, mail, and the one server that may say who somebody is."""

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def mail_backend(*, host: str, folder: str) -> str:
    """The Django backend that sends; one that refuses where no mail is configured, which pages know before."""
    if host and folder:
        raise ImproperlyConfigured("Mail is sent to EMAIL_HOST or written into EMAIL_FOLDER: set one of the two.")
    if host:
        return "django.core.mail.backends.smtp.EmailBackend"
    return "django.core.mail.backends.filebased.EmailBackend" if folder else "accounts.mail.NoMail"


def rate_limits(*, per_account: int, per_address: int, invitations: int, sees_addresses: bool) -> dict[str, str]:
    """How often something may be tried, as django-allauth writes it: `5/15m/key` is five in fifteen minutes.

    Of what it counts per internet address nothing is counted where addresses cannot be told apart.

    >>> rate_limits(per_account=5, per_address=20, invitations=20, sees_addresses=True)["login_failed"]
    '5/15m/key,20/15m/ip'
    >>> rate_limits(per_account=5, per_address=20, invitations=20, sees_addresses=False)["login"]
    ''
    """
    if per_account < 1 or per_address < 1:
        raise ImproperlyConfigured("FAILED_LOGINS_PER_ACCOUNT and FAILED_LOGINS_PER_ADDRESS are numbers from 1.")
    limits = {
        # Wrong passwords, and wrong codes of a second factor.
        "login_failed": [f"{per_account}/15m/key", f"{per_address}/15m/ip"],
        "login": [f"{10 * per_address}/15m/ip"],
        "webauthn_login": [f"{10 * per_address}/15m/ip"],
        "signup": ["20/h/ip"],
        # The key is the address that the mail would go to.
        "reset_password": ["20/h/ip", "5/h/key"],
        "reset_password_from_key": ["20/h/ip"],
        "confirm_email": ["1/3m/key"],
        "change_password": ["5/m/user"],
        "manage_email": ["10/m/user"],
        "reauthenticate": ["10/m/user"],
        # Ours: each sends a mail to whomever the sender names.
        "invite": [f"{invitations}/d/user"],
    }
    return {
        action: ",".join(rate for rate in rates if sees_addresses or not rate.endswith("/ip"))
        for action, rates in limits.items()
    }


def openid_provider(*, issuer: str, needs_https: bool, client: str, secret: str, name: str) -> dict[str, Any]:
    """Its one app. Nothing of it is kept in the database, where a page could change it."""
    if urlsplit(issuer).scheme not in (("https",) if needs_https else ("http", "https")):
        raise ImproperlyConfigured(f"OPENID_ISSUER must be an address such as https://id.example.org, not {issuer!r}.")
    app = {
        "provider_id": "openid",
        "name": name,
        "client_id": client,
        "secret": secret,
        "settings": {"server_url": issuer, "oauth_pkce_enabled": True},
    }
    return {"openid_connect": {"APPS": [app]}}


def origins(issuer: str, hosts: list[str]) -> list[str]:
    """The origins that belong to the issuer: its own, and those of the hosts that are named beside it.

    >>> origins("https://id.example.org/realms/lab", ["tokens.example.org"])
    ['https://id.example.org', 'https://tokens.example.org']
    >>> origins("", [])
    []
    """
    if not issuer:
        return []
    parts = urlsplit(issuer)
    return [f"{parts.scheme}://{host}" for host in (parts.netloc, *hosts)]
