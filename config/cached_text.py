"""The cache that all processes share: text in the Redis-protocol server that carries Celery's messages."""

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


class Text:
    """How values are stored. Django's own way for Redis is pickle, which can run what it reads; a text cannot."""

    def dumps(self, value: str | int) -> bytes:
        # A number is a text to the server as well, which can count on by itself.
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise TypeError(f"The cache keeps text and whole numbers, not {type(value).__name__}.")
        return str(value).encode()

    def loads(self, data: bytes) -> str:
        return data.decode()
