"""The two studies that the tests of their shared items look at."""

from tests.researcher.library.passages import both

__all__ = ["both"]
