"""Reading the environment. A setting that is missing or malformed stops the program with a sentence."""

import os
from decimal import Decimal, InvalidOperation
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


def text(name: str, *, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"The environment variable {name} must be set.")
    return value


def secret(name: str, *, file: Path) -> str:
    """A secret from the environment, or from a file that only its owner reads (`make run` writes one)."""
    if name in os.environ:
        return text(name)
    if file.exists():
        return file.read_text().strip()
    raise ImproperlyConfigured(f"Set the environment variable {name}, or run `make run` once, which writes {file}.")


def flag(name: str, *, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in TRUE:
        return True
    if value.lower() in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be one of 1, 0, true, false, yes, no, on, off; it is {value!r}.")


def one_of(name: str, words: tuple[str, ...], *, default: str) -> str:
    value = os.environ.get(name, default)
    if value not in words:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(words)}; it is {value!r}.")
    return value


def amount(name: str, *, default: str) -> Decimal:
    """A number that is not negative, such as a price."""
    value = os.environ.get(name, default)
    try:
        found = Decimal(value)
    except InvalidOperation:
        found = Decimal(-1)
    if not found.is_finite() or found < 0:
        raise ImproperlyConfigured(f"{name} must be a number from 0, such as 0.15; it is {value!r}.")
    return found


def words(name: str, *, default: list[str]) -> list[str]:
    """A comma-separated list; empty entries are dropped. Commas alone are refused: to name nothing may mean all."""
    value = os.environ.get(name)
    if value is None:
        return default
    found = [part.strip() for part in value.split(",") if part.strip()]
    if value.strip() and not found:
        raise ImproperlyConfigured(f"{name} must name something between its commas; it is {value!r}.")
    return found


def some_of(name: str, among: tuple[str, ...]) -> list[str]:
    """A comma-separated list of these words; empty where it is not set."""
    found = words(name, default=[])
    if unknown := [word for word in found if word not in among]:
        raise ImproperlyConfigured(f"{name} may name {', '.join(among)}; it names {', '.join(unknown)}.")
    return found


def places(name: str) -> dict[str, Path]:
    """Files or folders by name: `reddit=/data/reddit,books=/data/books.txt.gz`; none where it is not set."""
    found: dict[str, Path] = {}
    for pair in words(name, default=[]):
        called, _, path = (part.strip() for part in pair.partition("="))
        if not called or not Path(path).is_absolute() or not Path(path).exists():
            raise ImproperlyConfigured(
                f"{name} must be NAME=/absolute/path, such as reddit=/data/reddit, of what is there; it has {pair!r}."
            )
        found[called] = Path(path)
    return found
