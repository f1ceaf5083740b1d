"""The Redis-protocol server: where `make run` puts its socket, so that every process of one installation finds it; and
the cache that all processes share, which is JSON in that same server.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

# The kernel takes 108 bytes with the closing zero on Linux, 104 on macOS.
LONGEST = 100
# Read as syntax in a URL.
SPECIAL = frozenset("#?%")


def broker_socket(var: Path) -> Path:
    """The socket for the installation whose run-time folder is `var`.

    `var/valkey.sock`, unless that is too long for a socket or would be misread in a URL; then a
    path under /tmp that depends only on `var` and the user, in a folder of its own (which
    config.local.valkey creates for its owner alone).
    """
    inside = var.resolve() / "valkey.sock"
    if len(os.fsencode(inside)) <= LONGEST and not SPECIAL & set(str(inside)):
        return inside
    digest = hashlib.sha256(os.fsencode(inside)).hexdigest()[:12]
    # Not gettempdir(): TMPDIR can differ from one shell to the next, and this must not.
    return Path(f"/tmp/parallax-{os.getuid()}-{digest}/valkey.sock")  # noqa: S108


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
