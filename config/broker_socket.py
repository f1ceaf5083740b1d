"""Where `make run` puts the Valkey server's socket, so that every process of one installation finds it."""

import hashlib
import os
from pathlib import Path

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
