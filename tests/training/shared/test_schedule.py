"""The learning rate, worked out by hand."""

from training.shared.schedule import Schedule


def test_up_level_and_down():
    schedule = Schedule.of_steps(peak=1.0, warm_up=4, steps=20, cool_down=0.25)
    assert schedule.cools_from == 15
    assert [schedule.rate(step) for step in (0, 1, 3, 4, 14)] == [0.25, 0.5, 1.0, 1.0, 1.0]
    # Five steps down: 5/6, 4/6 … 1/6, so that none is lost at 0.
    assert [round(6 * schedule.rate(step), 6) for step in range(15, 20)] == [5, 4, 3, 2, 1]


def test_a_cool_down_of_all_steps_falls_all_along_after_the_warm_up():
    schedule = Schedule.of_steps(peak=1.0, warm_up=4, steps=20, cool_down=1.0)
    assert schedule.cools_from == 4
    rates = [schedule.rate(step) for step in range(3, 20)]
    assert rates == sorted(rates, reverse=True)
    assert len(set(rates)) == 17


def test_the_clock_sets_the_end_when_the_last_share_of_its_minutes_has_come():
    level = Schedule(1.0, 4)
    assert level.ended_after(90, seconds=479, minutes=10, cool_down=0.2) is level
    ended = level.ended_after(90, seconds=480, minutes=10, cool_down=0.2)
    # 480 seconds for 90 steps leave 120 seconds for 22.5.
    assert (ended.cools_from, ended.steps) == (90, 112)
    assert ended.ended_after(95, seconds=900, minutes=10, cool_down=0.2) is ended
    assert level.rate(5000) == 1.0


def test_when_the_time_is_over_there_is_still_a_step_down():
    ended = Schedule(1.0, 4).ended_after(10, seconds=700, minutes=10, cool_down=0.2)
    assert (ended.cools_from, ended.steps) == (10, 11)
