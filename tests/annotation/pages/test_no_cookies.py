"""A form that comes without its cookie: said in the study's language, with a way on and a way back."""

from pathlib import Path

import pytest
from django.test import Client

from annotation.models import Judgment, Sitting, Study
from tests.annotation.pages.bot import Bot, read
from tests.studies import declare, open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db
HOME = "https://platform.example/"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return open_small_study(
        tmp_path / "small",
        plausibility_rows(4),
        collection={"id_parameter": "PROLIFIC_PID"},
        codes={"completed": "DONE1"},
        **{"return": {"home": HOME}},
    )


@pytest.mark.parametrize(("language", "says"), [("en", "needs cookies"), ("de", "braucht Cookies")])
def test_begin_without_cookies(study: Study, link: str, language: str, says: str) -> None:
    declare(language=language)
    address = f"{link}?PROLIFIC_PID=60a1"
    page = read(Client(enforce_csrf_checks=True).post(address))
    assert page.status == 403
    assert says in page.text
    assert address in page.links
    assert HOME in page.links
    assert "DONE1" not in page.html
    assert not Sitting.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}])
def test_an_answer_whose_cookie_is_gone(link: str, htmx: dict[str, str]) -> None:
    visitor = Bot()
    visitor.begin(f"{link}?PROLIFIC_PID=60a1")
    sitting = Sitting.objects.get()
    del visitor.client.cookies["csrftoken"]
    page = read(visitor.client.post(sitting.get_absolute_url(), visitor.page.fields, headers=htmx))
    assert page.status == 403
    assert "was not saved" in page.text
    assert sitting.get_absolute_url() in page.links
    assert HOME in page.links
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("address", ["/s/nowhere/", "/sitting/nowhere/", "/login/"])
def test_elsewhere_it_is_refused_as_before(address: str) -> None:
    page = read(Client(enforce_csrf_checks=True).post(address))
    assert page.status == 403
    assert "Request refused" in page.text
