"""A hub at the loopback address: one model, whose branches stand at a commit, served from a folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from corpus.provenance import sha256


class _Handler(BaseHTTPRequestHandler):
    folder: Path
    model: str
    branches: dict[str, str]

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, *, with_body: bool) -> None:
        model, _, rest = self.path.lstrip("/").partition("/resolve/")
        revision, _, name = rest.partition("/")
        commit = self.branches.get(revision, revision)
        # What is asked of /api/ is what lies in folders of the model: nothing does.
        if model.startswith("api/"):
            self._say(404, b"", {"X-Error-Code": "EntryNotFound"})
        elif model != self.model or commit not in self.branches.values():
            self._say(404, b"", {"X-Error-Code": "RevisionNotFound" if model == self.model else "RepoNotFound"})
        elif not (self.folder / name).is_file():
            self._say(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": commit})
        else:
            told = {"ETag": f'"{sha256(self.folder / name)}"', "X-Repo-Commit": commit}
            self._say(200, (self.folder / name).read_bytes(), told, with_body=with_body)

    def _say(self, status: int, content: bytes, headers: dict[str, str], *, with_body: bool = True) -> None:
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(content))}).items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Nothing is printed."""


@contextmanager
def hub_of(folder: Path, *, model: str, branches: dict[str, str]) -> Iterator[str]:
    """The address of a hub that has this model, while the block runs."""
    handler = type("Handler", (_Handler,), {"folder": folder, "model": model, "branches": branches})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
