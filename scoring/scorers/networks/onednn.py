"""How many products of different sizes oneDNN remembers in this process. The standard library only."""

import os

# With megabytes for each: nearly every batch is of another size, so that the 1,024 of oneDNN and of torch's layer above
# it would let a worker or a training grow by gigabytes. These do for a batch.
REMEMBERED = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "16", "LRU_CACHE_CAPACITY": "16"}


def remember_few() -> None:
    """Before the first product of this process, by whatever layer: torch's own in bfloat16 are oneDNN's too."""
    for name, capacity in REMEMBERED.items():
        os.environ.setdefault(name, capacity)
