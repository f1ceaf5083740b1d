"""The cache that all processes share: JSON in the Redis-protocol server that carries Celery's messages."""

import json
from typing import Any

SOCKET = "redis+socket://"


def cache_address(url: str) -> str:
    """REDIS_URL as the cache's client reads it: Celery has another word for a unix socket.

    >>> cache_address("redis+socket:///var/valkey.sock?virtual_host=1")
    'unix:///var/valkey.sock?db=1'
    >>> cache_address("redis://localhost:6379/0")
    'redis://localhost:6379/0'
    """
    if not url.startswith(SOCKET):
        return url
    return "unix://" + url.removeprefix(SOCKET).replace("?virtual_host=", "?db=")


class JsonText:
    """How values are stored: as JSON. Django's own way for Redis is pickle, which can run what it reads."""

    def dumps(self, value: object) -> bytes:
        # A number is a text to the server as well, which can count on by itself.
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)
