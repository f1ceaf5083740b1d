"""An installation whose settings name a real server on this machine as its endpoint."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from scoring.runs import starting, working
from scoring.scorers.endpoint import calling
from tests.scoring.scorers.endpoint.server import Server, serving
from work import queue


@contextmanager
def endpoint(settings: Any, monkeypatch: Any) -> Iterator[Server]:
    with serving() as found:
        settings.PROMPT_ENDPOINT = f"http://127.0.0.1:{found.server_port}/v1"
        settings.PROMPT_ENDPOINT_MODELS = ["big/model-1.5"]
        settings.PROMPT_ENDPOINT_KEY = "not-a-real-key"
        settings.PROMPT_ENDPOINT_PRICE = Decimal("2")
        settings.PROMPT_ENDPOINT_CEILING = Decimal("1")
        monkeypatch.setattr(calling, "FIRST_WAIT", 0.01)
        for module in (queue, starting, working):
            monkeypatch.setattr(module, "send", lambda chunks: None)
        yield found
