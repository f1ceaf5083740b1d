"""What a test counts for while labels come in, however often one looks: O'Brien and Fleming's boundary (1979).

Biometrics 35: 549–556, for looks without end (Lan and DeMets 1983, Biometrika 70: 659–663). A test statistic of a
share t of the labels is √t of a random walk's place, which passes b before the end as often as it ends beyond b, twice
(the reflection principle). It passes STRICTER times the bound of the last test, and then ends within that bound, in
fewer than 1 of 1,000 studies: so the last test stays what it is, and the error of all looks together too.
"""

import numpy as np
from scipy.stats import norm

STRICTER = 1.5


def counts_for(share_in: float) -> float:
    """The part of a standard error that one counts for, while a share of the labels is in; 1 once all are.

    >>> counts_for(1.0), round(counts_for(0.36), 2)
    (1.0, 0.4)
    """
    return 1.0 if share_in >= 1 else float(np.sqrt(share_in)) / STRICTER


def at_a_look(p: float, share_in: float) -> float:
    """A one-sided p while a share of the labels is in.

    >>> at_a_look(0.01, 1.0), round(at_a_look(0.01, 0.5), 2)
    (0.01, 0.14)
    """
    return p if share_in >= 1 or p in (0.0, 1.0) else float(norm.sf(norm.isf(p) * counts_for(share_in)))
