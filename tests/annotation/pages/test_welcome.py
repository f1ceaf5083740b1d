"""The study's first page: what it shows, whom it knows, and every reason it gives for not starting."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.arrival.visitor import COOKIE, known_by
from annotation.lifecycle.status import close_study
from annotation.models import Annotator, Exclusion, PlatformId, Sitting, Study
from annotation.quality import exclusion
from tests.annotation.pages.bot import Bot
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db


def test_shows_the_instructions_and_what_to_expect(link: str) -> None:
    page = Bot().open(link)
    assert page.status == 200
    assert "Read both sentences." in page.text
    assert "Up to 7 items" in page.text


def test_a_study_of_few_items_promises_no_more(tmp_path: Path) -> None:
    study = open_small_study(
        tmp_path / "few", plausibility_rows(12), slug="few", collection={"sitting_length": 20, "gold_per_sitting": 0}
    )
    page = Bot().open(study.links.get().get_absolute_url())
    assert "Up to 12 items" in page.text


def test_looking_stores_nothing(link: str) -> None:
    Bot().open(link)
    assert not Annotator.objects.exists()
    assert not Sitting.objects.exists()


def test_begins_a_sitting_by_a_redirect(link: str) -> None:
    visitor = Bot()
    visitor.open(link)
    response = visitor.client.post(link, visitor.page.fields)
    assert response.status_code == 303
    assert response["Location"] == Sitting.objects.get().get_absolute_url()


def test_takes_the_platforms_id_from_the_address(link: str) -> None:
    Bot().begin(f"{link}?PROLIFIC_PID=60a1&SESSION_ID=x")
    annotator = Annotator.objects.get()
    assert (annotator.platform, annotator.profile) == ("PROLIFIC_PID", "")
    assert PlatformId.objects.get(annotator=annotator).value == "60a1"
    assert "60a1" not in annotator.external_id


@pytest.mark.parametrize("given", ["", "  ", "x" * 121, "a%00b"])
def test_refuses_an_id_that_cannot_be_one(link: str, given: str) -> None:
    page = Bot().open(f"{link}?PROLIFIC_PID={given}")
    assert page.status == 400
    assert "PROLIFIC_PID=" in page.text
    assert not Annotator.objects.exists()


@pytest.mark.slow
def test_makes_an_opaque_id_and_keeps_it_in_a_signed_cookie(link: str) -> None:
    visitor = Bot()
    visitor.begin(link)
    annotator = Annotator.objects.get()
    cookie = visitor.client.cookies[COOKIE]
    assert annotator.platform == "link"
    assert cookie["httponly"]
    assert annotator.external_id == known_by("link", cookie.value.partition(":")[0])
    assert not PlatformId.objects.exists()


@pytest.mark.slow
def test_a_cookie_that_was_tampered_with_is_a_stranger(link: str) -> None:
    first = Bot()
    first.begin(link)
    stranger = Bot()
    secret = first.client.cookies[COOKIE].value.partition(":")[0]
    stranger.client.cookies[COOKIE] = f"{secret}:forged:signature"
    stranger.begin(link)
    assert Annotator.objects.count() == 2


@pytest.mark.slow
@pytest.mark.parametrize("query", ["", "?PROLIFIC_PID=60a1"])
def test_resumes_by_the_same_link(link: str, query: str) -> None:
    visitor = Bot()
    visitor.begin(link + query)
    visitor.answer()
    visitor.answer()
    again = visitor.open(link + query)
    assert "You have answered 2 of 7" in again.text
    assert "3 of 7" in visitor.post().text
    assert Sitting.objects.count() == 1


@pytest.mark.slow
def test_offers_the_code_of_a_finished_sitting_again(link: str) -> None:
    visitor = Bot()
    visitor.begin(link)
    visitor.finish()
    page = visitor.open(link)
    finished = Sitting.objects.get()
    assert finished.get_absolute_url() in page.links
    assert finished.completion_code in visitor.open(finished.get_absolute_url()).text


def test_a_wrong_link_is_not_found(db: None) -> None:
    page = Bot().open("/s/no-such-link/")
    assert page.status == 404
    assert "copy the whole link" in page.text


def test_an_expired_link_is_gone(study: Study, link: str) -> None:
    study.links.update(expires_at=timezone.now() - timedelta(minutes=1))
    visitor = Bot()
    assert visitor.open(link).status == 410
    assert "ask the person who sent it for a new one" in visitor.page.text
    assert not visitor.page.has_form


def test_an_expired_link_still_leads_to_a_sitting_under_way(study: Study, link: str) -> None:
    visitor = Bot()
    visitor.begin(link)
    study.links.update(expires_at=timezone.now())
    page = visitor.open(link)
    assert page.status == 410
    assert Sitting.objects.get().get_absolute_url() in page.links


def test_a_draft_is_not_open_yet(study: Study, link: str) -> None:
    Study.objects.update(state=Study.State.DRAFT)
    page = Bot().open(link)
    assert (page.status, page.has_form) == (403, False)
    assert "has not opened yet" in page.text


def test_a_closed_study_says_so(study: Study, link: str) -> None:
    close_study(study)
    page = Bot().open(link)
    assert (page.status, page.has_form) == (410, False)
    assert "takes no more answers" in page.text


def test_a_study_that_closes_between_looking_and_beginning(study: Study, link: str) -> None:
    visitor = Bot()
    visitor.open(link)
    close_study(study)
    assert visitor.post().status == 410
    assert not Sitting.objects.exists()


@pytest.mark.slow
def test_nothing_left(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(5), collection={"labels_per_item": 1}, slug="drained")
    address = study.links.get().get_absolute_url()
    first = Bot()
    first.begin(address)
    for _ in range(2):
        first.answer()
    page = Bot().begin(address)
    assert page.status == 409
    assert "no items for you" in page.text


@pytest.mark.slow
def test_the_cap_of_an_annotator(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(9), collection={"max_items_per_annotator": 5}, slug="capped")
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    visitor.finish()
    page = visitor.begin(study.links.get().get_absolute_url())
    assert page.status == 403
    assert "all the items that one person may" in page.text
    assert Sitting.objects.get().completion_code in page.text


@pytest.mark.slow
def test_an_excluded_annotator(study: Study, link: str) -> None:
    visitor = Bot()
    visitor.begin(link)
    visitor.finish()
    exclusion.exclude(study, Annotator.objects.get(), rule=Exclusion.Rule.RESEARCHER, evidence={"why": "a test"})
    page = visitor.begin(link)
    assert page.status == 403
    assert "no more items for you" in page.text


def test_a_study_of_synthetic_labels_takes_no_people(study: Study, link: str) -> None:
    Study.objects.update(population=Study.Population.SYNTHETIC)
    page = Bot().begin(link)
    assert page.status == 403
    assert "test labels" in page.text


def test_refuses_a_post_without_the_token(link: str) -> None:
    assert Bot().client.post(link).status_code == 403


def test_is_never_kept_by_a_cache(link: str) -> None:
    assert "no-store" in Bot().client.get(link)["Cache-Control"]
