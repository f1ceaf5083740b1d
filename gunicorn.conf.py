"""gunicorn reads this file by itself. Its processes count requests in files, which whichever is asked adds up."""

import os
from pathlib import Path

var = Path(os.environ.get("PARALLAX_VAR") or Path(__file__).parent / "var")
counts = var / "metrics"
counts.mkdir(parents=True, exist_ok=True)
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(counts))


def on_starting(server: object) -> None:
    """Counts begin anew with the server; a process that ends meanwhile leaves its own behind."""
    for old in counts.glob("*.db"):
        old.unlink(missing_ok=True)
