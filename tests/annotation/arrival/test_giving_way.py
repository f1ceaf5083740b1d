"""Who gives way to whom when a study or a link has nothing left, and what becomes of those who did."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import F

from annotation.arrival.links import limit
from annotation.models import Assignment, Sitting
from annotation.recording import record
from tests.annotation.arrival.coming import all_hold_on, begin_many, pass_minutes, ten_places
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import RIGHT, open_whole
from tests.studies import open_small_study, plausibility_row, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def any_number_from_one_address(settings) -> None:
    settings.STARTS_PER_ADDRESS = 0


@pytest.mark.parametrize(("answers", "held"), [(0, 5), (1, 10)])
def test_who_has_hardly_begun_and_is_still_gives_way(tmp_path: Path, answers: int, held: int) -> None:
    """However often they say that they are there: between two answers that counts once."""
    link = ten_places(tmp_path).links.get().get_absolute_url()
    for _ in range(10):
        visitor = Bot()
        visitor.begin(link)
        for _ in range(answers):
            visitor.answer()
    assert begin_many(link, 1) == [429], "they may come on"
    pass_minutes(held - 1)
    all_hold_on()
    pass_minutes(held - 1)
    all_hold_on()
    assert begin_many(link, 1) == [429], "once they are waited for"
    pass_minutes(2)
    all_hold_on()
    assert begin_many(link, 11) == [200] * 10 + [429]
    assert Sitting.objects.filter(state="lapsed").count() == 10


@pytest.mark.parametrize(("answers", "waits", "comes_in"), [(0, [0, 1, 4], 6), (1, [0, 1, 6, 9], 11)])
@pytest.mark.parametrize("limited_by", ["labels_per_item", "max_starts"])
def test_the_second_for_one_place_reads_when_it_may_come_free_and_then_gets_in(
    tmp_path: Path, limited_by: str, answers: int, waits: list[int], comes_in: int
) -> None:
    """The first opens the study, answers nothing or once, and is still."""
    link = ten_places(tmp_path, **{limited_by: 1}).links.get().get_absolute_url()
    first, second = Bot(), Bot()
    second.client.defaults["REMOTE_ADDR"] = "192.0.2.1"
    first.begin(f"{link}?PROLIFIC_PID=first")
    for _ in range(answers):
        first.answer()
    passed = 0
    for minute in waits:
        pass_minutes(minute - passed)
        passed = minute
        page = second.begin(f"{link}?PROLIFIC_PID=second")
        assert page.status == 429
        assert "All places are taken right now. One may open up within 10 minutes." in page.text
    pass_minutes(comes_in - passed)
    page = second.begin(f"{link}?PROLIFIC_PID=second")
    assert (page.status, page.has_item) == (200, True)
    assert second.finish().status == 200


def test_revising_is_no_new_answer(tmp_path: Path) -> None:
    link = ten_places(tmp_path).links.get().get_absolute_url()
    stubborn = Bot()
    stubborn.begin(link)
    stubborn.answer()
    begin_many(link, 9)
    for value in ("more_likely", "impossible", "more_likely"):
        pass_minutes(4)
        record(Sitting.objects.order_by("pk")[0], 1, value)
    assert begin_many(link, 10) == [200] * 10


def test_practice_is_no_answer(tmp_path: Path) -> None:
    rows = [*plausibility_rows(6), plausibility_row(1, kind="practice", reference="impossible")]
    study = open_small_study(tmp_path, rows, collection={"labels_per_item": 10, "max_unanswered": 2})
    link = study.links.get().get_absolute_url()
    for _ in range(2):
        visitor = Bot()
        visitor.begin(link)
        visitor.answer()
    assert set(Sitting.objects.values_list("has_answered", flat=True)) == {False}
    assert begin_many(link, 1) == [429]


def test_who_gave_way_goes_on_when_the_other_is_still(tmp_path: Path) -> None:
    """Their label counts; meanwhile they may wait, and then the other gives way to them in turn."""
    study = ten_places(tmp_path)
    link = study.links.get().get_absolute_url()
    first = Bot()
    first.begin(link)
    begin_many(link, 9)
    pass_minutes(6)
    assert begin_many(link, 10) == [200] * 10
    assert first.answer().status == 429
    sitting = Sitting.objects.order_by("pk")[0]
    assert (sitting.state, sitting.assignments.get(position=1).state) == ("lapsed", "surplus")
    pass_minutes(6)
    assert "2 of 6" in first.open(first.page.address).text
    assert sitting.assignments.get(position=1).state == "counted", "a slot of it has come free"
    assert all(item.counted + item.reserved <= item.target for item in study.items.all())


@pytest.mark.parametrize("answers", [0, 1])
def test_checks_alone_are_not_taken_back(tmp_path: Path, answers: int) -> None:
    """They are always to be had: whoever gave way waits for a target, or takes up all that is left with it."""
    study = open_small_study(
        tmp_path,
        plausibility_rows(4, attention=2),
        collection={"labels_per_item": 1, "sitting_length": 4, "attention_per_sitting": 2},
        quality={"max_attention_failures": 9},
    )
    link = study.links.get().get_absolute_url()
    first = Bot()
    first.begin(link)
    for _ in range(answers):
        first.answer()
    pass_minutes(11)
    assert begin_many(link, 1) == [200]
    page = first.open(first.page.address)
    assert (page.status, bool(page.links)) == (429, False)
    assert ("Your answers are saved" in page.text) == bool(answers)
    pass_minutes(11)
    if not first.open(first.page.address).has_item:
        first.post()  # They have been away for long, so the instructions come first.
    first.finish()
    assert Sitting.objects.order_by("pk")[0].outcome == "completed"


def test_who_reads_the_consent_for_long_waits_for_a_place(tmp_path: Path) -> None:
    study = open_whole(tmp_path / "whole")
    link = study.links.get()
    limit(link, 1)
    slow, quick = Walker(), Walker()
    slow.begin(link.get_absolute_url())
    slow.consents()
    Sitting.objects.update(started_at=F("started_at") - timedelta(minutes=6))
    quick.reaches_items(link.get_absolute_url())
    slow.post()
    assert slow.post(**RIGHT).status == 429
    pass_minutes(6)
    slow.open(slow.page.address)
    assert "Practice 1 of 2" in slow.post().text


def test_a_label_that_came_late_counts_when_somebody_declines(tmp_path: Path) -> None:
    study = open_small_study(
        tmp_path,
        plausibility_rows(1),
        collection={"labels_per_item": 1, "sitting_length": 1},
        page={"cannot_judge": True},
    )
    link = study.links.get().get_absolute_url()
    first, second = Bot(), Bot()
    first.begin(link)
    pass_minutes(6)
    second.begin(link)
    first.answer()
    assert Assignment.objects.filter(state="surplus").exists()
    record(Sitting.objects.order_by("pk")[1], 1, None)
    assert set(Assignment.objects.values_list("state", flat=True)) == {"counted", "declined"}
    assert study.items.get().counted == 1


def test_who_is_just_back_is_waited_for(tmp_path: Path) -> None:
    link = ten_places(tmp_path).links.get().get_absolute_url()
    first = Bot()
    first.begin(link)
    first.answer()
    begin_many(link, 9)
    pass_minutes(61)
    first.open(first.page.address)
    assert Sitting.objects.order_by("pk")[0].state == "active"
    begin_many(link, 20)
    assert Sitting.objects.order_by("pk")[0].state == "active"


def test_a_crowd_makes_way_also_beside_one_who_has_answered(tmp_path: Path) -> None:
    study = open_small_study(
        tmp_path, plausibility_rows(200), collection={"max_unanswered": 5, "sitting_length": 8, "labels_per_item": 1}
    )
    link = study.links.get().get_absolute_url()
    visitor = Bot()
    visitor.begin(link)
    visitor.answer()
    begin_many(link, 5)
    assert begin_many(link, 1) == [429]
    pass_minutes(6)
    assert begin_many(link, 6) == [200] * 5 + [429]


def test_who_comes_back_is_one_of_the_crowd_again(tmp_path: Path) -> None:
    study = open_small_study(
        tmp_path, plausibility_rows(200), collection={"max_unanswered": 2, "sitting_length": 8, "labels_per_item": 1}
    )
    link = study.links.get().get_absolute_url()
    first = [Bot(), Bot()]
    for visitor in first:
        visitor.begin(link)
    pass_minutes(6)
    assert begin_many(link, 2) == [200, 200]
    assert [visitor.open(visitor.page.address).status for visitor in first] == [429, 429]
    assert Sitting.objects.unanswered().count() == 2


def test_a_full_links_places_come_free_too(tmp_path: Path) -> None:
    study = ten_places(tmp_path)
    link = study.links.get()
    limit(link, 2)
    door = link.get_absolute_url()
    first = [Bot(), Bot()]
    for visitor in first:
        visitor.begin(door)
    assert begin_many(door, 1) == [429]
    pass_minutes(6)
    all_hold_on()
    pass_minutes(6)
    for number in range(2):
        other = Bot()
        other.begin(f"{door}?annotator=other-{number}")
        other.finish()
    assert begin_many(door, 1) == [403]
    for visitor in first:
        visitor.open(visitor.page.address)
    assert Sitting.objects.filter(outcome="completed").count() == 2, "as many as the link was for"


def test_nobody_gives_way_for_nothing(tmp_path: Path) -> None:
    """Whoever has had every item gets none, and takes none from others."""
    study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 2, "sitting_length": 2})
    link = study.links.get().get_absolute_url()
    done = Bot()
    done.begin(f"{link}?annotator=done")
    done.finish()
    other = Bot()
    other.begin(f"{link}?annotator=other")
    pass_minutes(6)
    assert done.begin(f"{link}?annotator=done").status == 409
    assert Sitting.objects.order_by("pk").last().state == "active"  # type: ignore[union-attr]


def test_who_can_take_nothing_back_displaces_nobody(tmp_path: Path) -> None:
    """The link is full, and their only item is done by others: they end, and who is idle keeps the place."""
    study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 1, "sitting_length": 1})
    link = study.links.get()
    first, other = Bot(), Bot()
    first.begin(link.get_absolute_url())
    pass_minutes(61)
    study.items.filter(reserved=1).update(reserved=0, counted=1)
    Assignment.objects.update(state="released")
    Sitting.objects.update(state="lapsed")
    other.begin(link.get_absolute_url())
    limit(link, 1)
    pass_minutes(6)
    first.open(first.page.address)
    assert [*Sitting.objects.order_by("pk").values_list("state", flat=True)] == ["finished", "active"]


def test_whoever_is_well_under_way_keeps_what_is_theirs(tmp_path: Path) -> None:
    link = ten_places(tmp_path).links.get().get_absolute_url()
    for _ in range(10):
        visitor = Bot()
        visitor.begin(link)
        for _ in range(2):
            visitor.answer()
    pass_minutes(9)
    assert begin_many(link, 1) == [409]


def test_a_link_whose_places_may_come_free_is_not_said_to_be_full(tmp_path: Path) -> None:
    link = ten_places(tmp_path, max_starts=2).links.get().get_absolute_url()
    begin_many(link, 2)
    waiting = Bot()
    page = waiting.open(f"{link}?PROLIFIC_PID=new")
    assert page.status == 429
    assert "right now" in page.text
    assert "This link has reached its limit" not in page.text
