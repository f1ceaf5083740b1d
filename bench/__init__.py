"""Benchmarks, and where they find what they read: the checkout, and the shared data that it does not carry."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared" / "data")
