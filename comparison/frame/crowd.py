"""Models of annotators, by crowd-kit 1.4.2: each learns people's reliability and the items' labels from one another.

Dawid and Skene (1979, Applied Statistics 28, 20–28): a table of errors for each person. One coin (Zhang et al. 2016,
JMLR 17, 1–44): one chance of being right. MACE (Hovy et al. 2013, NAACL, 1120–1130): a chance of not answering at
random. GLAD (Whitehill et al. 2009, NeurIPS 22): people's ability against items' difficulty.

Arrays in, an `Aggregate` out, as in comparison/statistics/aggregation. It stands here because crowd-kit takes pandas
frames, which the statistics do without. Importing it costs 30 MB and no torch; nltk comes along for parts of it that
aggregate texts. Its own Wawa fails on pandas 3: `statistics/aggregation.py` has those weights.
"""

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from crowdkit.aggregation import GLAD, MACE, DawidSkene, OneCoinDawidSkene

from comparison.statistics.aggregation import Aggregate, undefined
from comparison.statistics.counts import Floats, Ints

ROUNDS = 100
SEED = 0
# GLAD joins every label with every value at each step: about 3 ms a label, which is an hour at a million.
MOST_FOR_GLAD = 50_000

# Probabilities, a row an item and a column a label, and reliability, in order of people.
Fitted = tuple[pd.DataFrame, Floats]


def learned(key: str, items: Ints, raters: Ints, labels: Ints, *, size: int, values: int, people: int) -> Aggregate:
    """By the model of that key. GLAD is not computed for more than MOST_FOR_GLAD labels.

    Labels are put in one order first: sums of floats depend on it, and so would the figures.
    """
    if key == "glad" and len(labels) > MOST_FOR_GLAD:
        reason = f"not computed for more than {MOST_FOR_GLAD:,} labels: it would take hours"
        return Aggregate.none(reason, size=size, values=values, raters=people)
    if nothing := undefined(items, raters, labels):
        return Aggregate.none(nothing, size=size, values=values, raters=people)
    order = np.lexsort((items, raters))
    # MACE takes the order in which people and labels appear for the order of their names, and mixes up their
    # parameters where it is another (1.4.2, `_e_step`): labels are named by that order, and back.
    codes, uniques = pd.factorize(labels[order])
    frame = pd.DataFrame({"task": items[order], "worker": raters[order], "label": codes})
    with warnings.catch_warnings():
        # It asks pandas for what pandas 4 will drop; the version is pinned, and nothing is to be done about it here.
        warnings.simplefilter("ignore", pd.errors.Pandas4Warning)
        fitted, reliable = MODELS[key](frame)
    probabilities = np.zeros((size, values))
    columns = np.asarray(uniques, dtype=np.int64)[fitted.columns.to_numpy(dtype=np.int64)]
    probabilities[np.ix_(fitted.index.to_numpy(dtype=np.int64), columns)] = fitted.to_numpy(dtype=np.float64)
    total = probabilities.sum(axis=1, keepdims=True)
    probabilities = np.divide(probabilities, total, out=probabilities, where=total > 0)
    reliability = np.full(people, np.nan)
    reliability[np.unique(raters)] = reliable
    return Aggregate.of(probabilities, reliability)


def _dawid_skene(frame: pd.DataFrame) -> Fitted:
    """Reliability: how probable it is that the person gives the right label, over the labels as they are spread."""
    # All rounds: its own stop takes a loss that falls between two rounds, which it does, for an end.
    model = DawidSkene(n_iter=ROUNDS, tol=-1).fit(frame)
    assert model.errors_ is not None and model.priors_ is not None
    errors, priors = model.errors_, model.priors_
    # The diagonal of each person's table: given the label, that label. A label never given is never right.
    labels = errors.index.get_level_values("label").to_numpy(dtype=np.int64)
    columns = errors.columns.get_indexer(pd.Index(labels))
    right = errors.to_numpy()[np.arange(len(labels)), columns] * priors.reindex(labels).to_numpy()
    weighed = pd.Series(right, index=errors.index.get_level_values("worker")).groupby(level=0).sum()
    return _fitted(model.probas_, weighed)


def _one_coin(frame: pd.DataFrame) -> Fitted:
    """Reliability: how probable it is that the person gives the right label, whichever it is."""
    model = OneCoinDawidSkene(n_iter=ROUNDS).fit(frame)
    return _fitted(model.probas_, model.skills_)


def _mace(frame: pd.DataFrame) -> Fitted:
    """Reliability: the share of answers that the person does not give at random (competence)."""
    # Its restarts all begin at the same point, that of `random_state`: one gives what ten do, in a tenth of the time.
    model = MACE(n_restarts=1, random_state=SEED).fit(frame)
    return _fitted(model.probas_, pd.Series(model.spamming_[:, 1] / model.spamming_.sum(axis=1)))


def _glad(frame: pd.DataFrame) -> Fitted:
    """Reliability: ability α, where 0 is guessing, below 0 is turning labels round, and there is no highest."""
    model = GLAD(n_iter=ROUNDS).fit(frame)
    return _fitted(model.probas_, model.alphas_)


def _fitted(probabilities: pd.DataFrame | None, reliable: "pd.Series[float]") -> Fitted:
    assert probabilities is not None  # nothing but `fit` leaves it open
    return probabilities, np.asarray(reliable.sort_index(), dtype=np.float64)


MODELS: dict[str, Callable[[pd.DataFrame], Fitted]] = {
    "dawid_skene": _dawid_skene,
    "one_coin": _one_coin,
    "mace": _mace,
    "glad": _glad,
}
