"""A German study, page by page: no sentence of the interface is left in English, and what is stored is as ever."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import get_language

from annotation.lifecycle.status import close_study
from annotation.models import Judgment, QuestionnaireAnswers, Sitting, Study
from annotation.platforms import Outcome
from tests.annotation.languages.german import open_german
from tests.annotation.languages.messages import english_in
from tests.annotation.pages.bot import Bot, Page

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
RIGHT, WRONG = {"question_1": "Den zweiten Satz"}, {"question_1": "Den ersten Satz"}


def german(page: Page) -> Page:
    assert '<html lang="de" dir="ltr">' in page.html
    assert english_in(page.html) == set(), page.address
    return page


class Reader(Bot):
    """Looks at every page on its way."""

    def open(self, address: str) -> Page:
        return german(super().open(address))

    def post(self, **values: object) -> Page:
        return german(super().post(**values))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return open_german(tmp_path / "deutsch")


@pytest.fixture
def link(study: Study) -> str:
    return study.links.get().get_absolute_url()


def to_the_items(reader: Reader, link: str) -> None:
    reader.begin(link)
    reader.post(decision="agree")
    reader.post()
    reader.post(**RIGHT)


def test_english_would_be_heard() -> None:
    assert english_in("<p>Fragen</p><p>Copy code</p>") == {"Copy code"}
    assert english_in('<p aria-label="Practice 1 of 2">Fragen</p>') >= {"of", "Practice %(number)s of %(total)s"}


def test_every_stage_is_german(link: str) -> None:
    reader = Reader()
    assert "Etwa 6 Minuten" in reader.open(link).text
    reader.post()
    assert "Bitte geben Sie an, ob Sie einwilligen." in reader.post().text
    assert "Lesen Sie beide Sätze." in reader.post(decision="agree").text
    reader.post()
    assert "Bitte beantworten Sie jede Frage" in reader.post().text
    assert "Dies ist der letzte Versuch." in reader.post(**WRONG).text
    page = reader.post(**RIGHT)
    for said in ("Übung 1 von 2", "Im Vergleich zu", "wie plausibel ist", "Weniger wahrscheinlich", "Wie plausibel"):
        assert said in page.text
    assert "Bitte wählen Sie eine der Antworten" in reader.post().text
    assert "Diese Antwort ist keine der angezeigten." in reader.answer("maybe").text
    page = reader.answer("more_likely")
    for said in ("Erwartet wird eine andere Antwort", "Ihre Antwort: Wahrscheinlicher", "Erwartet: Weniger wahr"):
        assert said in page.text
    reader.post()
    assert "Das ist die erwartete Antwort" in reader.answer("impossible").text
    assert "Hier beginnen die Aufgaben." in reader.post().text
    reader.answer("equally_likely")
    assert "Das ist nicht Ihre aktuelle Aufgabe" in reader.post(position="1", answer="impossible").text
    assert "18 bis 24" in reader.answer("necessarily_true").text
    assert "Bitte beantworten Sie diese Frage." in reader.post(age="25 to 34").text
    assert "Worum es in dieser Studie geht" in reader.post(age="25 to 34", first_language="Finnisch").text
    assert "Ihre 2 Antworten sind gespeichert." in reader.post().text
    assert "Ihr Code" in reader.page.text


def test_what_is_stored_does_not_know_the_language(link: str) -> None:
    reader = Reader()
    to_the_items(reader, link)
    for answer in ("less_likely", "impossible"):
        reader.answer(answer)
        reader.post()
    reader.answer("equally_likely")
    reader.answer("necessarily_true")
    reader.post(age="65 or older", first_language="Finnisch")
    given = Judgment.objects.order_by("assignment__position").values_list("answer", flat=True)
    assert list(given) == ["less_likely", "impossible", "equally_likely", "necessarily_true"]
    assert QuestionnaireAnswers.objects.get().answers == {"age": "65 or older", "first_language": "Finnisch"}


def test_who_ends_early_reads_german(link: str) -> None:
    reader = Reader()
    reader.begin(link)
    assert "Sie haben sich entschieden, nicht teilzunehmen." in reader.post(decision="decline").text
    reader = Reader()
    reader.begin(link)
    for values in ({"decision": "agree"}, {}, WRONG, WRONG):
        reader.post(**values)
    assert "Nicht alle Antworten zur Anleitung waren richtig" in reader.page.text
    assert set(Sitting.objects.values_list("outcome", flat=True)) == {Outcome.NO_CONSENT, Outcome.SCREENED_OUT}


def test_refusals_are_german_where_the_study_is_known(link: str, study: Study) -> None:
    first = Reader()
    to_the_items(first, f"{link}?annotator=anna")
    assert "In einem anderen Browser begonnen" in Reader().open(f"{link}?annotator=anna").text
    assert "Nicht in diesem Browser" in Reader().open(first.page.address).text
    assert "Ihre Kennung fehlt" in Reader().open(f"{link}?annotator=").text
    assert "hinter „annotator=“ nur der Platzhalter" in Reader().open(f"{link}?annotator=${{id}}").text
    study.links.update(expires_at=timezone.now() - timedelta(days=1))
    assert "Dieser Link ist abgelaufen" in Reader().open(link).text
    study.links.update(expires_at=None)
    close_study(study)
    assert "Diese Studie ist geschlossen" in Reader().open(link).text
    assert "Sie hatten noch keine Aufgabe beantwortet." in first.open(first.page.address).text


def test_who_finds_nothing_left_reads_german(link: str, study: Study) -> None:
    study.items.filter(kind="target").update(reserved=3)
    reader = Reader()
    assert "Zurzeit keine Aufgaben" in reader.begin(link).text


def test_the_language_stays_with_the_page(link: str, client: Client) -> None:
    Reader().open(link)
    assert get_language() == "en"
    assert 'lang="en"' in client.get("/s/nowhere/").content.decode()
    assert "Log in" in client.get("/login/").content.decode()


def test_a_browser_that_asks_for_another_gets_that_of_the_study(link: str, client: Client) -> None:
    answer = client.get(link, headers={"Accept-Language": "en"})
    german(Page(200, link, answer.content.decode()))
