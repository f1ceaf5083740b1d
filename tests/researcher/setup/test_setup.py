"""The setup in the browser: each part is saved, its faults stand beside their fields, and file and page are one."""

import tomllib

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Study
from annotation.stages.declared import Comprehension
from annotation.studyfile import tables_of
from researcher.setup.parts import PARTS
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.whole import open_whole
from tests.researcher.setup.pages import at, post, seen, stored, text
from tests.studies import declare


@pytest.fixture
def whole(db, tmp_path) -> Study:
    return open_whole(tmp_path / "whole")


def comprehension(study: Study) -> Comprehension:
    found = stored(study).path.comprehension
    assert found is not None
    return found


@pytest.mark.slow
def test_every_part_has_a_page_and_its_line(client, whole):
    overview = text(client.get(at(whole)))
    for key, form in PARTS.items():
        assert form.heading in overview
        assert client.get(at(whole, key)).status_code == 200
    assert "<small>2 questions</small>" in overview
    assert client.get(at(whole, "nowhere")).status_code == 404


@pytest.mark.slow
def test_the_overview_names_languages(client, whole):
    assert "English throughout" in text(client.get(at(whole)))
    declare(language="de", stimulus_language="nqo")
    assert "pages in German, texts in nqo" in text(client.get(at(whole)))


@pytest.mark.slow
def test_the_study_page_leads_there(client, draft):
    assert f'href="{at(draft)}"' in text(client.get(reverse("study", args=[draft.slug])))


@pytest.mark.slow
def test_information_consent_and_debriefing_are_saved(client, draft):
    answer = post(
        client, at(draft, "information"), title="Lamps", information__minutes="6", information__pay="£1.20",
        information__text="We ask about *lamps*.",
    )  # fmt: skip
    assert answer.status_code == 302
    post(client, at(draft, "consent"), consent__text="I am 18.\r\n\r\nI agree.")
    post(client, at(draft, "debriefing"), debriefing__text="Thank you.")
    study = stored(draft)
    assert study.title == "Lamps"
    assert tables_of(study)["information"] == {"minutes": 6, "pay": "£1.20", "text": "We ask about *lamps*."}
    assert tables_of(study)["consent"] == {"text": "I am 18.\n\nI agree."}
    assert study.consent_versions.get().text == "I am 18.\n\nI agree."
    assert study.path.debriefing == "Thank you."


@pytest.mark.slow
def test_saving_without_a_change_changes_nothing(client, whole):
    """Also of texts whose ends a browser would strip: consent would else be another version."""
    whole.stages["consent"]["text"] += "\n"
    whole.save()
    before = Study.objects.values().get()
    for key in ("information", "consent", "instructions", "items", "debriefing", "platform", "comprehension"):
        page = client.get(at(whole, key)).context["form"]
        values = {field.html_name: field.value() for field in page if field.value() not in (None, False)}
        assert client.post(at(whole, key), values).status_code == 302, key
    assert Study.objects.values().get() == before


@pytest.mark.slow
def test_faults_stand_beside_their_field(client, draft):
    answer = post(client, at(draft, "information"), title="Lamps", information__minutes="601")
    assert answer.status_code == 422
    assert "Must be a whole number of minutes from 0 to 600, not 601" in text(answer)
    assert answer.context["form"]["information__minutes"].errors
    assert stored(draft).stages == {}
    answer = post(client, at(draft, "instructions"), instructions=" ")
    assert "Missing; it must be text that annotators read first" in text(answer)


def test_the_look_of_a_text_is_shown_and_nothing_saved(client, draft):
    answer = post(client, at(draft, "instructions"), instructions="Read **both** <b>now</b>.", show="1")
    assert answer.status_code == 200
    assert "<strong>both</strong> &lt;b&gt;" in answer.content.decode()
    assert stored(draft).instructions == "Read both sentences."


@pytest.mark.slow
def test_a_page_that_is_out_of_date_does_not_win(client, draft):
    old = seen(client, at(draft, "debriefing"))
    post(client, at(draft, "debriefing"), debriefing__text="Thank you.")
    answer = client.post(at(draft, "debriefing"), {"seen": old, "debriefing__text": "Goodbye."})
    assert (answer.status_code, stored(draft).path.debriefing) == (422, "Thank you.")
    assert "Goodbye." in text(answer)
    assert "Not saved: someone changed this" in text(answer)


class TestQuestions:
    ASKED = {"question": "What is judged?", "option_1": "The first", "option_3": "The second", "right": "3"}

    @pytest.mark.slow
    def test_one_is_added_changed_moved_taken_out_and_put_back(self, client, draft):
        post(client, at(draft, "comprehension", "new"), **self.ASKED)
        post(client, at(draft, "comprehension", "new"), **self.ASKED | {"question": "May you guess?"})
        assert self.asked(draft) == ["What is judged?", "May you guess?"]
        first = comprehension(draft).questions[0]
        assert (first.options, first.answer) == (("The first", "The second"), "The second")
        now = {"seen": seen(client, at(draft, "comprehension"))}
        client.post(at(draft, "comprehension", 2, "move"), {"do": "up", "seen": self.rows_seen(client, draft)})
        assert self.asked(draft) == ["May you guess?", "What is judged?"]
        client.post(at(draft, "comprehension", 1, "move"), {"do": "remove", **now})
        assert len(self.asked(draft)) == 2, "an old page moves nothing"
        client.post(at(draft, "comprehension", 1, "move"), {"do": "remove", "seen": self.rows_seen(client, draft)})
        assert self.asked(draft) == ["What is judged?"]
        client.post(at(draft, "comprehension", "back"), {"seen": self.rows_seen(client, draft)})
        assert self.asked(draft) == ["May you guess?", "What is judged?"]
        post(client, at(draft, "comprehension", 1), **self.ASKED | {"question": "Really?"})
        assert self.asked(draft) == ["Really?", "What is judged?"]
        post(client, at(draft, "comprehension"), comprehension__tries="3")
        assert comprehension(draft).tries == 3

    @pytest.mark.slow
    def test_the_last_one_takes_the_stage_along(self, client, draft):
        post(client, at(draft, "comprehension", "new"), **self.ASKED)
        client.post(at(draft, "comprehension", 1, "move"), {"do": "remove", "seen": self.rows_seen(client, draft)})
        assert "comprehension" not in stored(draft).stages

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            ({"right": ""}, "it must be one of the options"),
            ({"right": "2"}, "it must be one of the options"),
            ({"option_3": ""}, "a list of two or more different texts"),
            ({"question": ""}, "Missing; it must be"),
        ],
    )
    def test_what_is_wrong_is_said(self, client, draft, wrong, said):
        answer = post(client, at(draft, "comprehension", "new"), **self.ASKED | wrong)
        assert answer.status_code == 422
        assert said in text(answer)
        assert stored(draft).stages == {}

    @pytest.mark.parametrize("number", [0, 2, 99])
    def test_what_is_not_there_is_not_moved(self, client, draft, number):
        post(client, at(draft, "comprehension", "new"), **self.ASKED)
        address = reverse("setup_row_move", args=[draft.slug, "comprehension", number])
        assert client.post(address, {"do": "remove"}).status_code == 404

    def asked(self, study: Study) -> list[str]:
        return [one.question for one in comprehension(study).questions]

    def rows_seen(self, client: Client, study: Study) -> str:
        return str(client.get(at(study, "comprehension")).context["rows_seen"])


@pytest.mark.slow
def test_fields_of_the_questionnaire(client, draft):
    post(client, at(draft, "questionnaire", "new"), question="How old?", name="age", kind="age_band", options="")
    asked = {
        "question": "Where?",
        "name": "place",
        "kind": "choice",
        "options": "Here\r\n There \r\n",
        "required": "on",
    }
    post(client, at(draft, "questionnaire", "new"), **asked)
    first, second = stored(draft).path.questionnaire
    assert (first.kind, first.required) == ("age_band", False)
    assert (second.options, second.required) == (("Here", "There"), True)
    answer = post(client, at(draft, "questionnaire", 2), **asked | {"name": "age"})
    assert "'age' was already used" in text(answer)
    assert answer.context["form"]["name"].errors


@pytest.mark.slow
def test_practice_and_the_items_page(client, draft):
    post(client, at(draft, "items"), page__advance="enter", page__cannot_judge="on", page__report_problem="on")
    study = stored(draft)
    assert (study.advance, study.path.feedback) == ("enter", False)
    assert (study.cannot_judge, study.report_problem) == (True, True)
    post(client, at(draft, "items"), page__advance="choice", practice__feedback="on")
    study = stored(draft)
    assert (study.advance, study.path.feedback, "practice" in study.stages) == ("choice", True, False)
    assert (study.cannot_judge, study.report_problem) == (False, False)


class TestPlatform:
    @pytest.mark.slow
    def test_codes_ways_back_and_warnings(self, client, draft):
        address = at(draft, "platform")
        post(client, address, collection__platform="prolific", codes__completed="C1ABC", return__redirect="on")
        study = stored(draft)
        assert (study.platform, study.codes, study.redirects) == ("prolific", {"completed": "C1ABC"}, True)
        assert "Codes are missing for failed checks" in text(client.get(address))
        assert "Codes are missing for failed checks" in text(client.get(at(draft)))

    def test_an_address_that_tells_nobody_apart_is_refused(self, client, draft):
        answer = post(client, at(draft, "platform"), return__address="https://panel.example/end")
        assert answer.status_code == 422
        assert answer.context["form"]["return__address"].errors

    @pytest.mark.slow
    def test_it_is_fixed_once_somebody_has_begun_and_the_codes_are_not(self, client, whole):
        Bot().begin(whole.links.get().get_absolute_url())
        assert "Locked since " in text(client.get(at(whole, "platform")))
        post(client, at(whole, "platform"), collection__platform="prolific", codes__completed="C1ABC")
        study = stored(whole)
        assert (study.platform, study.codes) == ("", {"completed": "C1ABC"})


def test_once_open_the_page_says_what_holds(client, whole):
    assert "The study is open" in text(client.get(at(whole, "consent")))
    assert whole.policy_hash in text(client.get(at(whole, "quality")))
    labels = client.get(at(whole, "labels")).context["form"]
    shut = {name for name, field in labels.fields.items() if field.disabled}
    assert {"collection__attention_per_sitting", "collection__gold_per_sitting"} <= shut
    assert labels.reasons == [
        "The study has opened, and its number of labels is locked; its exclusion rules are locked."
    ]


@pytest.mark.slow
def test_consent_is_reworded_and_not_removed_once_somebody_was_asked(client, whole):
    Bot().begin(whole.links.get().get_absolute_url())
    answer = post(client, at(whole, "consent"), consent__text="")
    assert "reworded but not removed" in text(answer)
    assert "consent" in stored(whole).stages


def test_the_file_is_the_study(client, whole):
    post(client, at(whole, "debriefing"), debriefing__text='One.\n\nTwo “quoted” \\ """ three.')
    answer = client.get(reverse("setup_file", args=[whole.slug]))
    assert "study.toml" in answer.headers["Content-Disposition"]
    assert tomllib.loads(answer.content.decode()) == tables_of(stored(whole))
    assert 'text = """\nOne.\n' in answer.content.decode()


@pytest.mark.parametrize("wrong", ["\0", "x" * 301])
def test_what_no_browser_would_send_is_refused(client, draft, wrong):
    answer = post(client, at(draft, "information"), title="Lamps", information__pay=wrong)
    assert answer.status_code == 422
    assert answer.context["form"]["information__pay"].errors
    assert stored(draft).stages == {}


def test_how_a_text_looks_is_shown_whatever_else_is_wrong(client, draft):
    """The browser takes in no answer that says that something was refused."""
    answer = client.post(at(draft, "consent"), {"show": "1", "consent__text": "I am **18**.", "seen": ""})
    assert answer.status_code == 200 and "<strong>18</strong>" in answer.content.decode()
    assert not stored(draft).stages
