"""A table of the results: what all its figures have in common is said once."""

import pytest

from comparison.figures.table import Table
from comparison.statistics.estimate import Estimate

FEW = "fewer than 20 labeled items"
SHORT = Estimate(0.5, n=5, no_interval=FEW)
WHOLE = Estimate(0.5, 0.2, 0.8, n=50)
NONE = Estimate(None, undefined="nobody gave this label")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((SHORT, SHORT, SHORT), SHORT.remarks),
        ((SHORT, SHORT, WHOLE), ""),
        ((SHORT, SHORT, NONE), ""),
        ((NONE, NONE, NONE), ""),
        ((WHOLE, WHOLE, WHOLE), ""),
        ((SHORT, SHORT), ""),
    ],
)
def test_a_remark_on_every_figure_is_said_once(found, said):
    rows = tuple((f"label {number}", one) for number, one in enumerate(found))
    table = Table(name="shares", title="Shares", columns=("Label", "Share"), rows=rows, rests_on="5 items", method="")
    assert FEW in SHORT.remarks
    assert table.note_of_all == said
