"""The same people as in the payment queue."""

from tests.annotation.paying.conftest import come, study

__all__ = ["come", "study"]
