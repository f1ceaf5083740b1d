"""A web server in a process of its own: where it can listen, and whether it answers."""

import socket

import httpx


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/login/", timeout=30).status_code == 200
    except httpx.TransportError:
        return False
