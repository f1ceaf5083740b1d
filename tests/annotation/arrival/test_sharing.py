"""Places that are scarce are shared between internet addresses: what a program with ever new ids holds, and a class."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import F

from annotation.arrival.links import limit
from annotation.assignment import finish
from annotation.models import Assignment, Item, Sitting
from annotation.platforms import Outcome
from tests.annotation.arrival.coming import all_hold_on, begin_many, pass_minutes, ten_places
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import open_whole
from tests.studies import open_small_study, plausibility_row, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def starts_are_limited(settings) -> None:
    settings.STARTS_PER_ADDRESS = 120


def from_address(number: int) -> Bot:
    visitor = Bot()
    visitor.client.defaults["REMOTE_ADDR"] = f"192.0.2.{number}"
    return visitor


def begin_from_one_address(link: str, many: int, *, ids: str = "invented") -> list[Bot]:
    """As `begin_many` does, but by test's own address, with visitors to go on with."""
    visitors = [Bot() for _ in range(many)]
    for number, visitor in enumerate(visitors):
        visitor.begin(f"{link}?PROLIFIC_PID={ids}{number}")
    return visitors


@pytest.mark.parametrize("limited_by", ["max_starts", "labels_per_item", "max_unanswered"])
def test_one_address_holds_no_more_than_others_want(tmp_path: Path, limited_by: str) -> None:
    """A program with ever new ids holds all there is for as long as nobody else comes, and one place afterwards."""
    limits = {"labels_per_item": 50, "max_starts": 0, "max_unanswered": 0, limited_by: 5}
    study = open_small_study(tmp_path, plausibility_rows(6), collection={"sitting_length": 6, **limits})
    link = study.links.get().get_absolute_url()
    invented = begin_from_one_address(link, 6)
    assert [visitor.page.status for visitor in invented] == [200] * 5 + [429]
    pass_minutes(4)
    people = [from_address(number) for number in range(4)]
    for number, person in enumerate(people):
        assert person.open(f"{link}?PROLIFIC_PID=person{number}").status == 200, "they are let in at the first page too"
        assert person.begin(f"{link}?PROLIFIC_PID=person{number}").status == 200
        assert {visitor.open(visitor.page.address).status for visitor in invented[:5]} <= {200, 429}
        assert set(begin_many(link, 6)) <= {200, 429}
    assert Sitting.objects.filter(state="active").count() == 5
    assert {person.finish().status for person in people} == {200}


def practiced(folder: Path, places: int) -> str:
    """The link of a study that begins with practice."""
    rows = [*plausibility_rows(6), plausibility_row(1, kind="practice", reference="impossible")]
    study = open_small_study(folder, rows, collection={"labels_per_item": places, "sitting_length": 6})
    return study.links.get().get_absolute_url()


def test_of_an_address_that_rushes_who_has_answered_nothing_gives_way_soon(tmp_path: Path) -> None:
    """Whatever they practice, whatever signs of life they give, and however often they take the instructions up."""
    link = practiced(tmp_path, 10)
    invented = begin_from_one_address(link, 90)[:10]
    for number, visitor in enumerate(invented):
        visitor.answer()
        visitor.begin(f"{link}?PROLIFIC_PID=invented{number}")
    all_hold_on()
    assert from_address(1).begin(f"{link}?PROLIFIC_PID=person1").status == 429, "it may be a class"
    Assignment.objects.update(shown_at=F("shown_at") - timedelta(minutes=3))
    statuses = [from_address(2).begin(f"{link}?PROLIFIC_PID=pupil{number}").status for number in range(6)]
    assert statuses == [200] * 6, "also to a class that comes"


@pytest.mark.parametrize(("begun", "status"), [(4, 200), (1, 429)])
def test_one_place_is_kept_by_who_waited_for_it_and_by_no_rush(tmp_path: Path, begun: int, status: int) -> None:
    """A silent id after the other takes the only place; or somebody has come again and again until it was theirs."""
    link = practiced(tmp_path, 1)
    for number in range(begun):
        Sitting.objects.filter(state="active").update(state="lapsed")
        Assignment.objects.update(state="released")
        Item.objects.update(reserved=0)
        assert from_address(1).begin(f"{link}?PROLIFIC_PID=invented{number}").status == 200
    for number in range(70):
        from_address(1).begin(f"{link}?PROLIFIC_PID=more{number}")
    pass_minutes(2)
    assert from_address(2).begin(f"{link}?PROLIFIC_PID=person").status == status


def test_nobody_of_a_class_that_works_is_displaced(tmp_path: Path) -> None:
    """They practice, or think about an item for a minute; others who come wait, and are not told that it is full."""
    link = practiced(tmp_path, 10)
    pupils = begin_from_one_address(link, 12)
    for pupil in pupils[:5]:
        pupil.answer()
    pass_minutes(1)
    assert [from_address(number).begin(f"{link}?PROLIFIC_PID=other{number}").status for number in range(9)] == [429] * 9
    assert Sitting.objects.filter(state="active").count() == 10
    assert not Sitting.objects.filter(state="lapsed").exists()


def test_who_stands_before_the_items_has_a_share_too(tmp_path: Path) -> None:
    """Else each id that an address brings to the consent would be its first, and displace somebody."""
    study = open_whole(tmp_path / "whole")
    study.items.update(target=20)
    link = study.links.get()
    limit(link, 4)
    door = link.get_absolute_url()
    for number in range(4):
        Walker().reaches_items(f"{door}?annotator=pupil{number}")
    pass_minutes(4)
    statuses = [walker_from(1).begin(f"{door}?annotator=invented{number}").status for number in range(3)]
    assert statuses == [200, 429, 429]
    assert Sitting.objects.filter(state="lapsed").count() == 1


@pytest.mark.parametrize(("answers", "minutes"), [(1, 4), (3, 4)])
def test_who_works_keeps_their_place_also_beside_many_of_their_address(
    tmp_path: Path, answers: int, minutes: int
) -> None:
    """A class that works is displaced by nobody; of who has stopped in it, the first gives way sooner than alone."""
    link = ten_places(tmp_path).links.get().get_absolute_url()
    for pupil in begin_from_one_address(link, 10):
        for _ in range(answers):
            pupil.answer()
    other = from_address(1)
    assert other.begin(f"{link}?PROLIFIC_PID=other").status == 429, "places may come free soon"
    pass_minutes(minutes)
    assert other.begin(f"{link}?PROLIFIC_PID=other").status == 200


def test_a_program_throws_few_of_a_class_out(tmp_path: Path) -> None:
    """Pupils who still practice, or think for minutes about an item, give way to the first of another address alone."""
    link = ten_places(tmp_path, max_starts=10).links.get().get_absolute_url()
    begin_from_one_address(link, 10, ids="pupil")
    pass_minutes(4)
    let_in = []
    for number in range(12):
        let_in.append(from_address(1).begin(f"{link}?PROLIFIC_PID=invented{number}").status == 200)
    assert sum(let_in) == 1, "it holds one place already"
    finish(Sitting.objects.latest("pk"), Outcome.WITHDRAWN)
    for number in range(6):
        begin_from_one_address(link, 1, ids=f"late{number}-")
        let_in.append(from_address(1).begin(f"{link}?PROLIFIC_PID=more{number}").status == 200)
        if let_in[-1]:
            finish(Sitting.objects.latest("pk"), Outcome.WITHDRAWN)
    assert sum(let_in) == 3, "of who comes again and again nobody is let in ahead of others"


def test_two_of_one_household_have_four_minutes(tmp_path: Path) -> None:
    link = ten_places(tmp_path, max_starts=2).links.get().get_absolute_url()
    begin_from_one_address(link, 2)
    other = from_address(1)
    assert other.begin(f"{link}?PROLIFIC_PID=other").status == 429
    pass_minutes(4)
    assert other.begin(f"{link}?PROLIFIC_PID=other").status == 200


def test_practice_holds_nothing_for_a_household_for_long(tmp_path: Path) -> None:
    link = practiced(tmp_path, 2)
    two = begin_from_one_address(link, 2)
    pass_minutes(4)
    for visitor in two:
        visitor.answer()
    other = from_address(1)
    assert other.begin(f"{link}?PROLIFIC_PID=other").status == 429
    Assignment.objects.update(shown_at=F("shown_at") - timedelta(minutes=6))
    assert other.begin(f"{link}?PROLIFIC_PID=other").status == 200


def test_a_crowded_address_takes_nothing_from_who_is_still(tmp_path: Path) -> None:
    """Somebody reads for six minutes: their place is not for a program that holds as many, but for somebody else."""
    link = ten_places(tmp_path, max_starts=2).links.get().get_absolute_url()
    reader = from_address(1)
    reader.begin(f"{link}?PROLIFIC_PID=reader")
    worker = begin_from_one_address(link, 1)[0]
    worker.answer()
    pass_minutes(6)
    assert begin_many(link, 3) == [429] * 3
    for number in range(3):
        finish(Sitting.objects.latest("pk"), Outcome.WITHDRAWN)
        begin_from_one_address(link, 1, ids=f"again{number}-")
    finish(Sitting.objects.latest("pk"), Outcome.WITHDRAWN)
    from_address(3).begin(f"{link}?PROLIFIC_PID=third")
    assert begin_many(link, 1) == [429], "also where it holds nothing, after several starts"
    assert reader.answer().status == 200
    pass_minutes(11)
    assert from_address(2).begin(f"{link}?PROLIFIC_PID=other").status == 200


def test_reading_takes_one_place_from_those_who_come_from_elsewhere(tmp_path: Path) -> None:
    """Before the items nobody can be made to give way: whoever stands there in crowds counts once for others."""
    study = open_whole(tmp_path / "whole")
    link = study.links.get()
    limit(link, 3)
    door = link.get_absolute_url()
    statuses = [Walker().begin(f"{door}?annotator=invented{number}").status for number in range(4)]
    assert statuses == [200, 200, 200, 429]
    for number, status in ((1, 200), (2, 200), (3, 429)):
        assert walker_from(number).begin(f"{door}?annotator=person{number}").status == status
    Sitting.objects.filter(origin=Sitting.objects.earliest("pk").origin).update(
        outcome="no_consent", state="finished", origin=""
    )
    Walker().begin(f"{door}?annotator=again")
    assert walker_from(3).begin(f"{door}?annotator=person3").status == 200, "of who begins again and again none counts"


def walker_from(number: int) -> Walker:
    walker = Walker()
    walker.client.defaults["REMOTE_ADDR"] = f"192.0.2.{number}"
    return walker


def test_an_origin_is_kept_until_the_sitting_ends(tmp_path: Path) -> None:
    study = ten_places(tmp_path)
    visitor = from_address(1)
    visitor.begin(study.links.get().get_absolute_url())
    kept = Sitting.objects.get().origin
    assert len(kept) == 32
    assert "192.0.2.1" not in kept
    visitor.finish()
    assert Sitting.objects.get().origin == ""
