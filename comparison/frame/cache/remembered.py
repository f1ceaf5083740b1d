"""Costly figures, computed once for each state of the data: as JSON text in the cache that all processes share.

Frozen dataclasses go there and back exactly: floats keep every bit, and nothing in a text can run. The shape that is
read is the type that was written: a text of another shape is refused with ValueError.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Hashable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from django.core.cache import cache
from pydantic import TypeAdapter
from redis.exceptions import RedisError

import comparison
from corpus.provenance import versions

T = TypeVar("T")


def to_text(shape: TypeAdapter[T], value: T) -> str:
    # json writes the shortest digits that give the same float, and ∞ as a word of its own.
    return json.dumps(shape.dump_python(value, warnings="none"), default=_plain, separators=(",", ":"))


def from_text(shape: TypeAdapter[T], text: str) -> T:
    return shape.validate_python(json.loads(text))


def _plain(scalar: Any) -> Any:
    """numpy's numbers as Python's, and days and moments as text that is read back as one."""
    if isinstance(scalar, date):
        return scalar.isoformat()
    if isinstance(scalar, np.generic):
        return scalar.item()
    raise TypeError(f"{type(scalar).__name__} has no place in JSON text")


LIBRARIES = ("numpy", "scipy", "pandas", "scikit-learn", "statsmodels", "crowd-kit", "vl-convert-python")


def program() -> str:
    """A name for the sources of comparison and the libraries that they compute with."""
    digest = hashlib.sha256(json.dumps(versions(LIBRARIES)).encode())
    for path in sorted(Path(comparison.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


# Computed once, at the start: what an older program remembered is not shown.
PROGRAM = program()
REMEMBERED_SECONDS = 24 * 3600

log = logging.getLogger(__name__)
Name = TypeVar("Name", bound=Hashable)


def remembered(shape: TypeAdapter[T], parts: object, compute: Callable[[], T]) -> T:
    """What `compute` gives, asked only where it is not known for `parts`: what the figures are and all they rest on."""
    return each_remembered(shape, {"": parts}, lambda _: {"": compute()})[""]


def each_remembered(
    shape: TypeAdapter[T], parts: Mapping[Name, object], compute: Callable[[list[Name]], Mapping[Name, T]]
) -> dict[Name, T]:
    """Values by name, from the cache where it has them; `compute` is called once, with the names that are missing.

    Where the cache's server does not answer, everything is computed, each time with a line in the log.
    """
    keys = {name: _key(own) for name, own in parts.items()}
    try:
        texts = cache.get_many(list(keys.values()))
    except RedisError as error:
        log.warning("Figures are computed and not remembered: the cache's server does not answer (%s)", error)
        return dict(compute(list(keys)))
    values = {name: value for name, key in keys.items() if key in texts for value in _readable(shape, texts[key])}
    missing = [name for name in keys if name not in values]
    if missing:
        fresh = dict(compute(missing))
        _keep({keys[name]: to_text(shape, value) for name, value in fresh.items()})
        values |= fresh
    return values


def known(shape: TypeAdapter[T], parts: Mapping[Name, object]) -> dict[Name, T]:
    """Those of many that somebody has had computed; nothing is computed here."""
    keys = {name: _key(own) for name, own in parts.items()}
    try:
        texts = cache.get_many(list(keys.values()))
    except RedisError as error:
        log.warning("What is computed is not known: the cache's server does not answer (%s)", error)
        return {}
    return {name: value for name, key in keys.items() if key in texts for value in _readable(shape, texts[key])}


def _key(parts: object) -> str:
    return "figures:" + hashlib.sha256(json.dumps([PROGRAM, parts], default=str).encode()).hexdigest()[:32]


def _readable(shape: TypeAdapter[T], text: str) -> list[T]:
    """The value, or nothing where the text is of another shape: figures of another program under the same PROGRAM."""
    try:
        return [from_text(shape, text)]
    except ValueError as error:
        log.warning("Remembered figures cannot be read and are computed anew: %s", error)
        return []


def _keep(texts: dict[str, str]) -> None:
    try:
        cache.set_many(texts, REMEMBERED_SECONDS)
    except RedisError as error:
        log.warning("Figures are not remembered: the cache's server does not take them (%s)", error)
