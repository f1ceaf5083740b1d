"""The two studies that the tests of their shared items look at, and the model that is uploaded."""

from tests.researcher.library.passages import both
from tests.researcher.library.uploaded import model_files

__all__ = ["both", "model_files"]
