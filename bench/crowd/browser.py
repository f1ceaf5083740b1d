"""A browser without JavaScript over HTTP: it keeps its cookies, follows redirects and posts the forms that it reads.

Where the line is lost, it asks again as people do who reload: the same page, or the same form once more.
"""

import logging
import time
from collections.abc import Mapping
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

from tests.annotation.pages.bot import Bot, Page, read_html

FORM = "application/x-www-form-urlencoded"
TRIES, PAUSE = 5, 1.0

log = logging.getLogger(__name__)


class HttpBrowser(Bot):
    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.cookies: dict[str, str] = {}

    def fetch(self, address: str, data: Mapping[str, Any] | None = None) -> Page:
        status, address, html = self._ask_again(address, data)
        while status in (302, 303):
            status, address, html = self._ask_again(address, None)
        return read_html(status, address, html)

    def _ask_again(self, address: str, data: Mapping[str, Any] | None) -> tuple[int, str, str]:
        for _ in range(TRIES - 1):
            try:
                return self._ask(address, data)
            except OSError as error:
                log.warning("The line to %s was lost (%s); sent again", address, error)
                time.sleep(PAUSE)
        return self._ask(address, data)

    def _ask(self, address: str, data: Mapping[str, Any] | None) -> tuple[int, str, str]:
        """The status, the address (or where it leads to) and the page; a line of its own each time."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if data is not None:
            headers["Content-Type"] = FORM
        line = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request("GET" if data is None else "POST", address, urlencode(data) if data else None, headers)
            answer = line.getresponse()
            html = answer.read().decode()
        finally:
            line.close()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.headers.get("Location") or address, html
