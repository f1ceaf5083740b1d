"""What platforms set for a study, and what they say of a policy that goes against their rules."""

import re
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from annotation.loading import load_study
from annotation.models import Sitting, Study
from annotation.platforms import PLATFORMS, Outcome, Rules, filled_in, is_address
from annotation.quality.sentences import warnings
from tests.annotation.pages.bot import Bot, Page
from tests.studies import open_small_study, plausibility_row, plausibility_rows, write_study

CODES = {outcome.value: f"C-{outcome}" for outcome in Outcome}


def said(platform: str = "prolific", **rules: object) -> str:
    usual = {"attention_per_sitting": 2, "gold_per_sitting": 0, "max_attention_failures": 1, "minutes": 8}
    given = {**usual, "codes": CODES, "addresses": {}, **rules}
    return " ".join(one.says for one in PLATFORMS[platform].warnings(Rules(**given)))  # type: ignore[arg-type]


class TestProlific:
    def test_has_nothing_to_say_of_a_policy_that_fits(self):
        assert said() == ""

    @pytest.mark.parametrize(("minutes", "begins"), [(5, "Prolific rejects no one"), (0, "For batches of 5")])
    def test_two_failures_from_five_minutes_on(self, minutes, begins):
        assert said(minutes=minutes, max_attention_failures=0).startswith(begins)
        assert "has only one" in said(minutes=minutes, attention_per_sitting=1)

    def test_in_a_shorter_study_one_is_enough(self):
        assert said(minutes=4, attention_per_sitting=1, max_attention_failures=0) == ""

    def test_checks_are_recommended_in_any_study(self):
        assert "recommends attention checks" in said(minutes=3, attention_per_sitting=0)

    def test_gold_is_no_attention_check(self):
        assert "cannot be rejected" in said(gold_per_sitting=1)

    def test_checks_say_what_they_want(self):
        assert "a, b, c, d, e …" in said(unasked=tuple("abcdef"))

    def test_codes(self):
        assert "“Code for completed” is missing" in said(codes={})
        assert "Codes are missing for withdrawn" in said(codes=without("withdrawn"))
        assert "are the same" in said(codes={**CODES, "screened_out": CODES["failed_checks"]})


def without(name: str) -> dict[str, str]:
    return {outcome: code for outcome, code in CODES.items() if outcome != name}


def test_a_panel_needs_addresses():
    assert "URLs are missing for failed checks" in said("panel", addresses={"completed": "https://p.example/"})
    assert said("panel", addresses={"address": "https://p.example/{outcome}"}) == ""


@pytest.mark.parametrize("platform", ["mturk", "volunteers"])
def test_others_have_no_rules(platform):
    assert said(platform, codes={}) == ""


@pytest.mark.django_db
class TestShown:
    def test_an_item_that_names_its_answer_asks_for_it(self, tmp_path):
        asks = plausibility_row(1, kind="attention", reference="less_likely")
        asks.content["original"] = "Please choose less likely here."
        rows = [*plausibility_rows(3), asks, plausibility_row(2, kind="attention", reference="impossible")]
        study = open_small_study(tmp_path, rows, collection={"platform": "prolific", "attention_per_sitting": 2})
        assert any("These may not: attention-2." in sentence for sentence in warnings(study))

    @pytest.mark.slow
    def test_when_a_study_is_loaded_and_on_its_page(self, tmp_path, admin_client):
        out = StringIO()
        folder = write_study(tmp_path, plausibility_rows(3), collection={"platform": "prolific"})
        call_command("load_study", folder, stdout=out)
        assert "Warning: “Code for completed” is missing" in out.getvalue()
        assert "before opening" in admin_client.get(reverse("study", args=["small"])).content.decode()
        assert "“Code for completed” is missing" in admin_client.get(reverse("setup", args=["small"])).content.decode()

    def test_not_where_nobody_sends_participants(self, tmp_path):
        assert warnings(open_small_study(tmp_path, plausibility_rows(3))) == []

    def test_volunteers_come_without_an_id(self, tmp_path):
        open_small_study(tmp_path, plausibility_rows(3), collection={"platform": "volunteers"})
        assert not Study.objects.get().id_required


@pytest.mark.parametrize(
    "bad",
    [
        "http://a.example/",
        "https://",
        "https://{id}.example/",
        "https://a.example{id}",
        "https://a.example/{x}",
        "https://a b/",
        3,
    ],
)
def test_what_is_no_address(bad):
    assert not is_address(bad)


def test_what_stands_in_an_address_is_quoted():
    values = {"code": "C1", "id": "a/b&c=ä", "session": "", "outcome": "completed"}
    assert filled_in("https://a.example/?c={code}&i={id}", values) == "https://a.example/?c=C1&i=a%2Fb%26c%3D%C3%A4"
    assert filled_in("https://a.example/?s={session}", values) == ""


EXAMPLES = settings.BASE_DIR / "examples"
COMES_WITH = {
    "prolific": "?PROLIFIC_PID=5f3c1e9a7b2d4c6e8f0a1b2c&SESSION_ID=s1",
    "panel": "?id=p7",
    "mturk": "?workerId=A1WORKER&hitId=H1&assignmentId=ASG1&turkSubmitTo=https://www.mturk.com",
    "volunteers": "",
}
LEADS_TO = {
    "prolific": "https://app.prolific.com/submissions/complete?cc=C0MPLET3",
    "panel": "https://panel.example/complete?id=p7",
}


def attentive(page: Page) -> str:
    """Both checks ask for a word; the first answer to all else."""
    wanted = next((word for word in ("not", "very") if f"choose “{word}”" in page.in_sight), None)
    if wanted is None:
        return page.choices[0]
    shown = re.split(r'class="option-text"[^>]*>', page.in_sight)[1:]
    return next(value for value, text in zip(page.choices, shown, strict=True) if text.startswith(wanted))


def through_all_stages(visitor: Bot) -> None:
    """From the consent to the first item behind practice."""
    assert "I am 18 or older" in visitor.page.text
    visitor.post(decision="agree")
    assert "What do you do with each item?" in visitor.post().text
    assert "Practice 1 of 2" in visitor.post(question_1="I choose the word that fits the blank better").text
    for _ in range(2):
        visitor.answer()
        visitor.post()
    assert "Item 1 of 8" in visitor.page.text


def test_every_platform_has_one():
    assert {path.name for path in EXAMPLES.iterdir() if path.is_dir()} == set(PLATFORMS) == set(COMES_WITH)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_example_is_a_study_of_its_platform(platform):
    study = load_study(EXAMPLES / platform, open_study=True).study
    assert study.platform == platform
    assert warnings(study) == []
    visitor = Bot(attentive)
    visitor.begin(study.links.get().get_absolute_url() + COMES_WITH[platform])
    if platform == "prolific":
        through_all_stages(visitor)
    last = visitor.finish()
    assert Sitting.objects.get().outcome == "completed"
    if platform in LEADS_TO:
        assert LEADS_TO[platform] in last.links
    assert last.has_form == (platform == "mturk")
