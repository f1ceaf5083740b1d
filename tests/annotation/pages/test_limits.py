"""How many may begin by one link and from one address, and what the researcher sees of it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import RequestFactory
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis.exceptions import ConnectionError as NoServer

from annotation.arrival.limits import address_of
from annotation.arrival.turned_away import turned_away
from annotation.assignment import finish, hold_on
from annotation.linking import limit, make_link
from annotation.models import Annotator, Assignment, Sitting, Study
from annotation.platforms.outcome import Outcome
from annotation.recording import record
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import RIGHT, open_whole
from tests.studies import open_small_study, plausibility_row, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def begin_many(link: str, many: int) -> list[int]:
    return [Bot().begin(f"{link}?PROLIFIC_PID=p{number}").status for number in range(many)]


def test_a_link_that_is_full_lets_nobody_else_begin(study: Study, link: str) -> None:
    limit(study.links.get(), 2)
    assert begin_many(link, 4) == [200, 200, 403, 403]
    assert study.links.get().starts == 2
    assert Annotator.objects.count() == 2, "of those who are turned away nothing is kept"


def test_whoever_has_begun_by_a_full_link_goes_on(study: Study, link: str, bot: Bot) -> None:
    limit(study.links.get(), 1)
    assert "1 of 7" in bot.begin(link).text
    assert study.links.get().starts == 1


def test_another_link_is_not_full(study: Study, link: str) -> None:
    limit(study.links.get(), 1)
    begin_many(link, 2)
    other = make_link(study)
    assert Bot().begin(other.get_absolute_url()).status == 200


def test_the_studys_limit_is_that_of_links_without_one(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(9), collection={"max_starts": 1})
    link = study.links.get()
    assert begin_many(link.get_absolute_url(), 1) == [200]
    assert Bot().begin(link.get_absolute_url()).status == 403
    limit(link, 0)
    assert Bot().begin(link.get_absolute_url()).status == 200


def test_sittings_without_an_answer_hold_only_so_many_items(study: Study, link: str) -> None:
    Study.objects.update(max_unanswered=2)
    first = Bot()
    first.begin(link)
    assert begin_many(link, 2) == [200, 429]
    first.answer()
    assert Bot().begin(link).status == 200


def ten_places(folder: Path, **collection: int) -> Study:
    return open_small_study(
        folder, plausibility_rows(6), collection={"labels_per_item": 10, "sitting_length": 6, **collection}
    )


def pass_minutes(many: int) -> None:
    """All that has happened so far was so much earlier."""
    past = timedelta(minutes=many)
    Sitting.objects.update(
        last_answer_at=F("last_answer_at") - past,
        instructed_at=F("instructed_at") - past,
        active_at=F("active_at") - past,
        lease_expires_at=F("lease_expires_at") - past,
    )


def all_hold_on() -> None:
    for sitting in Sitting.objects.filter(state="active"):
        hold_on(sitting)


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
    assert begin_many(door, 1) == [403]
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


def test_whoever_is_well_under_way_keeps_what_is_theirs(tmp_path: Path) -> None:
    link = ten_places(tmp_path).links.get().get_absolute_url()
    for _ in range(10):
        visitor = Bot()
        visitor.begin(link)
        for _ in range(2):
            visitor.answer()
    pass_minutes(9)
    assert begin_many(link, 1) == [409]


def test_the_last_places_of_a_study_are_given_out_too(tmp_path: Path) -> None:
    study = ten_places(tmp_path)
    study.items.update(target=2)
    assert begin_many(study.links.get().get_absolute_url(), 3) == [200, 200, 429]


def test_starts_that_came_to_nothing_make_room_by_the_link(tmp_path: Path) -> None:
    study = open_whole(tmp_path / "whole")
    link = study.links.get()
    limit(link, 2)
    door = link.get_absolute_url()
    for outcome in (Outcome.NO_CONSENT, Outcome.SCREENED_OUT, Outcome.COMPLETED, Outcome.FAILED_CHECKS):
        assert Bot().begin(door).status == 200
        finish(Sitting.objects.latest("pk"), outcome)
    assert Bot().begin(door).status == 403, "two have done the work"
    limit(link, 3)
    assert begin_many(door, 2) == [200, 403]
    Sitting.objects.filter(state="active").update(started_at=timezone.now() - timedelta(hours=2))
    assert Bot().begin(door).status == 200, "whoever left at the consent is not waited for"


def test_no_limit_lets_any_number_begin(tmp_path: Path) -> None:
    study = ten_places(tmp_path, max_unanswered=0)
    assert begin_many(study.links.get().get_absolute_url(), 11) == [200] * 10 + [429]


@pytest.mark.parametrize(("limit", "lease", "before"), [(50, 60, 10), (50, 5, 5), (0, 60, 60)])
def test_until_the_first_answer_the_lease_is_short(tmp_path: Path, limit: int, lease: int, before: int) -> None:
    study = ten_places(tmp_path, max_unanswered=limit, lease_minutes=lease)
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    assert minutes_left() == before
    visitor.answer()
    assert minutes_left() == lease


def minutes_left() -> int:
    return round((Sitting.objects.get().lease_expires_at - timezone.now()).total_seconds() / 60)


def test_a_refused_start_takes_no_place(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(5), collection={"labels_per_item": 1})
    address = study.links.get().get_absolute_url()
    assert [Bot().begin(address).status for _ in range(2)] == [200, 429]
    assert study.links.get().starts == 1


class TestAddress:
    def test_as_many_begin_from_one_as_may(self, link: str, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 2
        assert begin_many(link, 3) == [200, 200, 429]
        elsewhere = Bot()
        elsewhere.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
        assert elsewhere.begin(link).status == 200

    def test_going_on_is_no_start(self, link: str, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 1
        visitor = Bot()
        assert [visitor.begin(link).status for _ in range(3)] == [200, 200, 200]

    def test_zero_is_any_number(self, link: str, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 0
        assert begin_many(link, 2) == [200, 200]

    def test_no_address_is_stored(self, link: str, monkeypatch: pytest.MonkeyPatch) -> None:
        keys: list[str] = []
        monkeypatch.setattr(cache, "incr", keys.append)
        visitor = Bot()
        visitor.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
        visitor.begin(link)
        assert len(keys) == 1
        assert "192.0.2.7" not in keys[0]
        stored = [
            str(value) for model in (Annotator, Sitting) for row in model.objects.values() for value in row.values()
        ]
        assert not any("192.0.2.7" in value for value in stored)

    def test_a_cache_that_does_not_answer_stops_nobody(self, link: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def away(*_: object, **__: object) -> None:
            raise NoServer("away")

        for name in ("get", "add", "incr", "get_many"):
            monkeypatch.setattr(cache, name, away)
        assert Bot().begin(link).status == 200
        assert turned_away([]) is None

    @pytest.mark.parametrize(
        ("header", "proxy", "sent", "found"),
        [
            ("", None, {"REMOTE_ADDR": "192.0.2.7"}, "192.0.2.7"),
            ("", None, {"REMOTE_ADDR": "192.0.2.7", "HTTP_X_FORWARDED_FOR": "198.51.100.1"}, "192.0.2.7"),
            ("", None, {"REMOTE_ADDR": "::ffff:192.0.2.7"}, "192.0.2.7"),
            ("", None, {"REMOTE_ADDR": "2001:db8:1:2:aaaa::1"}, "20010db800010002/64"),
            ("", None, {"REMOTE_ADDR": ""}, None),
            ("", ("HTTP_X_FORWARDED_PROTO", "https"), {"REMOTE_ADDR": "127.0.0.1"}, None),
            ("X-Forwarded-For", None, {"HTTP_X_FORWARDED_FOR": "203.0.113.5, 192.0.2.7"}, "192.0.2.7"),
            ("X-Forwarded-For", None, {}, None),
        ],
    )
    def test_is_that_of_the_connection_or_the_one_that_the_proxy_wrote(
        self,
        settings: Settings,
        header: str,
        proxy: tuple[str, str] | None,
        sent: dict[str, str],
        found: str | None,
    ) -> None:
        settings.ADDRESS_HEADER, settings.SECURE_PROXY_SSL_HEADER = header, proxy
        assert address_of(RequestFactory().get("/", **sent)) == found  # type: ignore[arg-type]


def test_who_is_turned_away_is_counted_by_reason(study: Study, link: str) -> None:
    first = study.links.get()
    limit(first, 1)
    begin_many(link, 3)
    Bot().open(f"{link}?PROLIFIC_PID={{{{id}}}}")
    Bot().open(f"{link}?PROLIFIC_PID=p0")
    assert turned_away([first]) == {
        first.pk: {"the link is full": 2, "a placeholder for an id": 1, "begun in another browser": 1}
    }
