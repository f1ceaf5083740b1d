"""A web server of a test's own that keeps what it is sent, and answers as it is told."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    address: str
    port: int
    # The statuses of its next answers; 200 once they are used up.
    answers: list[int] = field(default_factory=list)
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    # It sends its answer a byte in so many seconds, and does not end it.
    drips: float = 0.0


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if found.drips:
                with suppress(OSError):
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nX-A: ")
                    for _ in range(200):
                        time.sleep(found.drips)
                        self.wfile.write(b"a")
                return
            self.send_response(found.answers.pop(0) if found.answers else 200)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        port = server.server_address[1]
        found = Receiver(f"http://127.0.0.1:{port}/hook?key=1", port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()
