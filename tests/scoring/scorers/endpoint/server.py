"""A real server on this machine that speaks the endpoint's protocol."""

import json
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKENS = 500


class Server(ThreadingHTTPServer):
    """Prefers the third letter. `trouble` holds (status, headers, body) to be answered first.

    Before those, `raw` holds (bytes, how many of them at once): the others come one by one.
    """

    daemon_threads = True
    # Letter by letter; what is left is on other words.
    shares = (0.1, 0.2, 0.4, 0.2, 0.05)

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.trouble: list[tuple[int, dict[str, str], Any]] = []
        self.raw: list[tuple[bytes, int]] = []
        # What it says, in turn; then "C" for ever.
        self.replies: list[Any] = []
        self.usage: dict[str, Any] | None = {
            "prompt_tokens": TOKENS - 1,
            "completion_tokens": 1,
            "total_tokens": TOKENS,
        }

    def completion(self) -> dict[str, Any]:
        top = [
            {"token": letter, "logprob": math.log(share)} for letter, share in zip("ABCDE", self.shares, strict=True)
        ]
        # The same letter with a space before it is the same answer.
        top += [{"token": " C", "logprob": math.log(0.03)}, {"token": "The", "logprob": math.log(0.02)}]
        reply = self.replies.pop(0) if self.replies else "C"
        choice = {"message": {"content": reply}, "logprobs": {"content": [{"token": "C", "top_logprobs": top}]}}
        return {"choices": [choice]} | ({"usage": self.usage} if self.usage else {})


@contextmanager
def serving() -> Iterator[Server]:
    found = Server()
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield found
    finally:
        found.shutdown()
        thread.join()
        found.server_close()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, payload, dict(self.headers)))
        if self.server.raw:
            self.drip(*self.server.raw.pop(0))
            return
        trouble = self.server.trouble
        status, headers, body = trouble.pop(0) if trouble else (200, {}, self.server.completion())
        raw = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(raw))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def drip(self, answer: bytes, at_once: int) -> None:
        self.wfile.write(answer[:at_once])
        for byte in answer[at_once:]:
            time.sleep(0.02)
            try:
                self.wfile.write(bytes([byte]))
            except OSError:
                return

    def log_message(self, *_: object) -> None:
        """Nothing on the terminal."""
