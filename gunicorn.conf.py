"""gunicorn reads this file by itself. Each process counts requests in a file; the one that is asked adds them up."""

import os
from pathlib import Path

var = Path(os.environ.get("PARALLAX_VAR") or Path(__file__).parent / "var")
counts = var / "metrics"
counts.mkdir(parents=True, exist_ok=True)
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(counts))


def on_starting(server: object) -> None:
    """Counts start at 0 with the server. What an ended process counted stays until then."""
    for old in counts.glob("*.db"):
        old.unlink(missing_ok=True)
