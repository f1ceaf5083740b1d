"""What irrCAC 0.4.4 prints (five digits) for three tables of items by raters, 0 where a rater gave no label.

It asks for a pandas and a SciPy that are older than ours, so that it cannot stand beside them as a requirement. These
are the values of its class CAC in irrCAC.raw, with `categories` 1 to the highest, on pandas 3.1.1.
"""

import numpy as np

from tests.comparison.published import FLEISS_1971, KRIPPENDORFF_2011

# Made with chance: 18 items, three raters, four labels.
MADE = np.array(
    [
        [2, 2, 1, 2, 4, 4, 3, 3, 3, 4, 4, 3, 2, 1, 4, 2, 0, 2],
        [0, 2, 4, 3, 0, 0, 3, 2, 0, 4, 0, 3, 2, 1, 4, 4, 3, 2],
        [2, 2, 4, 0, 0, 0, 0, 2, 4, 4, 1, 4, 2, 4, 0, 2, 3, 0],
    ]
).T
TABLES = {
    "Krippendorff": (KRIPPENDORFF_2011.T, 5),
    "Fleiss": (np.array([np.repeat(np.arange(1, 6), row) for row in FLEISS_1971]), 5),
    "made": (MADE, 4),
}
NAMES = ("Fleiss", "Gwet", "Brennan-Prediger", "Conger")
# By table and weights, in the order of NAMES.
PRINTED = {
    ("Krippendorff", "identity"): (0.76117, 0.77544, 0.77273, 0.76207),
    ("Krippendorff", "linear"): (0.81794, 0.85874, 0.84848, 0.81314),
    ("Krippendorff", "quadratic"): (0.86494, 0.91400, 0.90152, 0.85717),
    ("Krippendorff", "ordinal"): (0.85021, 0.89894, 0.88636, 0.84308),
    ("Fleiss", "identity"): (0.43024, 0.44788, 0.44444, 0.44181),
    ("Fleiss", "linear"): (0.32794, 0.38547, 0.36250, 0.35690),
    ("Fleiss", "quadratic"): (0.28407, 0.38023, 0.33389, 0.32585),
    ("Fleiss", "ordinal"): (0.29678, 0.38169, 0.34206, 0.33474),
    ("made", "identity"): (0.43571, 0.48336, 0.47222, 0.44300),
    ("made", "linear"): (0.33834, 0.46512, 0.41667, 0.34759),
    ("made", "quadratic"): (0.16732, 0.42220, 0.32500, 0.18016),
    ("made", "ordinal"): (0.22756, 0.43586, 0.35556, 0.23908),
}
# Of the stored anxiety.csv, six labels.
ANXIETY = {
    "identity": (-0.04108, 0.03137, 0.02000, -0.01871),
    "linear": (0.05425, 0.32508, 0.26286, 0.08316),
    "quadratic": (0.15603, 0.53529, 0.44571, 0.18998),
    "ordinal": (0.12718, 0.48613, 0.40000, 0.15992),
}
# Of the stored cont3x3abstractors.csv, two raters: Cohen, Gwet, Brennan-Prediger (irrCAC.table).
ABSTRACTORS = {
    "identity": (0.79641, 0.84933, 0.83500),
    "linear": (0.84290, 0.90002, 0.87625),
    "quadratic": (0.89216, 0.94024, 0.91750),
    "ordinal": (0.87211, 0.92519, 0.90100),
}
