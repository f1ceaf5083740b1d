"""Figures of runs as lines: how near, how far apart, what they follow. One file an export.

To add one: comparison/exports/__init__.py says how.
"""
