"""Cohen's κ over pairs of annotators, held to scikit-learn, and what must not matter."""

import csv

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score

from comparison.frame.coded import coded, count_labels
from comparison.statistics.accuracy.hits import kappa
from comparison.statistics.agreement.pairwise import pairwise_cohen
from comparison.statistics.estimate import Estimate
from tests.comparison.published import KRIPPENDORFF_2011
from tests.shared_data import shared


def of_frame(frame: pd.DataFrame, *, values: list[str]) -> Estimate:
    labels = coded(frame, items=list(dict.fromkeys(frame["item"])), values=values)
    return pairwise_cohen(labels.items, labels.raters, labels.labels, values=len(values))


def krippendorff_frame() -> pd.DataFrame:
    rows = [
        {"item": f"u{unit}", "rater": f"r{rater}", "label": str(value)}
        for rater, values in enumerate(KRIPPENDORFF_2011)
        for unit, value in enumerate(values)
        if value
    ]
    return pd.DataFrame(rows)


def test_cohen_on_the_stored_abstractors():
    rows = list(csv.reader(shared("agreement_reference/cont3x3abstractors.csv").open()))[1:]
    table = np.array([[int(cell) for cell in row[1:]] for row in rows])
    one, other = (np.repeat(axis.ravel(), table.ravel()) for axis in np.indices(table.shape))
    assert kappa(one, other, values=3).value == pytest.approx(0.79641, abs=1e-5)
    frame = pd.DataFrame(
        {
            "item": [*range(len(one)), *range(len(other))],
            "rater": ["a"] * len(one) + ["b"] * len(other),
            "label": [str(code) for code in [*one, *other]],
        }
    )
    assert of_frame(frame, values=["0", "1", "2"]).value == pytest.approx(0.79641, abs=1e-5)


def test_pairwise_is_the_mean_of_sklearn_over_pairs():
    found = of_frame(krippendorff_frame(), values=list("12345"))
    total = weight = 0.0
    for one in range(4):
        for other in range(one + 1, 4):
            both = (KRIPPENDORFF_2011[one] > 0) & (KRIPPENDORFF_2011[other] > 0)
            total += both.sum() * cohen_kappa_score(KRIPPENDORFF_2011[one][both], KRIPPENDORFF_2011[other][both])
            weight += both.sum()
    assert found.value == pytest.approx(total / weight)
    assert "6 pairs of annotators" in found.note


def test_pairs_that_hardly_meet_get_no_interval():
    rows = [("a", "r1", "x"), ("a", "r2", "x"), ("b", "r1", "y"), ("b", "r2", "y"), ("a", "r3", "x")]
    found = of_frame(pd.DataFrame(rows, columns=["item", "rater", "label"]), values=["x", "y"])
    assert found.value == 1
    assert found.low is None
    assert "Fleiss" in found.no_interval
    assert "2 pairs left out" in found.note


def test_no_two_annotators_sharing_items():
    frame = pd.DataFrame([("a", "r1", "x"), ("b", "r2", "y")], columns=["item", "rater", "label"])
    assert of_frame(frame, values=["x", "y"]).undefined == "no item has two labels yet"
    frame = pd.DataFrame([("a", "r1", "x"), ("a", "r2", "y")], columns=["item", "rater", "label"])
    assert "no two annotators share" in of_frame(frame, values=["x", "y"]).undefined


@hypothesis_settings(max_examples=40)
@given(arrays(np.int64, (3, 8), elements=st.integers(0, 3)), st.permutations([0, 1, 2]))
def test_the_order_of_raters_does_not_matter(labels, order):
    def frame(rows):
        return pd.DataFrame(
            [
                {"item": f"i{item}", "rater": f"r{rater}", "label": "abc"[value - 1]}
                for rater, row in enumerate(rows)
                for item, value in enumerate(row)
                if value
            ],
            columns=["item", "rater", "label"],
        )

    one, other = frame(labels), frame(labels[list(order)])
    items, values = [f"i{item}" for item in range(8)], list("abc")
    assert of_frame(one, values=values).value == pytest.approx(of_frame(other, values=values).value)
    assert (count_labels(one, items=items, values=values) == count_labels(other, items=items, values=values)).all()
