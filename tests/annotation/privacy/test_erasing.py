"""One person's data: whole in the export; gone after erasing, with counts that are right."""

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from annotation import privacy
from annotation.arrival.ownership import release
from annotation.arrival.visitor import personal_address
from annotation.assignment import start
from annotation.models import Annotator, Assignment, Item, Judgment, PlatformId, Sitting, Study
from annotation.paying.deciding import approve
from annotation.paying.lines import all_lines
from annotation.paying.queue import queue
from annotation.privacy import CannotErase, erase, everything_about, find_person
from annotation.simulation import simulate
from tests.annotation.pages.bot import Bot
from tests.annotation.paying.conftest import PID
from tests.studies import declare, open_small_study, person, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def door(study: Study) -> str:
    return f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(1)}"


def counts() -> tuple[int, int]:
    sums = Item.objects.aggregate(Sum("counted"), Sum("reserved"))
    return sums["counted__sum"], sums["reserved__sum"]


def test_the_export_has_it_all(study, come):
    sitting = come(1)
    come(2)
    approve(queue(study), by=None)
    found = json.loads(json.dumps(everything_about(study, sitting.annotator), cls=DjangoJSONEncoder))
    assert found["platform_id"] == PID.format(1)
    assert [one["platform_session"] for one in found["sittings"]] == ["se1"]
    answers = found["sittings"][0]["assignments"]
    assert [one["judgment"][0]["answer"] for one in answers] == list(
        Judgment.objects.filter(assignment__sitting=sitting).order_by("pk").values_list("answer", flat=True)
    )
    assert answers[0]["item"].startswith("target-")
    assert [one["payment"] for one in found["sittings"][0]["decisions"]] == ["approved"]
    assert PID.format(2) not in json.dumps(found)


def test_the_export_takes_as_many_queries_for_many_answers(study, come):
    asked = []
    for sitting in (come(1, answers=1), come(2)):
        with CaptureQueriesContext(connection) as queries:
            everything_about(study, sitting.annotator)
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_a_person_is_found_after_the_id_is_gone(study, come):
    sitting = come(1)
    PlatformId.objects.all().delete()
    assert find_person(study, f" {PID.format(1)} ") == sitting.annotator
    assert find_person(study, PID.format(2)) is None


def test_erasing_who_it_was_keeps_the_labels(study, come):
    sitting = come(1)
    before = counts()
    done = erase(study, sitting.annotator, labels=False)
    sitting.refresh_from_db()
    assert (done.labels, PlatformId.objects.exists()) == (0, False)
    assert (sitting.platform_session, sitting.platform_study, sitting.device) == ("", "", "unknown")
    assert counts() == before
    assert Judgment.objects.count() == 2


def test_erasing_labels_opens_their_slots_again(study, come):
    mine, other = come(1), come(2)
    approve(queue(study), by=None)
    done = erase(study, mine.annotator, labels=True)
    assert done.labels == 2
    assert counts() == (2, 0)
    assert sum(sum(tally.values()) for tally in Item.objects.values_list("tally", flat=True)) == 2
    assert set(Assignment.objects.values_list("sitting", flat=True)) == {other.pk}
    assert mine.decisions.count() == 1, "payment has to be accounted for"


@pytest.fixture
def other(tmp_path) -> Study:
    collection = {"platform": "prolific", "sitting_length": 2}
    return open_small_study(tmp_path / "other", plausibility_rows(4), collection=collection, slug="other")


def known(study: Study) -> set[str]:
    """What the queue, and so its export, and the person's file have of the platform's ids."""
    files = [everything_about(study, one.annotator)["platform_id"] for one in study.sittings.all()]
    return {line.given_id for line in all_lines(study, queue(study), pay=None)} | set(files)


@pytest.mark.parametrize("labels", [False, True])
def test_what_is_erased_stays_so_when_they_begin_elsewhere(study, come, other, labels):
    sitting = come(1)
    erase(study, sitting.annotator, labels=labels)
    Bot().begin(door(other))
    assert other.sittings.get().annotator == sitting.annotator, "recognized all the same"
    assert (known(study), known(other)) == ({""}, {PID.format(1)})


def test_another_study_keeps_the_id_that_they_came_to_it_by(study, come, other):
    sitting = come(1)
    Bot().begin(door(other))
    erase(study, sitting.annotator, labels=False)
    assert (known(study), known(other)) == ({""}, {PID.format(1)})


def test_a_sitting_under_way_ends(study, come):
    sitting = come(1, answers=1)
    erase(study, sitting.annotator, labels=False)
    sitting.refresh_from_db()
    assert (sitting.state, sitting.outcome) == ("finished", "withdrawn")
    assert counts() == (1, 0)


def test_whoever_comes_with_an_erased_id_gets_nothing_of_it(study, come):
    sitting = come(1)
    erase(study, sitting.annotator, labels=True)
    assert release(study, [sitting.token]) == 0
    Study.objects.update(codes={"withdrawn": "LEFT1", "completed": "DONE1"})
    page = Bot().open(door(study))
    assert page.status == 403
    assert "erased" not in page.text, "an id may be anybody's"
    assert not page.has_form
    assert not any(secret in page.html for secret in ("LEFT1", "DONE1", sitting.completion_code, sitting.token, "of 2"))
    assert Bot().open(sitting.get_absolute_url()).status == 403
    assert Sitting.objects.count() == 1


@pytest.mark.parametrize("way", ["link", "address"])
def test_their_own_browser_is_told_so_with_the_code(study, way):
    Study.objects.update(codes={"withdrawn": "LEFT1"})
    visitor, other = Bot(), Bot()
    visitor.begin(door(study))
    visitor.answer()
    sitting = Sitting.objects.get()
    cookie = sitting.browser
    erase(study, sitting.annotator, labels=False)
    erase(study, sitting.annotator, labels=True)
    page = visitor.open(door(study) if way == "link" else sitting.get_absolute_url())
    assert page.status == 410
    assert "we deleted the data that could identify you" in page.text
    assert ">LEFT1<" in page.html
    assert "of 2" not in page.text
    assert other.open(sitting.get_absolute_url()).status == 403
    assert cookie not in Sitting.objects.get().browser


def test_a_personal_link_takes_up_nothing_that_was_erased(study):
    declare(recovery=["personal_link"], signed_ids=True)
    address = personal_address(study.links.get(), PID.format(1))
    Bot().begin(address)
    erase(study, Annotator.objects.get(), labels=False)
    assert Bot().open(address).status == 403


def test_nothing_is_half_erased(study, come, monkeypatch):
    sitting = come(1)
    before = (counts(), Judgment.objects.count(), PlatformId.objects.count())

    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(privacy, "seal", fails)
    with pytest.raises(RuntimeError):
        erase(study, sitting.annotator, labels=True)
    sitting.refresh_from_db()
    assert (counts(), Judgment.objects.count(), PlatformId.objects.count()) == before
    assert sitting.platform_session == "se1"


def test_who_never_came_here_cannot_be_erased(study):
    simulate(study, counts={"careful": 1}, seed=1)
    with pytest.raises(CannotErase):
        erase(study, Annotator.objects.get(), labels=True)
    assert Sitting.objects.exists()


def test_an_excluded_persons_evidence_goes_with_their_labels(study):
    ann = person("ann")
    start(study, ann)
    study.exclusions.create(annotator=ann, rule="attention", evidence={"attention": ["answers"]})
    erase(study, ann, labels=True)
    assert not study.exclusions.exists()


def test_the_way_back_has_the_id_that_they_bring_along(tmp_path):
    addresses = {"withdrawn": "https://panel.example/end?status=withdrawn&id={id}", "home": "https://panel.example/"}
    study = open_small_study(
        tmp_path, plausibility_rows(9), collection={"platform": "panel"}, **{"return": addresses}, slug="a-panel"
    )
    visitor, address = Bot(), f"{study.links.get().get_absolute_url()}?id=p77"
    visitor.begin(address)
    erase(study, Annotator.objects.get(sittings__study=study), labels=True)
    assert "https://panel.example/end?status=withdrawn&id=p77" in visitor.open(address).links
