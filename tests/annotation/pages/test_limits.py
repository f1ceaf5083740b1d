"""How many may begin by one link and from one address, and what the researcher sees of it."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis.exceptions import ConnectionError as NoServer

from annotation.arrival.limits import _key, address_of, counted_start, origin_of, turned_away
from annotation.arrival.links import limit, make_link
from annotation.arrival.refusals import LinkFull, TooManyAtOnce
from annotation.assignment import finish
from annotation.models import Annotator, Sitting, Study
from annotation.platforms import Outcome
from tests.annotation.arrival.coming import begin_many, ten_places, work_through
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.whole import open_whole
from tests.studies import declare, open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_a_link_that_is_full_lets_nobody_else_begin(study: Study, link: str) -> None:
    limit(study.links.get(), 2)
    work_through(link, 2)
    assert {Bot().begin(f"{link}?PROLIFIC_PID=late{number}").status for number in range(2)} == {403}
    assert study.links.get().starts == 2
    assert Annotator.objects.count() == 2, "of those who are turned away nothing is kept"


def test_whoever_has_begun_by_a_full_link_goes_on(study: Study, link: str, bot: Bot) -> None:
    limit(study.links.get(), 1)
    assert "1 of 7" in bot.begin(link).text
    assert study.links.get().starts == 1


@pytest.mark.slow
def test_another_link_is_not_full(study: Study, link: str) -> None:
    limit(study.links.get(), 1)
    begin_many(link, 2)
    other = make_link(study)
    assert Bot().begin(other.get_absolute_url()).status == 200


@pytest.mark.slow
def test_the_studys_limit_is_that_of_links_without_one(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(9), collection={"max_starts": 1})
    link = study.links.get()
    work_through(link.get_absolute_url(), 1)
    assert Bot().begin(link.get_absolute_url()).status == 403
    limit(link, 0)
    assert Bot().begin(link.get_absolute_url()).status == 200


@pytest.mark.slow
def test_sittings_without_an_answer_hold_only_so_many_items(study: Study, link: str) -> None:
    declare(max_unanswered=2)
    first = Bot()
    first.begin(link)
    assert begin_many(link, 2) == [200, 429]
    first.answer()
    assert Bot().begin(link).status == 200


@pytest.mark.slow
def test_the_last_places_of_a_study_are_given_out_too(tmp_path: Path) -> None:
    study = ten_places(tmp_path)
    study.items.update(target=2)
    assert begin_many(study.links.get().get_absolute_url(), 3) == [200, 200, 429]


@pytest.mark.slow
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
    assert begin_many(door, 2) == [200, 429], "whoever stands at the consent may leave"
    Sitting.objects.filter(state="active").update(started_at=timezone.now() - timedelta(hours=2))
    assert Bot().begin(door).status == 200, "whoever left at the consent is not waited for"


@pytest.mark.slow
def test_no_limit_lets_any_number_begin(tmp_path: Path) -> None:
    study = ten_places(tmp_path, max_unanswered=0)
    assert begin_many(study.links.get().get_absolute_url(), 11) == [200] * 10 + [429]


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_refused_start_takes_no_place(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(5), collection={"labels_per_item": 1})
    address = study.links.get().get_absolute_url()
    assert [Bot().begin(address).status for _ in range(2)] == [200, 429]
    assert study.links.get().starts == 1


class TestAddress:
    @pytest.mark.slow
    def test_as_many_begin_from_one_as_may(self, link: str, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 2
        assert begin_many(link, 3) == [200, 200, 429]
        elsewhere = Bot()
        elsewhere.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
        assert elsewhere.begin(link).status == 200

    @pytest.mark.slow
    def test_who_tries_too_often_costs_no_transaction(self, tmp_path: Path, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 4
        study = open_small_study(tmp_path, plausibility_rows(5), collection={"labels_per_item": 1})
        link = study.links.get().get_absolute_url()
        tries = [self.writes_of(link) for _ in range(6)]
        assert [status for status, _ in tries] == [303, 429, 429, 429, 429, 429]
        assert [writes for _, writes in tries] == [True, True, True, True, False, False]

    def test_a_refused_start_is_not_counted(self, study: Study, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 2
        link, request = study.links.get(), RequestFactory().post("/")
        for _ in range(2):
            with pytest.raises(LinkFull), counted_start(request, link):
                raise LinkFull
        cache.delete(f"{_key(link, origin_of(request, study))}:tries")
        with counted_start(request, link):
            pass
        with pytest.raises(TooManyAtOnce), counted_start(request, link), counted_start(request, link):
            pass

    @staticmethod
    def writes_of(link: str) -> tuple[int, bool]:
        with CaptureQueriesContext(connection) as asked:
            status = Client().post(link).status_code
        return status, any("annotator" in query["sql"] and "INSERT" in query["sql"] for query in asked)

    @pytest.mark.slow
    def test_going_on_is_no_start(self, link: str, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 1
        visitor = Bot()
        assert [visitor.begin(link).status for _ in range(3)] == [200, 200, 200]

    @pytest.mark.slow
    def test_zero_is_any_number(self, link: str, settings: Settings) -> None:
        settings.STARTS_PER_ADDRESS = 0
        assert begin_many(link, 2) == [200, 200]

    def test_no_address_is_stored(self, link: str, monkeypatch: pytest.MonkeyPatch) -> None:
        keys: list[str] = []
        count = cache.incr

        def counted(key: str) -> int:
            keys.append(key)
            return count(key)

        monkeypatch.setattr(cache, "incr", counted)
        visitor = Bot()
        visitor.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
        visitor.begin(link)
        assert len(keys) == 2
        assert "192.0.2.7" not in "".join(keys)
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


@pytest.mark.slow
def test_who_is_turned_away_is_counted_by_reason(study: Study, link: str) -> None:
    first = study.links.get()
    limit(first, 1)
    work_through(link, 1)
    for late in ("p1", "p2"):
        Bot().begin(f"{link}?PROLIFIC_PID={late}")
    Bot().open(f"{link}?PROLIFIC_PID={{{{id}}}}")
    Bot().open(f"{link}?PROLIFIC_PID=p0")
    assert turned_away([first]) == {
        first.pk: {"the link is full": 2, "a placeholder for an ID": 1, "started in another browser": 1}
    }
