"""The two studies that the tests of their shared items look at, the model that is uploaded, and who adds it."""

from tests.researcher.library.asking import admin, worker
from tests.researcher.library.passages import both
from tests.researcher.library.uploaded import model_files

__all__ = ["admin", "both", "model_files", "worker"]
