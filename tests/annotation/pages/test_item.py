"""The item page: one item, the server's place, and every answer that is refused."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.assignment import release_lapsed
from annotation.itemfile import ItemRow
from annotation.lifecycle.status import close_study
from annotation.models import Assignment, Exclusion, Judgment, Revision, Sitting, Study
from annotation.quality import exclusion
from annotation.tasktypes.contract import Label
from tests.annotation.pages.bot import AHEAD, Bot, FieldMissing, read
from tests.annotation.pages.conftest import RATING, choice_rows, rating_rows, sentence_rows, yes_no_rows
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CHOICE = {"type": "forced_choice", "question": "Which word fits best?"}


def test_shows_the_current_item_and_no_other(bot: Bot, sitting: Sitting) -> None:
    first, second = sitting.assignments.select_related("item")[:2]
    assert first.item.content["original"] in bot.page.text
    assert second.item.content["original"] not in bot.page.text
    assert "1 of 7" in bot.page.text
    assert bot.page.choices == first.presentation["order"]


def test_a_whole_sitting_ends_with_the_code(bot: Bot, sitting: Sitting) -> None:
    page = bot.finish()
    sitting.refresh_from_db()
    assert sitting.is_over
    assert Judgment.objects.count() == 7
    assert sitting.completion_code in page.text
    assert "Thank you" in page.text
    assert not page.has_form


@pytest.mark.parametrize(
    ("task", "rows"),
    [
        (CHOICE | {"options": ["intensifier", "negation"]}, choice_rows(5)),
        (CHOICE | {"options": ["grammatical", "ungrammatical"]}, sentence_rows(5)),
        ({"type": "yes_no"}, yes_no_rows(5)),
        ({"type": "plausibility"}, plausibility_rows(5)),
        (RATING, rating_rows(5)),
    ],
    ids=["words", "sentences", "yes_no", "plausibility", "rating"],
)
def test_every_task_type_can_be_walked_through(tmp_path: Path, task: dict[str, Any], rows: list[ItemRow]) -> None:
    study = open_small_study(tmp_path, rows, task=task, quality={"gold_distance": 1})
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    visitor.finish()
    answered = Assignment.objects.select_related("judgment")
    assert [one.judgment.answer for one in answered] == [one.presentation["order"][0] for one in answered]


def test_the_last_page_leads_back_to_the_platform(bot: Bot, sitting: Sitting) -> None:
    Study.objects.update(addresses={"completed": "https://platform.example/done?cc=C0DE&x=1"})
    assert "https://platform.example/done?cc=C0DE&x=1" in bot.finish().links


def test_stores_the_answer_and_its_time_and_redirects(bot: Bot, sitting: Sitting) -> None:
    data = {**bot.page.fields, "answer": "more_likely", "response_ms": "1834"}
    response = bot.client.post(sitting.get_absolute_url(), data)
    assert (response.status_code, response["Location"]) == (303, sitting.get_absolute_url())
    judgment = Judgment.objects.get()
    assert (judgment.answer, judgment.response_ms) == ("more_likely", 1834)


def test_with_htmx_the_next_item_comes_without_a_page(bot: Bot, sitting: Sitting) -> None:
    data = {**bot.page.fields, "answer": "more_likely"}
    response = bot.client.post(sitting.get_absolute_url(), data, headers={"HX-Request": "true"})
    assert response.status_code == 200
    page = read(response)
    assert "2 of 7" in page.text
    assert "<html" not in page.html
    assert page.has_item


def test_works_without_a_response_time(bot: Bot) -> None:
    bot.post(answer="impossible", response_ms="")
    assert Judgment.objects.get().response_ms is None


def test_stamps_when_it_was_first_shown(bot: Bot, sitting: Sitting) -> None:
    first, second = sitting.assignments.all()[:2]
    stamped = first.shown_at
    bot.open(sitting.get_absolute_url())
    first.refresh_from_db()
    assert stamped is not None
    assert (first.shown_at, second.shown_at) == (stamped, None)


def test_a_missing_answer_is_asked_for_again(bot: Bot) -> None:
    page = bot.post()
    assert page.status == 422
    assert "Please choose one of the answers" in page.text
    assert "1 of 7" in page.text
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("answer", ["certain", "Impossible", "3", " impossible", "x" * 81])
def test_an_answer_outside_the_scale_is_refused(bot: Bot, answer: str) -> None:
    page = bot.post(answer=answer)
    assert page.status == 422
    assert "not one of the options shown" in page.text
    assert "1 of 7" in page.text
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("response_ms", ["soon", "-5", "99999999999"])
def test_a_response_time_that_is_none_is_refused(bot: Bot, response_ms: str) -> None:
    page = bot.post(answer="impossible", response_ms=response_ms)
    assert page.status == 422
    assert "response time" in page.text
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("position", ["", "one", "0", "-1", "99999999999"])
def test_a_position_that_is_none_is_refused(bot: Bot, position: str) -> None:
    page = bot.post(answer="impossible", position=position)
    assert page.status == 422
    assert "did not say which item" in page.text
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("position", ["3", "900"])
def test_an_item_ahead_is_refused(bot: Bot, position: str) -> None:
    page = bot.post(answer="impossible", position=position)
    assert page.status == 409
    assert "1 of 7" in page.text
    assert 'id="problem" role="alert"' in page.html
    assert not Judgment.objects.exists()


def test_a_stale_tab_is_told_and_led_to_the_current_item(bot: Bot, sitting: Sitting) -> None:
    stale = bot.page
    for _ in range(3):
        bot.answer("impossible")
    bot.page = stale
    page = bot.post(answer="more_likely")
    assert page.status == 409
    assert "4 of 7" in page.text
    assert not Judgment.objects.exclude(answer="impossible").exists()


def test_a_double_submit_changes_nothing(bot: Bot, sitting: Sitting) -> None:
    data = {**bot.page.fields, "answer": "impossible"}
    for _ in range(2):
        assert bot.client.post(sitting.get_absolute_url(), data).status_code == 303
    assert (Judgment.objects.count(), Revision.objects.count()) == (1, 0)
    assert "2 of 7" in bot.open(sitting.get_absolute_url()).text


def test_a_double_submit_of_the_last_answer_leads_to_the_code(bot: Bot, sitting: Sitting) -> None:
    for _ in range(6):
        bot.answer()
    last = bot.page
    bot.answer()
    bot.page = last
    page = bot.answer()
    assert page.status == 200
    assert sitting.completion_code in page.text


def test_a_changed_answer_after_the_end_is_refused_with_the_code(bot: Bot, sitting: Sitting) -> None:
    for _ in range(6):
        bot.answer()
    last = bot.page
    bot.answer("impossible")
    bot.page = last
    page = bot.answer("more_likely")
    assert page.status == 409
    assert "can no longer change" in page.text
    assert sitting.completion_code in page.text


def test_an_unknown_sitting_is_not_found(db: None) -> None:
    assert Bot().open("/sitting/nothing/").status == 404
    assert Bot().open("/sitting/nothing/back/").status == 404


def test_reloading_resumes_at_the_same_item(bot: Bot, sitting: Sitting) -> None:
    bot.answer()
    before = bot.page.fields["position"]
    assert bot.open(sitting.get_absolute_url()).fields["position"] == before


def test_a_lapsed_sitting_is_taken_up_again(bot: Bot, sitting: Sitting) -> None:
    bot.answer()
    Sitting.objects.update(lease_expires_at=timezone.now() - timedelta(minutes=1))
    assert release_lapsed() == 1
    assert "2 of 7" in bot.open(sitting.get_absolute_url()).text
    assert Sitting.objects.get().state == Sitting.State.ACTIVE


@pytest.mark.parametrize("reloaded", [False, True], ids=["at once", "after a look at the last page"])
@pytest.mark.parametrize("htmx", [False, True], ids=["by a form", "by htmx"])
def test_a_late_answer_is_stored_when_every_slot_has_gone(tmp_path: Path, *, htmx: bool, reloaded: bool) -> None:
    one = {"labels_per_item": 1, "sitting_length": 2}
    link = open_small_study(tmp_path, plausibility_rows(2), collection=one).links.get().get_absolute_url()
    late, other = Bot(), Bot()
    page = late.begin(link)
    sitting = Sitting.objects.get()
    Sitting.objects.update(lease_expires_at=timezone.now() - timedelta(minutes=1))
    other.begin(link)
    other.finish()
    if reloaded:
        assert "Thank you" in read(late.client.get(sitting.get_absolute_url())).text
    headers = {"HX-Request": "true"} if htmx else {}
    response = late.client.post(page.address, {**page.fields, "answer": "impossible"}, headers=headers, follow=True)
    assert response.status_code == 200
    last = read(response)
    assert "Your answer is saved" in last.text
    assert sitting.completion_code in last.text
    assert ("<html" in last.html) is not htmx
    assert Assignment.objects.get(sitting=sitting, judgment__answer="impossible").state == Assignment.State.SURPLUS


def test_a_sitting_that_an_exclusion_ended_thanks_without_blame(bot: Bot, sitting: Sitting) -> None:
    bot.answer()
    exclusion.exclude(sitting.study, sitting.annotator, rule=Exclusion.Rule.RESEARCHER, evidence={"why": "a test"})
    page = bot.answer()
    assert page.status == 409
    assert "Your answer is saved" in page.text
    assert "ended early" in page.text
    assert sitting.completion_code in page.text


class TestClosedInTheMiddle:
    def test_on_the_next_look(self, bot: Bot, sitting: Sitting) -> None:
        bot.answer()
        bot.answer()
        close_study(sitting.study)
        page = bot.open(sitting.get_absolute_url())
        assert page.status == 410
        assert "Your 2 answers are saved" in page.text
        assert sitting.completion_code in page.text
        assert not page.has_form

    def test_on_the_next_answer(self, bot: Bot, sitting: Sitting) -> None:
        bot.answer()
        close_study(sitting.study)
        page = bot.answer()
        assert page.status == 410
        assert "Your answer is saved" in page.text
        assert Judgment.objects.count() == 1

    def test_by_the_study_link(self, bot: Bot, sitting: Sitting, link: str) -> None:
        close_study(sitting.study)
        assert sitting.completion_code in bot.open(link).text

    def test_a_bad_answer_gets_the_same_page(self, bot: Bot, sitting: Sitting) -> None:
        close_study(sitting.study)
        assert bot.post().status == 410

    def test_there_is_no_going_back(self, bot: Bot, sitting: Sitting) -> None:
        bot.answer()
        close_study(sitting.study)
        assert bot.open(f"{sitting.get_absolute_url()}back/").status == 410

    def test_a_finished_sitting_keeps_its_last_page(self, bot: Bot, sitting: Sitting) -> None:
        bot.finish()
        close_study(sitting.study)
        assert bot.open(sitting.get_absolute_url()).status == 200


class TestWhatThePageTells:
    """Design, invariants 4 to 6."""

    @pytest.mark.parametrize("kind", ["target", "gold", "attention"])
    def test_nothing_but_the_sentences_tells_a_check_from_a_target(self, bot: Bot, sitting: Sitting, kind: str) -> None:
        pages, brought_along = {}, {}
        kinds = dict(sitting.assignments.values_list("position", "item__kind"))
        while bot.page.has_item:
            position = int(bot.page.fields["position"])
            html = _blanked(bot.page.html, sitting)
            pages[kinds[position]] = AHEAD.sub("", html)
            if position < len(kinds):
                brought_along[kinds[position + 1]] = AHEAD.findall(html)
            bot.answer()
        assert pages[kind] == pages["target"]
        # The first item of a sitting was brought along by none.
        assert brought_along.get(kind, brought_along["target"]) == brought_along["target"] != []

    def test_the_item_after_it_comes_along_out_of_sight(self, bot: Bot, sitting: Sitting) -> None:
        second = sitting.assignments.select_related("item").get(position=2)
        (brought_along,) = AHEAD.findall(bot.page.html)
        assert second.item.content["original"] in brought_along
        assert "2 of 7" in brought_along
        assert second.item.content["original"] not in bot.page.text
        assert second.shown_at is None
        for _ in range(6):
            bot.answer()
        assert AHEAD.findall(bot.page.html) == [], "nothing comes after the last"

    def test_no_reference_kind_or_attribute_is_in_the_page(self, tmp_path: Path) -> None:
        rows = [
            type(row)(**{**_fields(row), "attributes": {"class": "secret-class"}, "reference": "less_likely"})
            for row in plausibility_rows(2)
        ]
        study = open_small_study(tmp_path, rows)
        visitor = Bot()
        page = visitor.begin(study.links.get().get_absolute_url())
        for secret in ("secret-class", "reference", "gold", "attention", "target-1", "target-2"):
            assert secret not in page.html.replace("hx-target", "")

    def test_a_page_asks_the_same_queries_whatever_the_size_of_the_study(self, tmp_path: Path) -> None:
        small, large = (_queries(tmp_path / str(size), size) for size in (10, 400))
        assert small == large
        assert small[0] <= 4, "the sitting with its study, the item, the count, and the stamp when it is new"

    def test_it_is_never_kept_by_a_cache(self, bot: Bot, sitting: Sitting) -> None:
        assert "no-store" in bot.client.get(sitting.get_absolute_url())["Cache-Control"]


def test_a_bot_fails_when_a_field_is_missing(bot: Bot) -> None:
    with pytest.raises(FieldMissing):
        bot.post(answr="impossible")


def test_refuses_a_post_without_the_token(bot: Bot, sitting: Sitting) -> None:
    data = {**bot.page.fields, "answer": "impossible"}
    del data["csrfmiddlewaretoken"]
    assert bot.client.post(sitting.get_absolute_url(), data).status_code == 403
    assert not Judgment.objects.exists()


def _fields(row: ItemRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("id", "content", "kind", "reference", "attributes", "group")}


def _blanked(html: str, sitting: Sitting) -> str:
    """The page without what rightly differs: the sentences, the numbers, the token of the form."""
    for content in sitting.assignments.values_list("item__content", flat=True):
        html = html.replace(content["original"], "").replace(content["modified"].split("broken")[1], "")
    html = re.sub(r'name="(csrfmiddlewaretoken|submission)" value="[^"]*"', "", html)
    html = re.sub(r"\d+", "0", html)
    # The first item has nothing behind it: no way back, nothing saved.
    html = re.sub(r'data-announce="[^"]*"', "", html)
    html = re.sub(r'<span class="foot-start">.*?</footer>', "", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html)


def _queries(folder: Path, size: int) -> tuple[int, int]:
    """How many queries the item page and a recorded answer take in a study of `size` items."""
    study = open_small_study(folder, plausibility_rows(size), slug=f"of-{size}")
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    visitor.answer()
    visitor.answer()
    address = visitor.page.address
    with CaptureQueriesContext(connection) as shown:
        visitor.client.get(address)
    data = {**visitor.page.fields, "answer": "impossible"}
    with CaptureQueriesContext(connection) as recorded:
        visitor.client.post(address, data)
    return len(shown), len(recorded)


def test_the_page_never_names_a_forced_choices_roles(tmp_path: Path) -> None:
    """Posting a role's name would tell which option is the one the study is about (invariant 6)."""
    task = CHOICE | {"options": ["intensifier", "negation"]}
    study = open_small_study(tmp_path, choice_rows(5), task=task, quality={"gold_distance": 1})
    page = Bot().begin(study.links.get().get_absolute_url())
    assert page.choices == ["1", "2"]
    assert "intensifier" not in page.html
    assert "negation" not in page.html


def test_an_option_whose_place_is_its_key_still_shows_the_key() -> None:
    """Of a choice between sentences, the place is what is posted, and nothing else says which key it has."""
    options = [Label("1", "The lamp lights.", "1"), Label("2", "The lamp light.", "2")]
    for task, keys in (("forced_choice", 2), ("rating", 0)):
        shown = render_to_string("annotation/options.html", {"options": options, "task_key": task})
        assert shown.count("<kbd") == keys


def test_an_answer_and_the_next_item_take_few_queries(bot, sitting, django_assert_num_queries):
    """Each costs the processor as much as the page's template, and eight annotators at once are bound by it."""
    sent = {**bot.page.fields, "answer": bot.page.choices[0], "response_ms": "900"}
    # Two of them open and close the savepoint that stands for a transaction in a test.
    with django_assert_num_queries(13):
        answer = bot.client.post(sitting.get_absolute_url(), sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    first, second = sitting.assignments.all()[:2]
    assert first.is_answered
    assert second.shown_at is not None
