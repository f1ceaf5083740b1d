"""Everything here is computed by one thread."""

from tests.scoring.onethread import one_thread

__all__ = ["one_thread"]
