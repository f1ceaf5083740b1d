from dataclasses import dataclass
from ipaddress import ip_address

from allauth.socialaccount.adapter import get_adapter
from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.urls import reverse

register = template.Library()


@dataclass(frozen=True, slots=True)
class Way:
    name: str
    address: str


@register.simple_tag(takes_context=True)
def openid_way(context: RequestContext) -> Way | None:
    """The one issuer of OpenID, where one is configured."""
    if not settings.OPENID_ISSUER:
        return None
    provider = get_adapter().get_provider(context["request"], "openid")
    return Way(provider.name, reverse("openid_connect_login", args=["openid"]))


@register.simple_tag(takes_context=True)
def name_of_host(context: RequestContext) -> str:
    """The host of the page if that is a name; of one's own machine as localhost; otherwise nothing.

    Passkeys belong to a name: browsers make none for an address in numbers.
    """
    host = str(context["request"].get_host())
    name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return host
    if not address.is_loopback:
        return ""
    return f"localhost:{port}" if port else "localhost"
