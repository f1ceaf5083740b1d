"""Pictures of collecting: marks add up to what they show, and lie where it is."""

from datetime import date

import numpy as np
import pytest

from comparison.page.drawn.histogram import BINS, histogram
from comparison.statistics.response_times import times_of
from researcher.collecting.drawn import COLUMNS, curve, stack
from researcher.collecting.totals import Collection, Day


def test_a_curve_ends_at_what_counts_and_goes_on_to_the_target():
    days = (Day(date(2026, 11, 14), 60, 50), Day(date(2026, 11, 15), 30, 30))
    found = curve(Collection(days, 20, 10), target=180, ends=[date(2026, 11, 17)])
    assert found is not None
    assert (found.counted, found.target, found.busiest) == (90, 180, 60)
    x, y = (float(one) for one in found.path.split(" L")[-1].split(","))
    assert x == 50.0, "two of four days"
    assert y == pytest.approx(100 - 100 * 90 / (180 * 1.08), abs=0.01)
    assert found.ahead.split(" L")[1].startswith("100.0,")
    assert [(bar.kind, round(bar.height)) for bar in found.bars] == [
        ("bar-people", round(COLUMNS * 50 / 60)),
        ("bar-none", round(COLUMNS * 10 / 60)),
        ("bar-people", COLUMNS // 2),
    ]
    assert [tick.words for tick in found.ticks] == ["14 Nov", "15", "16", "17"]


def test_one_day_is_no_wider_than_a_quarter_and_the_curve_rises_on_it():
    day = Day(date(2026, 11, 14), 50, 40)
    found = curve(Collection((day,), 0, 0), target=40, ends=[])
    assert found is not None
    assert [bar.width for bar in found.bars] == [16.0, 16.0]
    assert [tick.words for tick in found.ticks][-1] in ("14", "14 Nov")
    assert (found.first, found.last) == (day.day, day.day)
    points = [one.split(",") for one in found.path.removeprefix("M").split(" L")]
    assert [float(x) for x, _ in points] == [0.0, 75.0, 100.0]
    assert points[0][1] == points[1][1], "flat until then"


def test_nothing_is_drawn_ahead_of_a_study_that_is_complete():
    found = curve(Collection((Day(date(2026, 11, 14), 5, 5),), 0), target=5, ends=[])
    assert found is not None and found.ahead == ""
    assert curve(Collection((), 0), target=5, ends=[]) is None


def test_a_stack_has_every_item_once():
    found = stack((7, 2, 0), 12)
    assert found is not None
    assert [(one.name, one.count) for one in found.shares] == [
        ("unanimous", 7),
        ("by majority", 2),
        ("labels missing", 3),
    ]
    assert sum(one.width for one in found.shares) == pytest.approx(100, abs=0.05)
    assert stack((0, 0, 0), 12) is None


def test_a_histogram_puts_excluded_annotators_on_top():
    times = times_of(np.repeat([1, 2], [4, 4]), np.repeat([4000, 4000], 4), excluded=[2])
    assert times is not None and (sum(times.counted), sum(times.excluded)) == (4, 4)
    found = histogram(times, floor_ms=800)
    assert [(bar.kind, bar.height) for bar in found.bars] == [("bar-people", BINS / 2), ("bar-none", BINS / 2)]
    assert found.bars[0].x < found.median.x < found.bars[0].x + found.bars[0].width
    assert found.floor is not None and found.floor.x < found.median.x


def test_times_beyond_both_ends_are_in_the_bins_at_the_ends():
    times = times_of(np.array([1, 1]), np.array([1, 10_000_000]))
    assert times is not None and (times.counted[0], times.counted[-1]) == (1, 1)


def test_the_median_is_written_inside_the_picture():
    for milliseconds, anchor in ((100, "start"), (4_000, "middle"), (110_000, "end")):
        times = times_of(np.array([1]), np.array([milliseconds]))
        assert times is not None and histogram(times, floor_ms=None).median.anchor == anchor
