"""From labels as words to arrays of codes: what statistics are computed from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from comparison.statistics.counts import MISSING, Ints, count

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Coded:
    """Labels one by one: the row of the item, the rater's number, the code of the label. `names` are the raters'."""

    items: Ints
    raters: Ints
    labels: Ints
    names: tuple[str, ...]


def coded(frame: "pd.DataFrame", *, items: Sequence[str], values: Sequence[str]) -> Coded:
    """A frame with the columns `item, rater, label`. Other items' rows are left out; raters are in order of names."""
    rows = _places(frame["item"], items)
    labels = codes(frame["label"], values)
    is_valid = (rows != MISSING) & (labels != MISSING)
    whole = _places(frame["rater"][is_valid], sorted(frame["rater"].unique()))
    used, raters = np.unique(whole, return_inverse=True)
    names = np.array(sorted(frame["rater"].unique()), dtype=object)[used]
    return Coded(
        rows[is_valid], np.asarray(raters, dtype=np.int64), labels[is_valid], tuple(str(name) for name in names)
    )


def codes(labels: "pd.Series[str]", values: Sequence[str]) -> Ints:
    """The place of each label on the scale; MISSING where there is none. ValueError for a label off the scale."""
    places = _places(labels, values)
    absent = np.asarray(labels.isna(), dtype=bool)
    if ((places == MISSING) & ~absent).any():
        stray = sorted(set(labels[(places == MISSING) & ~absent]))
        raise ValueError(f"labels off the scale {', '.join(values)}: {', '.join(stray)}")
    return places


def _places(column: "pd.Series[str]", names: Sequence[str]) -> Ints:
    """The place of each cell among what is known; MISSING where it is not. Of equal cells, one is looked up."""
    # Here and not above: pandas and its pyarrow take 70 MB, which a web process that computes nothing does without.
    import pandas as pd

    cells = column.astype("category").cat
    places = pd.Index(list(names)).get_indexer(pd.Index(cells.categories))
    return np.append(places, MISSING).astype(np.int64)[cells.codes.to_numpy()]


def count_labels(frame: "pd.DataFrame", *, items: Sequence[str], values: Sequence[str]) -> Ints:
    """How many labels of each value each item has, shape (items, values). Other items' rows are left out."""
    return count(_places(frame["item"], items), codes(frame["label"], values), size=len(items), values=len(values))


def count_tallies(tallies: Iterable[Mapping[str, int]], values: Sequence[str]) -> Ints:
    """How many labels of each value each item has, from the tallies in the items' rows; shape (items, values)."""
    table = [[tally.get(value, 0) for value in values] for tally in tallies]
    return np.array(table, dtype=np.int64).reshape(len(table), len(values))
