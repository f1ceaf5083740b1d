"""Where one more label narrows the interval between model and people the most.

The interval is that of the mean, over items, of the share of people who say what the run says. Its variance is that
between items plus each item's own p(1 − p)/k from k labels, over n² (two-stage sampling: Cochran 1977, *Sampling
Techniques*, chapter 10). So one more label takes p(1 − p)/(k(k + 1)) off an item that has labels, and the whole
variance of one item off where there is none yet: new items first, then those on which people are divided and have said
little.
"""

from collections.abc import Sequence

import numpy as np

from comparison.statistics.counts import MISSING, Floats, Ints

# Until there are labels on two items, what one item may differ from another: as if people said yes and no alike.
UNKNOWN = 0.25


def narrowing(counts: Ints, decided: Sequence[Ints]) -> Floats:
    """How much one more label on each item takes off, shape (items,), mean over the runs; the highest comes next.

    Labels are of shape (items, values), each run's decisions of shape (items,). An item that no run decides has 0.
    In units of one item's variance; only the order matters.

    Nothing said, one person said it, two disagree, three agree:

    >>> counts = np.array([[0, 0], [1, 0], [1, 1], [3, 0]])
    >>> narrowing(counts, [np.zeros(4, dtype=int)]).round(3).tolist()
    [0.083, 0.025, 0.03, 0.003]
    """
    gains = [_of_run(counts, own) for own in decided]
    return np.mean(gains, axis=0) if gains else np.zeros(len(counts))


def _of_run(counts: Ints, decided: Ints) -> Floats:
    given = counts.sum(axis=1)
    here = decided != MISSING
    agreeing = np.where(here, counts[np.arange(len(counts)), np.where(here, decided, 0)], 0)
    known = here & (given > 0)
    shares = agreeing[known] / given[known]
    between = float(shares.var(ddof=1)) if len(shares) > 1 else UNKNOWN
    usual = float(shares.mean()) if len(shares) else 0.5
    # The expected p(1 − p) where one more label, of the usual sort, is added to what was said.
    yes, no = agreeing + usual, given - agreeing + 1 - usual
    divided = yes * no / ((yes + no) * (yes + no + 1))
    further = np.divide(divided, given * (given + 1), out=np.zeros(len(given)), where=given > 0)
    fresh = max(between, float(further[known].max(initial=0.0)))
    return np.where(here, np.where(given > 0, further, fresh), 0.0)
