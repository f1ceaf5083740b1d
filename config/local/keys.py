"""Secrets that `make run` makes once and keeps in files that only their owner can read."""

import os
import secrets
from pathlib import Path


def kept(file: Path, *, length: int) -> str:
    """The secret in `file`; if there is none yet, one of `length` random bytes, written with mode 0600."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    secret = secrets.token_urlsafe(length)
    with os.fdopen(handle, "w") as stream:
        stream.write(secret + "\n")
    return secret
