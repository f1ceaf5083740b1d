"""The people whom every page test of this room looks at."""

from tests.comparison.figures.people.crowd import crowd

__all__ = ["crowd"]
