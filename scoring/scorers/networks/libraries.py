"""How libraries behave in this process: transformers without what it prints while it loads and encodes, since what is
wrong is told in a sentence of ours; and how many products of different sizes oneDNN remembers.

By itself it imports the standard library only.
"""

import os
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


# With megabytes for each: nearly every batch is of another size, so that the 1,024 of oneDNN and of torch's layer above
# it would let a worker or a training grow by gigabytes. These do for a batch.
REMEMBERED = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "16", "LRU_CACHE_CAPACITY": "16"}


def remember_few() -> None:
    """Before the first product of this process, by whatever layer: torch's own in bfloat16 are oneDNN's too."""
    for name, capacity in REMEMBERED.items():
        os.environ.setdefault(name, capacity)
