"""From a frame of labels to a table of items by values."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Ints = NDArray[np.int64]

# The code of "no label here".
MISSING = -1


def codes(labels: "pd.Series[str]", values: Sequence[str]) -> Ints:
    """The place of each label on the scale; MISSING where there is none. ValueError for a label off the scale."""
    found = np.asarray(pd.Index(list(values)).get_indexer(pd.Index(labels)), dtype=np.int64)
    absent = np.asarray(labels.isna(), dtype=bool)
    if ((found == MISSING) & ~absent).any():
        stray = sorted(set(labels[(found == MISSING) & ~absent]))
        raise ValueError(f"labels off the scale {', '.join(values)}: {', '.join(stray)}")
    return found


def count_labels(frame: pd.DataFrame, *, items: Sequence[str], values: Sequence[str]) -> Ints:
    """How many labels of each value each item has, shape (items, values). Other items' rows are left out."""
    rows = np.asarray(pd.Index(list(items)).get_indexer(pd.Index(frame["item"])), dtype=np.int64)
    columns = codes(frame["label"], values)
    here = (rows != MISSING) & (columns != MISSING)
    flat = rows[here] * len(values) + columns[here]
    return np.bincount(flat, minlength=len(items) * len(values)).reshape(len(items), len(values))


def decisions(frame: pd.DataFrame, *, items: Sequence[str], values: Sequence[str]) -> Ints:
    """One rater's label for each item as a code, shape (items,); MISSING where there is none."""
    labels = frame.set_index("item")["label"].reindex(list(items))
    return codes(labels, values)
