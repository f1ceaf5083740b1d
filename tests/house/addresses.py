"""Every address of the site, with made-up values in it."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver
from django.urls.converters import IntConverter, UUIDConverter


def patterns(resolver: URLResolver, prefix: str = "/") -> Iterator[tuple[str, str]]:
    """(name, an address with made-up values) of every address below `resolver`, the admin's excepted."""
    for entry in resolver.url_patterns:
        address = prefix + filled(entry)
        if isinstance(entry, URLPattern):
            yield entry.name or address, address
        elif entry.app_name != "admin":
            yield from patterns(entry, address)


def filled(entry: URLPattern | URLResolver) -> str:
    route = str(entry.pattern)
    for name, converter in entry.pattern.converters.items():
        written = next(part for part in route.split("<") if part.split(">")[0].split(":")[-1] == name)
        route = route.replace(f"<{written.split('>')[0]}>", made_up(converter))
    return route


def made_up(converter: object) -> str:
    if isinstance(converter, UUIDConverter):
        return "00000000-0000-4000-8000-000000000000"
    return "1" if isinstance(converter, IntConverter) else "x"
