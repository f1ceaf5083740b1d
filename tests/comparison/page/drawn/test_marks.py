"""Stacks, matrices, gauges and pairs: marks where numbers are, and nothing where there is no number."""

import numpy as np
import pytest

from comparison.page.drawn.axis import Axis
from comparison.page.drawn.by_label import by_label
from comparison.page.drawn.gauge import gauge
from comparison.page.drawn.heat import SOFT_HYPHEN, heat_map
from comparison.page.drawn.pair import Both, pairs
from comparison.page.drawn.stacks import PRINTED, colors, stack
from comparison.statistics.accuracy.confusion import confusion
from comparison.statistics.aggregation import agreement_counts
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate

WORDS = ["Impossible", "Less likely", "Equally likely"]
VALUES = ["impossible", "less_likely", "equally_likely"]


def there(found):
    """Something was drawn."""
    assert found is not None
    return found


def percents(parts):
    return [float(one.width.removesuffix("%")) for one in parts]


def test_an_axis_ends_where_it_is_said_to():
    ticks = Axis(0, 4).ticks
    assert [tick.words for tick in ticks] == ["0", "1", "2", "3", "4"]
    assert [tick.anchor for tick in ticks] == ["start", "middle", "middle", "middle", "end"]
    assert [tick.words for tick in Axis(-1, 1).ticks] == ["−1", "−.50", "0", ".50", "1"]


def test_a_stack_fills_its_width_and_prints_what_has_room():
    found = stack("People", "100 labels", [4, 30, 66], WORDS, look="people")
    assert sum(percents(found.parts)) == pytest.approx(100)
    assert [part.number for part in found.parts] == ["", "30", "66"]
    assert PRINTED > 0.04
    assert found.said == "People: Impossible 4 %; Less likely 30 %; Equally likely 66 %"


@pytest.mark.parametrize("labels", range(2, 11))
def test_each_label_of_a_scale_has_a_color_of_its_own(labels):
    assert len(set(colors(labels))) == labels


def test_a_matrix_has_the_shares_of_its_rows_and_what_is_undecided():
    truth, given = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, MISSING])
    found = there(heat_map("7", "A · label", confusion(given, truth, WORDS), VALUES))
    assert [cell.share for cell in found.rows[0].cells] == ["67 %", "33 %", "0"]
    assert [cell.level for cell in found.rows[0].cells] == [7, 3, 0]
    assert [row.undecided for row in found.rows] == [0, 1, 0]
    assert found.has_undecided
    assert [cell.given for cell in found.rows[1].cells if cell.is_right] == ["less_likely"]
    assert found.rows[0].cells[1].said == "Impossible answered as Less likely: 1 item, 33 %"
    assert found.columns[0].replace(SOFT_HYPHEN, "") == "Impossible"


def test_a_matrix_of_nothing_is_none():
    assert heat_map("7", "A", confusion(np.array([MISSING]), np.array([0]), WORDS), VALUES) is None


def test_an_item_with_one_label_is_not_one_that_people_are_split_on():
    counts = agreement_counts(np.array([[3, 0], [1, 1], [1, 0], [0, 1]]), ["a", "b"])
    found = there(gauge("α", Estimate(0.72, 0.69, 0.75, n=4), counts, ()))
    assert [(one.name, one.count) for one in found.shares] == [("unanimous", 1), ("no majority", 1), ("one label", 2)]
    bars = by_label(counts, {"a": "A", "b": "B"}, people="people")
    assert bars is not None and [key.words for key in bars.keys] == ["unanimous", "no majority", "one label"]


def test_a_gauge_shows_the_items_by_how_they_agree():
    counts = agreement_counts(np.array([[3, 0], [3, 0], [2, 1], [1, 1], [0, 0]]), ["a", "b"])
    found = there(
        gauge("α", Estimate(0.72, 0.69, 0.75, n=4), counts, (("Raw", Estimate(0.8, n=4)), ("AC1", Estimate.none("x"))))
    )
    assert [(one.name, one.count, one.width) for one in found.shares] == [
        ("unanimous", 2, "50%"),
        ("majority", 1, "25%"),
        ("no majority", 1, "25%"),
    ]
    assert [rule.at for rule in found.rules] == ["66.7%", "80%"]
    assert (found.mark.low, found.mark.at, found.mark.high) == ("69%", "72%", "75%")
    assert [name for name, _ in found.figures] == ["Raw"], "what is undefined has no number to show"


def test_where_people_contradict_one_another_the_gauge_goes_below_0():
    counts = agreement_counts(np.array([[1, 1], [1, 1]]), ["a", "b"])
    found = there(gauge("α", Estimate(-0.4, -0.6, -0.1, n=2), counts, ()))
    assert found.ends == ("−1", "1")
    assert found.mark.at == "30%"
    assert gauge("α", Estimate.none("nobody"), agreement_counts(np.array([[0, 0]]), ["a", "b"]), ()) is None


def test_a_pair_is_drawn_where_both_are_known():
    one = Both("1", "A", "label", "A · label", Estimate(0.75, 0.7, 0.8, n=90), Estimate(0.6, 0.5, 0.7, n=30))
    alone = Both("2", "B", "label", "B · label", Estimate(0.5, 0.4, 0.6, n=80), Estimate.none("none is divided"))
    found = there(pairs([one, alone], names=("all agree", "divided"), constant=0.5))
    assert (found.rows[0].filled.at, found.rows[0].hollow.at, found.constant) == ("75%", "60%", "50%")
    assert (found.rows[1].hollow, found.rows[1].numbers) == (None, (".50", "–"))
    assert found.sizes == (90, 30)
    assert pairs([alone], names=("all agree", "divided")) is None
