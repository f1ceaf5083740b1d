"""`import_study` of a data set, into a folder beside others that are not there yet."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

# What is asked of ratings, before their map.
RATE = ("--task", "rating", "--question", "How natural?", "--set", "points=7", "low=bad", "high=good", "--map")


def import_study(data_set: str, source: Path, out: Path, *more: str) -> None:
    call_command("import_study", data_set, str(source), "--out", str(out), *more, verbosity=0)


def refused_import(data_set: str, source: Path, out: Path, *more: str) -> str:
    """What is said; nothing is left behind."""
    with pytest.raises(CommandError) as caught:
        import_study(data_set, source, out, "--no-load", *more)
    assert not out.exists()
    assert not out.parent.exists() or not list(out.parent.iterdir())
    return str(caught.value)
