"""Each stage by itself: what it stores, what it refuses, and how it ends somebody's way."""

from pathlib import Path

import pytest

from annotation.loading import LoadRefused, load_study
from annotation.models import (
    Assignment,
    ComprehensionTry,
    Consent,
    ConsentVersion,
    Exclusion,
    Judgment,
    QuestionnaireAnswers,
    Sitting,
    Study,
)
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms import Outcome
from annotation.recording import record
from annotation.stages.preview import reach, sitting_at
from annotation.views.wording import rendered
from tests.annotation.pages.bot import FieldMissing
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import RIGHT, STAGES, WRONG, open_whole, write_whole
from tests.studies import plausibility_rows, write_study

pytestmark = pytest.mark.django_db


class TestConsent:
    def test_keeps_the_decision_with_the_exact_text(self, walker: Walker, link: str, whole: Study) -> None:
        walker.begin(link)
        walker.consents()
        consent = Consent.objects.get()
        assert consent.agreed
        assert whole.path.consent is not None
        assert (consent.version.version, consent.version.text) == (
            whole.path.consent.version,
            whole.path.consent.text,
        )

    @pytest.mark.slow
    def test_declining_ends_it_for_good(self, walker: Walker, link: str) -> None:
        walker.begin(link)
        end = walker.post(decision="decline")
        sitting = Sitting.objects.get()
        assert (sitting.outcome, Consent.objects.get().agreed) == (Outcome.NO_CONSENT, False)
        assert not end.has_form
        page = walker.open(link)
        assert page.address == sitting.get_absolute_url(), "the same person sees how it ended"
        token = {"csrfmiddlewaretoken": walker.client.cookies["csrftoken"].value}
        assert walker.client.post(link, token)["Location"] == sitting.get_absolute_url()
        assert (Sitting.objects.count(), Assignment.objects.count()) == (1, 0)

    @pytest.mark.slow
    def test_deciding_twice_is_one_decision_and_another_is_refused(self, walker: Walker, link: str) -> None:
        walker.begin(link)
        before = walker.page
        walker.consents()
        walker.page = before
        assert walker.post(decision="agree").status == 200
        walker.page = before
        page = walker.post(decision="decline")
        assert (page.status, "You have already decided" in page.text) == (409, True)
        assert Consent.objects.get().agreed

    def test_no_decision_is_asked_for_again(self, walker: Walker, link: str) -> None:
        walker.begin(link)
        assert walker.post().status == 422
        assert not Consent.objects.exists()

    @pytest.mark.slow
    def test_a_text_that_changed_meanwhile_is_read_again(self, walker: Walker, link: str, tmp_path: Path) -> None:
        walker.begin(link)
        load_study(write_whole(tmp_path / "new", stages=STAGES.replace("18 or older", "21 or older")))
        page = walker.post(decision="agree")
        assert (page.status, "21 or older" in page.text) == (409, True)
        walker.consents()
        assert "21 or older" in Consent.objects.get().version.text
        assert ConsentVersion.objects.count() == 2

    def test_a_version_keeps_its_text(self, tmp_path: Path) -> None:
        stages = STAGES.replace("[consent]", '[consent]\nversion = "1"')
        open_whole(tmp_path, stages=stages)
        with pytest.raises(LoadRefused, match="version 1 of its \\[consent\\] has a different text"):
            load_study(write_whole(tmp_path, stages=stages.replace("18 or older", "21 or older")))
        kept = ConsentVersion.objects.get()
        with pytest.raises(TypeError):
            kept.save()


class TestComprehension:
    @pytest.fixture
    def asked(self, walker: Walker, link: str) -> Walker:
        walker.begin(link)
        walker.consents()
        walker.post()
        return walker

    @pytest.mark.slow
    def test_a_wrong_answer_is_explained_before_the_second_try(self, asked: Walker) -> None:
        assert "that is judged" not in asked.page.text
        page = asked.post(**WRONG)
        assert "One answer was not correct. The reason is below its question. Please answer it again." in page.text
        assert "It is the second sentence that is judged" in page.text
        assert "This is your last try" in page.text
        assert page.fields.get("question_2") == "No", "what was right stays chosen"
        assert "question_1" not in page.fields
        assert "Practice 1 of 2" in asked.post(**RIGHT).text
        assert list(ComprehensionTry.objects.values_list("number", "passed")) == [(1, False), (2, True)]

    @pytest.mark.slow
    def test_after_the_last_try_one_is_screened_out_and_never_excluded(self, asked: Walker, link: str) -> None:
        asked.post(**WRONG)
        page = asked.post(**WRONG)
        sitting = Sitting.objects.get()
        assert (sitting.outcome, page.has_item) == (Outcome.SCREENED_OUT, False)
        assert not Assignment.objects.exists()
        assert not Exclusion.objects.exists()
        assert asked.open(link).address == sitting.get_absolute_url()

    @pytest.mark.slow
    def test_one_try_sent_twice_is_one(self, asked: Walker) -> None:
        before = asked.page
        asked.post(**WRONG)
        asked.page = before
        page = asked.post(**WRONG)
        assert "This is your last try" in page.text
        assert ComprehensionTry.objects.count() == 1

    @pytest.mark.slow
    @pytest.mark.parametrize("given", [{}, {"question_1": "No", "question_2": "No"}])
    def test_a_question_without_an_answer_is_no_try(self, asked: Walker, given: dict[str, str]) -> None:
        page = asked.post(**given)
        assert (page.status, "Please answer every question" in page.text) == (422, True)
        assert not ComprehensionTry.objects.exists()

    @pytest.mark.slow
    def test_a_try_keeps_what_was_asked_and_said(self, asked: Walker) -> None:
        asked.post(**WRONG)
        first = ComprehensionTry.objects.get().answers[0]
        assert first == {
            "question": "What do you judge?",
            "right": "The second sentence",
            "given": "The first sentence",
        }


class TestPractice:
    @pytest.fixture
    def practicing(self, walker: Walker, link: str) -> Walker:
        walker.reaches_items(link)
        return walker

    @pytest.mark.slow
    def test_feedback_stays_until_one_goes_on(self, practicing: Walker) -> None:
        practicing.answer("more_likely")
        address = practicing.page.address
        assert "A different answer was expected" in practicing.open(address).text
        with pytest.raises(FieldMissing):
            practicing.answer("more_likely")

    @pytest.mark.slow
    def test_the_reference_is_not_in_the_page_before_the_answer(self, practicing: Walker) -> None:
        assert "Broken lamps seldom" not in practicing.page.html
        assert "expected" not in practicing.page.text

    @pytest.mark.slow
    def test_it_can_be_answered_again(self, practicing: Walker) -> None:
        practicing.answer("more_likely")
        practicing.open(f"{practicing.page.address}back/")
        assert practicing.page.fields["answer"] == "more_likely"
        practicing.page.address = Sitting.objects.get().get_absolute_url()
        assert "That is the expected answer" in practicing.answer("less_likely").text
        assert Judgment.objects.count() == 1

    @pytest.mark.slow
    def test_going_on_twice_skips_nothing(self, practicing: Walker) -> None:
        practicing.answer("less_likely")
        feedback = practicing.page
        practicing.post()
        practicing.page = feedback
        assert "Practice 2 of 2" in practicing.post().text

    @pytest.mark.slow
    def test_the_item_behind_cannot_be_answered_first(self, practicing: Walker) -> None:
        item = practicing.page
        practicing.answer("less_likely")
        practicing.page = item
        assert practicing.post(position="2", answer="impossible").status == 409
        assert Judgment.objects.count() == 1

    @pytest.mark.slow
    def test_one_does_not_go_back_from_the_items_to_practice(self, practicing: Walker) -> None:
        practicing.practices()
        practicing.open(f"{practicing.page.address}back/")
        assert "Item 1 of 3" in practicing.page.text

    @pytest.mark.slow
    def test_it_comes_with_htmx_in_place_of_the_item(self, practicing: Walker) -> None:
        data = {**practicing.page.fields, "answer": "less_likely"}
        response = practicing.client.post(practicing.page.address, data, headers={"HX-Request": "true"})
        assert b"That is the expected answer" in response.content
        assert b"<html" not in response.content

    @pytest.mark.slow
    def test_a_study_may_have_none(self, tmp_path: Path, walker: Walker) -> None:
        stages = STAGES + "\n[practice]\nfeedback = false\n"
        walker.reaches_items(open_whole(tmp_path, stages=stages).links.get().get_absolute_url())
        assert "Practice 2 of 2" in walker.answer("more_likely").text
        page = walker.answer("more_likely")
        assert "The items start here" in page.text
        assert "1 of 3" in page.text


class TestQuestionnaire:
    @pytest.fixture
    def done(self, walker: Walker, link: str) -> Walker:
        walker.reaches_items(link)
        walker.practices()
        walker.finish()
        return walker

    @pytest.mark.slow
    def test_the_sitting_is_completed_before_it(self, done: Walker) -> None:
        assert "A few questions about you" in done.page.text
        assert Sitting.objects.get().outcome == Outcome.COMPLETED

    @pytest.mark.slow
    def test_what_is_required_is_asked_for_again_and_the_rest_is_kept(self, done: Walker) -> None:
        page = done.post(comment="All fine <b>here</b>")
        assert (page.status, "Please answer this question" in page.text) == (422, True)
        assert "All fine &lt;b&gt;here" in page.html
        assert not QuestionnaireAnswers.objects.exists()

    @pytest.mark.slow
    def test_an_age_that_must_be_said_need_not_be(self, done: Walker, whole: Study) -> None:
        assert "Prefer not to say" not in done.page.choices
        stages = whole.stages
        stages["questionnaire"]["fields"][0]["required"] = True
        Study.objects.update(stages=stages)
        page = done.open(done.page.address)
        assert "Prefer not to say" in page.choices
        assert done.post(first_language="Finnish").status == 422
        done.post(first_language="Finnish", age="Prefer not to say")
        assert QuestionnaireAnswers.objects.get().answers["age"] == "Prefer not to say"

    @pytest.mark.slow
    def test_only_what_there_is_to_choose_from_is_taken(self, done: Walker) -> None:
        assert done.post(first_language="Finnish", age="17").status == 422

    @pytest.mark.slow
    def test_it_can_be_changed_until_the_debriefing_is_left(self, done: Walker) -> None:
        questions = done.page
        done.post(first_language="Finnish")
        done.open(f"{done.page.address}back/")
        assert done.page.fields["first_language"] == "Finnish"
        done.page.address = questions.address
        done.post(first_language="Swedish", comment="Changed")
        assert QuestionnaireAnswers.objects.get().answers == {"first_language": "Swedish", "comment": "Changed"}
        done.post()
        done.page = questions
        assert done.post(first_language="Danish").status == 409
        assert QuestionnaireAnswers.objects.get().answers["first_language"] == "Swedish"

    @pytest.mark.slow
    def test_a_closed_tab_leads_back_to_it_by_the_sittings_address(self, done: Walker) -> None:
        assert "A few questions" in done.open(Sitting.objects.get().get_absolute_url()).text


@pytest.mark.parametrize(
    ("table", "found", "message"),
    [
        ("[consent]\n", "consent.text", "is missing"),
        ('[debriefing]\ntext = ""', "debriefing.text", "must be the text"),
        ("[information]\nminutes = -1", "information.minutes", "whole number of minutes"),
        ("[information]\nwages = 1", "information.wages", "is not recognized"),
        ("[comprehension]\ntries = 9\nquestions = []", "comprehension.tries", "from 1 to 5"),
        (
            '[[comprehension.questions]]\nquestion = "Q"\noptions = ["a", "b"]\nanswer = "c"',
            "comprehension.questions 1.answer",
            "none of the options",
        ),
        (
            '[[questionnaire.fields]]\nname = "A b"\nquestion = "Q"\nkind = "text"',
            "questionnaire.fields 1.name",
            "lower-case",
        ),
        ('[[questionnaire.fields]]\nname = "a"\nquestion = "Q"\nkind = "choice"', "fields 1.options", "of kind choice"),
        ("[practice]\nfeedback = 1", "practice.feedback", "true or false"),
        ("consent = 3", "consent", "must be a table"),
    ],
)
def test_a_fault_is_named_by_its_field(tmp_path: Path, table: str, found: str, message: str) -> None:
    folder = write_whole(tmp_path, stages="")
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{table}\n{text}" if "=" in table.splitlines()[0] else f"{text}\n{table}", encoding="utf-8")
    with pytest.raises(ValueError, match=f"{found}.*{message}"):
        load_study(folder)


def test_two_fields_have_two_names(tmp_path: Path) -> None:
    field = '[[questionnaire.fields]]\nname = "a"\nquestion = "Q"\nkind = "text"\n'
    with pytest.raises(ValueError, match="fields 2.name: 'a' was already used"):
        load_study(write_whole(tmp_path, stages=field * 2))


def test_examples_are_marked_up():
    html = rendered("One *word*.\n\n> An example\n\n- first\n\n|a|b|\n|-|-:|\n|1|2|")
    for tag in ("<em>word</em>", "<blockquote>", "<li>first</li>", "<table>"):
        assert tag in html
    assert "style" not in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://elsewhere.example/pixel.png)",
        "[x](javascript:alert(1))", "[x](data:text/html,hello)", "[x](/studies/)", "[x](//elsewhere.example)",
        "<javascript:alert(1)>",
    ],
)  # fmt: skip
def test_nothing_else_comes_through(text):
    html = rendered(text)
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html or 'href="https://elsewhere.example/pixel.png"' in html


def test_links_lead_outside_in_a_tab_of_their_own():
    html = rendered("[data](https://example.org/a?b=1&c=2) <mailto:a@example.org>")
    assert 'href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer"' in html
    assert 'href="mailto:a@example.org"' in html


def test_headings_stand_below_the_pages_own():
    assert rendered("# Examples") == "<h2>Examples</h2>\n"


STRICT = {
    "item_floor_ms": 5_000,
    "sitting_floor_ms": 5_000,
    "timed_least": 1,
    "quick_tolerance": 0.0,
    "gold_tolerance": 0.0,
    "gold_distance": 1,
}


@pytest.mark.django_db
def test_the_last_item_ends_a_sitting_that_passes_the_strictest_policy(tmp_path):
    collection = {"gold_per_sitting": 2, "attention_per_sitting": 2, "sitting_length": 8}
    rows = plausibility_rows(8, gold=2, attention=2)
    study = load_study(write_study(tmp_path, rows, collection=collection, quality=STRICT)).study
    with sitting_at(study, Stage.ITEMS) as sitting:
        last = reach(sitting, 12)
        record(sitting, 12, last.item.reference or "impossible", response_ms=9_000)
        sitting.refresh_from_db()
        assert (sitting.state, sitting.outcome) == (Sitting.State.FINISHED, Outcome.COMPLETED)
        assert Judgment.objects.count() == 12
    assert not Judgment.objects.exists()
    assert not Assignment.objects.exists()
