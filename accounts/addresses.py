"""From which internet address a request comes, as far as that can be known."""

from ipaddress import IPv4Address, IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest


def visitor_address(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """The visitor's address as the proxy wrote it last, if there is one that does; None if it cannot be known."""
    if settings.ADDRESS_HEADER:
        given = request.headers.get(settings.ADDRESS_HEADER, "").rpartition(",")[2]
    elif settings.SECURE_PROXY_SSL_HEADER:
        return None
    else:
        given = request.META.get("REMOTE_ADDR", "")
    try:
        found = ip_address(given.strip())
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found
