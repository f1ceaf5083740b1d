"""Which addresses a message may go to: those of hosts that the installation names, and never into its own network.

Without the setting WEBHOOK_HOSTS nothing is sent anywhere. A name that leads to a private address is refused unless
that address is named as well; plain HTTP goes to this machine alone, and only where that is named.
"""

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings

from annotation.models.researchers import LONGEST_ADDRESS

PORTS = {"https": 443, "http": 80}


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
        raise AddressRefused("That is no address, such as https://hooks.example.org/parallax.") from None
    host = (parts.hostname or "").lower()
    if parts.scheme not in PORTS or not host or port == 0 or not address.isascii() or not address.isprintable():
        raise AddressRefused("That is no address, such as https://hooks.example.org/parallax.")
    if "@" in parts.netloc or parts.fragment or " " in address or len(address) > LONGEST_ADDRESS:
        raise AddressRefused("An address has no user, no password, no # and no spaces, and 500 characters at most.")
    if host not in allowed():
        raise AddressRefused(f"This installation sends nothing to {host}. {hosts_said()}")
    if parts.scheme == "http" and not _is_loopback(host):
        raise AddressRefused("Messages go by https.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or PORTS[parts.scheme], path)


def hosts_said() -> str:
    """Where messages may go, in a sentence."""
    if not allowed():
        return "Its setting WEBHOOK_HOSTS names no host."
    return f"Its setting WEBHOOK_HOSTS names {', '.join(allowed())}."


def resolved(target: Target) -> str:
    """The internet address of the host as it is now. AddressRefused for one within a private network.

    It is asked once, and the connection goes to what was looked at: the name may lead elsewhere a moment later.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AddressRefused(f"There is no host {target.host}.") from None
    addresses = [str(one[4][0]).partition("%")[0] for one in found]
    for one in addresses:
        if not ip_address(one).is_global and one not in allowed() and not _is_named_loopback(target.host, one):
            raise AddressRefused(f"{target.host} leads into a private network, where nothing is sent.")
    return addresses[0]


def _is_named_loopback(host: str, address: str) -> bool:
    """`localhost` was named, and is this machine."""
    return host == "localhost" and ip_address(address).is_loopback


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
