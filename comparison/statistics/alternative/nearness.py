"""Who lies nearer to the other people, the model or the person left out: label by label.

Calderon, Reichart and Dror (2025, "The Alternative Annotator Test for LLM-as-a-Judge", ACL, section 3): a person's
label and the model's are both scored against what the other people said of the item. A tie is an advantage of both.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.counts import MISSING, Floats, Ints

Truths = NDArray[np.bool_]

# What a label is scored by, against the others' labels: the share that is the same, or the root of the mean squared
# distance, less being better.
ACCURACY, RMSE = "accuracy", "rmse"
# Distances nearer than this part of themselves are a tie: they are differences of sums in floating point.
TIE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """One row a label that can be scored: its item, its person, and whether model and person are at least as near."""

    items: Ints
    raters: Ints
    model: Truths
    person: Truths


def nearness(items: Ints, raters: Ints, labels: Floats | Ints, said: Floats | Ints, *, scoring: str) -> Nearness:
    """Labels one by one (item, person, label), and what the model `said` of each item, shape (items,).

    Labels are codes, MISSING where there is none; for `RMSE` also numbers, NaN where there is none. Items that the
    model left open, or that nobody else has labeled, take no part.

    Three say 0 of the item and one says 1, as does the model: it is as near to the others as the fourth.

    >>> found = nearness(np.zeros(4, int), np.arange(4), np.array([0, 0, 0, 1]), np.array([1]), scoring=ACCURACY)
    >>> found.model.tolist(), found.person.tolist()
    ([False, False, False, True], [True, True, True, True])
    """
    here = _known(labels) & _known(said)[items]
    items, raters, labels = items[here], raters[here], labels[here]
    others = np.bincount(items, minlength=len(said))[items] - 1
    shared = others > 0
    items, raters, labels, others = items[shared], raters[shared], labels[shared], others[shared]
    score = {ACCURACY: _same, RMSE: _squares}[scoring]
    model, person = score(items, labels, said[items], others)
    return Nearness(items, raters, model <= person, person <= model)


def _known(values: Floats | Ints) -> Truths:
    return np.asarray(values != MISSING if values.dtype.kind in "iu" else np.isfinite(values))


def _same(items: Ints, labels: Floats | Ints, said: Floats | Ints, others: Ints) -> tuple[Floats, Floats]:
    """How many of the others do not say what the model says, and what the person says: whole numbers."""
    _, code = np.unique(np.concatenate([labels, said]), return_inverse=True)
    values = int(code.max(initial=0)) + 1
    label, model = code[: len(labels)], code[len(labels) :]
    cells = np.bincount(items * values + label, minlength=(int(items.max(initial=0)) + 1) * values)
    of_model = cells[items * values + model] - (label == model)
    of_person = cells[items * values + label] - 1
    return (others - of_model).astype(np.float64), (others - of_person).astype(np.float64)


def _squares(items: Ints, labels: Floats | Ints, said: Floats | Ints, others: Ints) -> tuple[Floats, Floats]:
    """The squared distances of model and person to the others, summed: the root and the number change no order."""
    middle = labels.mean() if len(labels) else 0.0
    # Whole degrees stay whole, so that their ties are exact.
    middle = np.rint(middle) if labels.dtype.kind in "iu" else middle
    label, model = labels - middle, said - middle
    sums = np.bincount(items, weights=label)[items] - label
    squares = np.bincount(items, weights=label**2)[items] - label**2
    of_model = others * model**2 - 2 * model * sums + squares
    of_person = others * label**2 - 2 * label * sums + squares
    near = np.abs(of_model - of_person) <= TIE * np.maximum(np.abs(of_model), np.abs(of_person))
    return of_model, np.where(near, of_model, of_person)
