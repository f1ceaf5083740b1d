"""What builds begin with, begun once: spaCy's pipeline takes a second, and a process of its own several.

Both for a session, and for those rooms alone whose conftest.py names them.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import spacy

from corpus import sweep
from tests import forked


@pytest.fixture(autouse=True, scope="session")
def pipeline_loaded_once() -> Iterator[None]:
    """A loaded pipeline does not change with what it reads."""
    load = cache(spacy.load)

    def loaded(name: str, *, exclude: list[str]) -> Any:
        return load(name, exclude=tuple(exclude))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spacy, "load", loaded)
        yield


@pytest.fixture(autouse=True, scope="session")
def processes_forked() -> Iterator[None]:
    """Those of a build come from the tests' server; tests/corpus/test_sweep.py begins them as a user's command does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "get_context", lambda how: forked.CONTEXT)
        yield
