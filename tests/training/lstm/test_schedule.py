"""When a training slows down and ends, worked by hand."""

from dataclasses import asdict

import pytest

from training.lstm.settings import Settings, settings_of
from training.lstm.training import Cooling, begun, is_over, planned, rate

PLAIN = Settings(rate=0.4, warmup=3)


def test_the_rate_rises_stays_and_falls_in_a_line_to_0():
    cooling = Cooling(6, 10, "steps")
    found = [rate(PLAIN, cooling, step) for step in range(11)]
    assert found == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.4, 0.4, 0.4, 0.3, 0.2, 0.1, 0.0])
    assert rate(PLAIN, None, 1000) == 0.4


def test_a_number_of_steps_is_planned_from_the_beginning():
    assert planned(Settings(steps=100)) == Cooling(75, 100, "steps")
    assert planned(Settings(steps=1)) == Cooling(1, 1, "steps")
    assert planned(Settings()) is None
    # Too few to fall in: full up to the end, and 0 behind it.
    few = Settings(steps=3, rate=0.4, warmup=0)
    assert [rate(few, planned(few), step) for step in range(4)] == [0.4, 0.4, 0.4, 0.0]


@pytest.mark.parametrize(
    ("told", "where", "why"),
    [
        ({}, {"waited": 3}, None),
        ({}, {"waited": 4}, "no gain"),
        ({"epochs": 4}, {"epochs": 2.9}, None),
        ({"epochs": 4}, {"epochs": 3.0}, "epochs"),
        ({"minutes": 10.0}, {"seconds": 431}, None),
        ({"minutes": 10.0}, {"seconds": 432}, "minutes"),
        ({}, {"seconds": 1e9}, None),
    ],
)
def test_it_begins_to_cool_down_by_gain_passes_or_clock(told, where, why):
    found = begun(Settings(**told), **{"step": 300, "epochs": 0.0, "seconds": 0.0, "waited": 0} | where)
    assert found == (Cooling(300, 400, why) if why else None)


def test_it_ends_with_the_line_or_the_time():
    cooling = Cooling(75, 100, "steps")
    assert not is_over(PLAIN, cooling, step=99, seconds=1e9)
    assert is_over(PLAIN, cooling, step=100, seconds=0)
    assert not is_over(PLAIN, None, step=10**9, seconds=1e9)
    assert is_over(Settings(minutes=1), None, step=1, seconds=60)


def test_settings_that_do_not_fit_each_other_are_refused():
    told = asdict(Settings())
    assert settings_of(told) == Settings()
    with pytest.raises(ValueError, match="must rise"):
        settings_of(told | {"cutoffs": [10, 10]})
    with pytest.raises(ValueError, match="not both"):
        settings_of(told | {"steps": 5, "minutes": 1.0})
