"""A report of a problem with an item: stored beside the answer, escaped wherever it is read, erased with its writer."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.assignment import finish
from annotation.lifecycle.status import close_study
from annotation.models import ItemReport, Judgment, Sitting, Study
from annotation.privacy import erase, everything_about
from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from tests.annotation.pages.bot import Bot, Page, read
from tests.studies import declare, open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db
WORDS = 'The <b>second</b> sentence & "lamp" is cut off.'
ESCAPED = "The &lt;b&gt;second&lt;/b&gt; sentence &amp; &quot;lamp&quot; is cut off."


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return open_small_study(
        tmp_path / "small", plausibility_rows(3), collection={"sitting_length": 3}, page={"report_problem": True}
    )


@pytest.fixture
def bot(study: Study) -> Bot:
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    return visitor


def send(bot: Bot, text: str, *, position: int = 1, htmx: bool = False) -> Page:
    """By the form of its own, without a script; a browser sends line breaks as two characters."""
    data: dict[str, Any] = {"csrfmiddlewaretoken": bot.page.fields["csrfmiddlewaretoken"], "position": position}
    return read(
        bot.client.post(
            reverse("report_problem", args=[Sitting.objects.get().token]),
            {**data, "text": text.replace("\n", "\r\n")},
            follow=True,
            headers={"HX-Request": "true"} if htmx else None,
        )
    )


@pytest.mark.slow
def test_it_answers_nothing_and_leads_back_to_the_item(bot: Bot) -> None:
    page = send(bot, WORDS)
    assert (page.status, page.address) == (200, Sitting.objects.get().get_absolute_url())
    assert "Item 1 of 3" in page.text
    assert "Problem reported" in page.text
    assert ESCAPED in page.html
    assert WORDS not in page.html
    assert not Judgment.objects.exists()
    report = ItemReport.objects.get()
    assert (report.text, report.item) == (WORDS, Sitting.objects.get().assignments.get(position=1).item)


def test_sent_again_it_takes_the_place_of_the_first(bot: Bot) -> None:
    send(bot, WORDS)
    send(bot, "Now\nin two lines")
    assert [one.text for one in ItemReport.objects.all()] == ["Now\nin two lines"]


@pytest.mark.slow
def test_of_the_item_before_too(bot: Bot) -> None:
    bot.answer("impossible")
    page = send(bot, WORDS)
    assert page.address.endswith("/back/")
    assert "Item 1 of 3" in page.text
    assert "Problem reported" not in bot.open(Sitting.objects.get().get_absolute_url()).text


def test_five_hundred_characters_fit_with_their_line_breaks(bot: Bot) -> None:
    send(bot, f"{'a' * 249}\n{'b' * 250}")
    assert len(ItemReport.objects.get().text) == 500


@pytest.mark.parametrize(("text", "said"), [("x" * 501, "it has 501 characters"), (" \n ", "Please describe what")])
def test_too_long_or_empty_comes_back_with_what_is_wrong(bot: Bot, text: str, said: str) -> None:
    page = send(bot, text)
    assert page.status == 422
    assert said in page.text
    assert "Item 1 of 3" in page.text
    assert ("x" * 501 in page.html) == ("x" in text)
    part = send(bot, text, htmx=True)
    assert (part.status, "<html" in part.html) == (422, False)
    assert said in part.text
    assert not ItemReport.objects.exists()


def test_with_htmx_only_its_own_part_comes_back(bot: Bot) -> None:
    part = send(bot, WORDS, htmx=True)
    assert part.html.strip().startswith("<details")
    assert "Sent. Thank you." in part.text
    assert ESCAPED in part.html


@pytest.mark.slow
def test_it_speaks_the_studys_language(bot: Bot) -> None:
    declare(language="de")
    assert "Gesendet." in send(bot, WORDS, htmx=True).text
    assert "Bitte beschreiben Sie" in send(bot, "", htmx=True).text


@pytest.mark.slow
@pytest.mark.parametrize("why", ["not shown", "not there", "not asked for", "closed", "over"])
def test_what_cannot_be_reported_is_not(bot: Bot, study: Study, why: str) -> None:
    if why == "not asked for":
        declare(report_problem=False)
    if why == "closed":
        close_study(study)
    if why == "over":
        finish(Sitting.objects.get())
    page = send(bot, WORDS, position={"not shown": 2, "not there": 9}.get(why, 1))
    assert page.address == Sitting.objects.get().get_absolute_url()
    part = send(bot, WORDS, position={"not shown": 2, "not there": 9}.get(why, 1), htmx=True)
    assert part.status == 204
    assert not ItemReport.objects.exists()


def test_another_browser_reports_nothing(bot: Bot) -> None:
    address = reverse("report_problem", args=[Sitting.objects.get().token])
    assert Client().post(address, {"position": 1, "text": WORDS}).status_code == 403
    assert Client().get(address).status_code == 403
    assert not ItemReport.objects.exists()


def test_where_the_study_does_not_ask_there_is_no_form(bot: Bot) -> None:
    declare(report_problem=False)
    assert "Report a problem" not in bot.open(bot.page.address).text


@pytest.mark.slow
@pytest.mark.parametrize("labels", [False, True])
def test_it_is_exported_to_its_writer_and_erased_with_them(bot: Bot, study: Study, labels: bool) -> None:
    send(bot, WORDS)
    sitting = Sitting.objects.get()
    (told,) = everything_about(study, sitting.annotator)["sittings"]
    assert [(one["text"], one["item"]) for one in told["reports"]] == [
        (WORDS, sitting.assignments.get(position=1).item.external_id)
    ]
    erase(study, sitting.annotator, labels=labels)
    assert not ItemReport.objects.exists()


@pytest.mark.slow
def test_the_export_has_one_line_a_report(bot: Bot, study: Study) -> None:
    send(bot, "=1+1")
    header, line = export("reports")(study, Selection())
    found = dict(zip(header, line, strict=True))
    assert (found["report"], found["kind"], found["sitting"]) == ("=1+1", "target", Sitting.objects.get().pk)
    assert found["item"].startswith("target-")
    assert found["annotator"] == "a1"
