"""The people whom every page test of this room looks at."""

from tests.comparison.page.people_part.crowd import crowd

__all__ = ["crowd"]
