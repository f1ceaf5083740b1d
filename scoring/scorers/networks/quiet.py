"""transformers without what it prints while it loads and encodes: what is wrong is told in a sentence of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def quiet() -> Iterator[None]:
    """No bars, no reports on weights, no advice; both as before when the block is over."""
    # Not above: no command but one that loads a model should wait for transformers, nor the web process hold it.
    from transformers.utils import logging

    # Its functions have no types.
    log: Any = logging
    verbosity, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(verbosity)
        if bars:
            log.enable_progress_bar()
