"""A small OpenID Connect server on the loopback address: code flow with PKCE, one client.

Whoever the test says is there, is.

It answers as the specification asks and refuses what it should refuse, so that a login through it is a real one.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

CLIENT, SECRET = "parallax", "only-for-tests-and-long-enough-to-sign"


@dataclass
class Issuer:
    """`person` are the claims of whoever is there. `asked` are the paths that were asked for, in order."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        } | self.elsewhere

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser is sent back to, once whoever sits there has said yes."""
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        query = self.codes.pop(form.get("code", ""), None)
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if query is None or authorization != f"Basic {known}":
            return None
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).decode().rstrip("=") != query["code_challenge"]:
            return None
        access = secrets.token_urlsafe(8)
        self.tokens.add(access)
        claims = {"iss": self.url, "aud": CLIENT, "exp": time.time() + 300, "iat": time.time(), **self.person}
        return {"access_token": access, "token_type": "Bearer", "id_token": jwt.encode(claims, SECRET, "HS256")}


class Answers(BaseHTTPRequestHandler):
    """One request, answered by the issuer of the server."""

    issuer: Issuer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.issuer.asked.append(parts.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match parts.path:
            case "/.well-known/openid-configuration":
                self.say(self.issuer.configuration())
            case "/authorize":
                self.lead_to(self.issuer.authorize(query))
            case "/userinfo":
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                self.say(self.issuer.person if token in self.issuer.tokens else None)
            case "/moved":
                self.lead_to(f"{self.issuer.url}/userinfo")
            case _:
                self.say(None)

    def do_POST(self) -> None:
        self.issuer.asked.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self.say(self.issuer.token(form, self.headers.get("Authorization", "")))

    def lead_to(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.end_headers()

    def say(self, found: dict[str, Any] | None) -> None:
        text = json.dumps(found if found is not None else {"error": "refused"}).encode()
        self.send_response(200 if found is not None else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base class's own name
        """A test prints nothing."""


@contextmanager
def an_issuer() -> Iterator[Issuer]:
    issuer = Issuer()
    handler = type("AnswersOfOne", (Answers,), {"issuer": issuer})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    issuer.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
