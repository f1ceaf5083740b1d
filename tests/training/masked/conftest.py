"""Everything here is computed by one thread."""

from tests.scoring.scorers.one_thread import one_thread

__all__ = ["one_thread"]
