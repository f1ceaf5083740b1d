"""The preview: the pages of a participant, in order and instead of them; afterwards everything is as it was."""

import re
from html import unescape

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import F
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.audit.deeds import Deed
from annotation.loading import load_study
from annotation.models import Act, Item, Study
from annotation.platforms import PLATFORMS, Outcome
from researcher.setup.preview import aside_of, walk_of
from tests.annotation.stages.whole import RIGHT, WRONG, open_whole, practice_rows, write_whole
from tests.studies import declare, open_small_study, plausibility_row, plausibility_rows, write_study

SAYS = {
    "first": "About 6 minutes",
    "consent": "I am <strong>18 or older</strong>",
    "instructions": "Read both sentences.",
    "comprehension": "What do you judge?",
    "practice": "Practice 1 of 2",
    "feedback": "Broken lamps seldom",
    "practice-2": "Practice 2 of 2",
    "feedback-2": "A different answer was expected",
    "target": "lights the hall",
    "last": "lights the hall",
    "questionnaire": "How old are you?",
    "debriefing": "We compare people",
    "end": "In the study, this page says how many answers are saved.",
}
INSTEAD = {
    "again": "This is your last try.",
    "no_consent": "You decided not to take part.",
    "screened_out": "Not all answers about the instructions were correct",
    "failed_checks": "In the study, this page says how many answers are saved.",
    "quota_full": "All items of this study have been given out.",
    "too_late": "The other items went to other people",
    "withdrawn": "we deleted the data that could identify you",
    "nothing_left": "This study has no items for you right now",
    "nothing_more": "This study has all the answers it needs",
    "link_full": "This link has reached its limit of participants",
    "crowd": "All places are taken right now. One may open up within 10 minutes",
    "closed": "has closed and takes no more answers",
    "closed_midway": "It takes no more answers.",
    "took_part": "You have taken part in this study or a similar one",
    "elsewhere": "in another browser",
    "no_id": "is missing from the address",
    "bad_id": "is not a valid ID",
}
FIRST_PAGES = ("first", "practice", "feedback", "practice-2", "feedback-2")
RADIO = r'<input type="radio" name="(\w+)" value="([^"]*)"'
CODES = {one.value: f"CODE{number}" for number, one in enumerate(Outcome)}


def everything() -> dict[str, list[object]]:
    """Every row that there is, but for logins, which asking for a page may touch, and that somebody has previewed."""
    models = [model for model in apps.get_models() if model._meta.app_label in ("annotation", "scoring", "training")]
    rows: dict[str, list[object]] = {
        one._meta.label: list(one._default_manager.order_by("pk").values()) for one in models
    }
    return rows | {"annotation.Act": list(Act.objects.exclude(deed=Deed.PREVIEWED).order_by("pk").values())}


def page(study: Study, step: str) -> str:
    return reverse("setup_preview_at", args=[study.slug, step])


def said(answer: HttpResponse) -> str:
    return " ".join(unescape(answer.content.decode()).split())


@pytest.fixture
def prolific(db, tmp_path) -> Study:
    """A draft with every stage, on a platform with a code for each outcome."""
    folder = write_whole(tmp_path / "whole", collection={"platform": "prolific"}, codes=CODES)
    return load_study(folder).study


class Visit:
    """Somebody who presses what stands on the pages, without JavaScript."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.open(address)

    def open(self, address: str) -> None:
        self.address, self.answer = address, self.client.get(address)

    @property
    def at(self) -> str:
        return self.address.partition("?")[0].rstrip("/").rpartition("/")[2]

    def press(self, **values: str) -> None:
        """Send the page's first form, to where it says."""
        form = re.search(r"<form[^>]*>.*?</form>", self.answer.content.decode(), re.DOTALL)
        assert form is not None
        to = re.search(r'action="([^"]*)"', form[0].partition(">")[0])
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
        answer = self.client.post(to[1] if to else self.address, hidden | values)
        if answer.status_code == 303:
            self.open(answer.headers["Location"])
        else:
            self.answer = answer


@pytest.fixture
def visit(client: Client, prolific: Study) -> Visit:
    return Visit(client, page(prolific, "first"))


@pytest.mark.slow
@pytest.mark.parametrize("opened", [True, False], ids=["open", "draft"])
def test_each_page_is_shown_and_nothing_is_stored(client, tmp_path, opened):
    folder = write_whole(tmp_path / "whole", collection={"platform": "prolific"}, codes=CODES)
    study = load_study(folder, open_study=opened).study
    assert walk_of(study).keys() == SAYS.keys()
    assert aside_of(study).keys() == INSTEAD.keys()
    before = everything()
    for step, words in (SAYS | INSTEAD).items():
        answer = client.get(page(study, step))
        assert answer.status_code == 200, step
        assert words in said(answer), step
        assert "<strong>PREVIEW</strong>" in said(answer), step
        assert "<title>PREVIEW · " in said(answer), step
        assert "Saved <span" not in said(answer), step
        assert "/sitting/" not in said(answer), step
        assert everything() == before, step


def answered(step: str, html: str) -> dict[str, str]:
    """What somebody presses and chooses: to agree, the first answer, nothing where nothing must be."""
    if step == "consent":
        return {"decision": "agree"}
    return {name: unescape(value) for name, value in reversed(re.findall(RADIO, html))}


@pytest.mark.slow
@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_example_can_be_walked_through(client, platform):
    study = load_study(settings.BASE_DIR / "examples" / platform).study
    before = everything()
    visit = Visit(client, page(study, "first"))
    came = [visit.at]
    while visit.at != "end":
        visit.press(**answered(visit.at, visit.answer.content.decode()))
        assert visit.answer.status_code == 200, visit.at
        came.append(visit.at)
    assert came == list(walk_of(study))
    assert everything() == before


@pytest.mark.slow
def test_who_presses_what_is_there_comes_to_the_end_and_nothing_is_stored(visit):
    before = everything()
    came = []
    values: dict[str, dict[str, str]] = {
        "consent": {"decision": "agree"},
        "comprehension": RIGHT,
        "practice": {"answer": "less_likely"},
        "practice-2": {"answer": "more_likely"},
        "target": {"answer": "less_likely"},
        "last": {"answer": "impossible"},
        "questionnaire": {"first_language": "Finnish"},
    }
    while visit.at != "end":
        came.append(visit.at)
        visit.press(**values.get(visit.at, {}))
    assert came == list(SAYS)[:-1]
    assert f"cc={CODES['completed']}" in said(visit.answer)
    assert everything() == before


class TestWhatIsPressed:
    @pytest.mark.slow
    def test_declining_leads_to_its_page_with_its_code(self, visit, prolific):
        visit.open(page(prolific, "consent"))
        visit.press(decision="decline")
        assert visit.at == "no_consent"
        assert CODES["no_consent"] in said(visit.answer)

    @pytest.mark.slow
    def test_wrong_answers_lead_to_the_last_try_and_out(self, visit, prolific):
        visit.open(page(prolific, "comprehension"))
        visit.press(**WRONG)
        assert visit.at == "again"
        assert "It is the <strong>second</strong> sentence" in said(visit.answer)
        visit.press(**WRONG)
        assert visit.at == "screened_out"
        visit.open(page(prolific, "again"))
        visit.press(**RIGHT)
        assert visit.at == "practice"

    @pytest.mark.slow
    def test_practice_says_what_was_answered(self, visit, prolific):
        visit.open(page(prolific, "practice"))
        visit.press(answer="less_likely")
        assert visit.at == "feedback"
        assert "That is the expected answer" in said(visit.answer)
        visit.open(page(prolific, "practice"))
        visit.press(answer="impossible")
        assert "A different answer was expected" in said(visit.answer)

    @pytest.mark.slow
    def test_from_the_debriefing_one_goes_back_to_the_questionnaire(self, client, visit, prolific):
        visit.open(page(prolific, "debriefing"))
        back = re.search(r'<a class="soft" href="([^"]*)">← Change your answers', visit.answer.content.decode())
        assert back is not None
        assert client.get(back[1]).headers["Location"] == page(prolific, "questionnaire")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("step", "values", "words"),
        [
            ("consent", {}, "Please say whether you agree."),
            ("questionnaire", {}, "Please fix the marked questions."),
            ("target", {}, "Please choose"),
            ("target", {"answer": "nonsense"}, "not one of the options shown"),
        ],
    )
    def test_what_is_in_the_way_is_said_on_the_page(self, visit, prolific, step, values, words):
        before = everything()
        visit.open(page(prolific, step))
        visit.press(**values)
        assert visit.answer.status_code == 422
        assert words in said(visit.answer)
        assert "<strong>PREVIEW</strong>" in said(visit.answer)
        assert everything() == before

    @pytest.mark.slow
    def test_a_page_with_scripts_is_led_on_too(self, client, prolific):
        answer = client.post(
            page(prolific, "target"), {"position": "3", "answer": "impossible"}, headers={"HX-Request": "true"}
        )
        assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, page(prolific, "last"))
        answer = client.get(page(prolific, "last") + "back/", headers={"HX-Request": "true"})
        assert answer.headers["HX-Redirect"] == page(prolific, "target")
        answer = client.post(page(prolific, "target"), {"stage": "still_here"}, headers={"HX-Request": "true"})
        assert answer.headers["Lease-Seconds"] == "3600"


@pytest.mark.parametrize("step", ["nothing_left", "took_part", "closed", "no_id"])
def test_a_page_that_takes_nothing_leads_to_itself(client, prolific, step):
    address = reverse("setup_preview_at", args=[prolific.slug, step])
    answer = client.post(address, {"stage": "consent", "agree": "yes"})
    assert (answer.status_code, answer.headers["Location"]) == (303, address)


@pytest.mark.slow
def test_the_way_back_is_said_and_leads_nowhere(client, prolific):
    for step in ("end", "failed_checks", "nothing_left", "closed", "took_part"):
        text = said(client.get(page(prolific, step)))
        assert "For people, the button leads to" in text, step
        assert 'href="https://app.prolific.com' not in text, step
    assert f"<code>https://app.prolific.com/submissions/complete?cc={CODES['screened_out']}" in text
    assert "Refresh" not in client.get(page(prolific, "end")).headers


@pytest.mark.slow
def test_what_was_saved_before_is_said_in_the_bar_and_not_later(client, tmp_path):
    study = load_study(write_study(tmp_path, plausibility_rows(4))).study
    address = reverse("setup_part", args=[study.slug, "debriefing"])
    client.post(address, {"seen": client.get(address).context["form"].now, "debriefing__text": "Thanks."})
    assert "Saved." in said(client.get(page(study, "first")))
    assert "Saved." not in said(client.get(reverse("setup", args=[study.slug])))


@pytest.mark.slow
def test_checks_are_among_the_items_and_the_bar_says_so(client, tmp_path):
    rows = [*practice_rows(), *plausibility_rows(4, gold=1, attention=1)]
    collection = {"gold_per_sitting": 1, "attention_per_sitting": 1}
    study = load_study(write_study(tmp_path, rows, collection=collection)).study
    walk = list(walk_of(study))
    assert set(walk) == {*FIRST_PAGES, "target", "last", "attention", "gold", "end"}
    items = [said(client.get(page(study, step))) for step in walk[len(FIRST_PAGES) : -1]]
    places = [re.search(r"Item </span>(\d) of 6", text) for text in items]
    numbers = [int(place[1]) for place in places if place]
    assert len(numbers) == 4
    assert numbers == sorted(numbers)
    for step in ("attention", "gold"):
        assert "People are not told that this is a check." in said(client.get(page(study, step)))


@pytest.mark.slow
def test_it_speaks_the_study_s_language_and_its_bar_does_not(client, tmp_path):
    study = load_study(write_whole(tmp_path / "whole")).study
    declare(language="de")
    text = said(client.get(page(study, "target")))
    assert '<html lang="de"' in text
    assert "Nothing is stored" in text
    assert "Anleitung" in text


def test_the_index_leads_to_every_page(client, prolific):
    text = said(client.get(reverse("setup_preview", args=[prolific.slug])))
    for step in SAYS | INSTEAD:
        assert f'href="{page(prolific, step)}"' in text


def test_the_pages_of_a_study_are_those_that_it_has(client, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2))
    assert list(walk_of(study)) == ["first", "target", "last", "end"]
    assert aside_of(study).keys() & {"again", "no_consent", "screened_out", "no_id"} == set()
    assert client.get(page(study, "consent")).status_code == 404
    assert client.post(page(study, "nonsense")).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("collection", [{}, {"as_imported": True}, {"one_per_group": True}])
def test_a_complete_study_shows_its_items_all_the_same(client, tmp_path, collection):
    rows = [plausibility_row(number, group=f"s{number // 2}") for number in range(4)]
    study = open_small_study(tmp_path, rows, collection=collection)
    Item.objects.update(counted=F("target"))
    shown = said(client.get(page(study, "target")))
    assert "lights the hall." in shown
    assert "No items right now" not in shown
    assert not study.items.filter(need__gt=0).exists(), "nothing is stored"


@pytest.mark.slow
def test_a_study_of_synthetic_labels_has_one_too(client, tmp_path):
    study = open_whole(tmp_path / "whole")
    Study.objects.update(population=Study.Population.SYNTHETIC)
    assert "What do you judge" in said(client.get(page(study, "comprehension")))
    visit = Visit(client, page(study, "comprehension"))
    visit.press(**RIGHT)
    assert visit.at == "practice"


def test_no_frame_may_show_it_whatever_the_platform(client, tmp_path):
    study = load_study(write_whole(tmp_path / "whole", collection={"platform": "mturk"})).study
    answer = client.get(page(study, "first"))
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
