"""Ids in addresses: which are refused and how one gets back, personal links, and going on by more than an id."""

from pathlib import Path

import pytest

from annotation.arrival.visitor import personal_address, signature
from annotation.models import Annotator, PlatformId, Sitting, Study
from tests.annotation.pages.bot import Bot
from tests.studies import declare, open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db

PID = "5f3c1e9a7b2d4c6e8f0a1b2c"


@pytest.fixture
def prolific(tmp_path: Path) -> Study:
    return open_small_study(tmp_path, plausibility_rows(20), collection={"platform": "prolific"}, slug="prolific")


def address(study: Study, query: str = "") -> str:
    return study.links.get().get_absolute_url() + query


def test_a_platform_says_what_its_ids_are(prolific: Study) -> None:
    assert (prolific.id_parameter, prolific.id_required) == ("PROLIFIC_PID", True)
    assert Bot().begin(address(prolific, f"?PROLIFIC_PID={PID}")).status == 200


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "is missing from the address"),
        ("?PROLIFIC_PID=", "is missing from the address"),
        ("?PROLIFIC_PID={{%25PROLIFIC_PID%25}}", "did not fill in"),
        ("?PROLIFIC_PID=${e://Field/PROLIFIC_PID}", "did not fill in"),
        ("?PROLIFIC_PID=%25PROLIFIC_PID%25", "did not fill in"),
        ("?PROLIFIC_PID=ann", "is not a valid ID"),
        (f"?PROLIFIC_PID={PID}0", "is not a valid ID"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_refuses_what_is_no_id_with_the_way_back(prolific: Study, query: str, says: str, method: str) -> None:
    visitor = Bot()
    if method == "post":
        visitor.open(address(prolific, f"?PROLIFIC_PID={PID}"))
        visitor.page.address = address(prolific, query)
        page = visitor.post()
    else:
        page = visitor.open(address(prolific, query))
    assert page.status == 400
    assert says in page.text
    assert "https://app.prolific.com/" in page.links
    assert not page.has_form
    assert not Annotator.objects.exists()


def test_a_placeholder_is_refused_where_ids_are_not_required_too(link: str) -> None:
    assert Bot().open(f"{link}?PROLIFIC_PID={{{{%25PROLIFIC_PID%25}}}}").status == 400


@pytest.fixture
def panel(tmp_path: Path) -> Study:
    """Its ids have no pattern."""
    return open_small_study(tmp_path, plausibility_rows(20), collection={"platform": "panel"}, slug="panel")


NOTHING = ["__ID__", "%23ID%23", "[ID]", "%25ID%25", "%ID%", "undefined", "null", "NULL", "none", "None", "nan", "NaN"]


@pytest.mark.parametrize("given", NOTHING)
def test_a_placeholder_is_nobody_where_ids_have_no_pattern(panel: Study, given: str) -> None:
    page = Bot().open(address(panel, f"?id={given}"))
    assert page.status == 400
    assert "did not fill in" in page.text
    assert not page.has_form


@pytest.mark.parametrize("given", ["a__b__c", "nancy", "none-7", "ann%23", "_x_"])
def test_ids_that_only_resemble_one_are_let_in(panel: Study, given: str) -> None:
    assert Bot().begin(address(panel, f"?id={given}")).status == 200


def test_the_platforms_words_are_kept_with_the_sitting(prolific: Study) -> None:
    Bot().begin(address(prolific, f"?PROLIFIC_PID={PID}&STUDY_ID=st-1&SESSION_ID=se-1"))
    sitting = Sitting.objects.get()
    assert (sitting.platform_study, sitting.platform_session) == ("st-1", "se-1")


@pytest.mark.parametrize("session", ["{{%25SESSION_ID%25}}", "undefined", "__SESSION__", "x" * 121, "a%00b", ""])
def test_a_session_that_says_nothing_is_not_kept(prolific: Study, session: str) -> None:
    Bot().begin(address(prolific, f"?PROLIFIC_PID={PID}&SESSION_ID={session}"))
    assert Sitting.objects.get().platform_session == ""


class TestRecoveryBySession:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("ways", "begun", "came", "status"),
        [
            (["session"], "se-1", "se-1", 200),
            (["session"], "se-1", "se-2", 403),
            (["session"], "se-1", "", 403),
            (["session"], "", "", 403),
            (["session"], "{{%25SESSION_ID%25}}", "{{%25SESSION_ID%25}}", 403),
            ([], "se-1", "se-1", 403),
        ],
    )
    def test_where_the_study_allows_it(
        self, prolific: Study, ways: list[str], begun: str, came: str, status: int
    ) -> None:
        declare(recovery=ways)
        Bot().begin(address(prolific, f"?PROLIFIC_PID={PID}&SESSION_ID={begun}"))
        other = Bot()
        assert other.open(address(prolific, f"?PROLIFIC_PID={PID}&SESSION_ID={came}")).status == status
        if status == 200:
            assert "You have answered 0 of 5" in other.post().text


class TestPersonalLinks:
    @pytest.fixture
    def signed(self, tmp_path: Path) -> Study:
        return open_small_study(tmp_path, plausibility_rows(20), collection={"signed_ids": True}, slug="signed")

    @pytest.mark.slow
    def test_lets_its_person_in_and_on_in_another_browser(self, signed: Study) -> None:
        personal = personal_address(signed.links.get(), "ann ä")
        first = Bot()
        first.begin(personal)
        first.answer()
        assert PlatformId.objects.get().value == "ann ä"
        other = Bot()
        other.open(personal)
        assert "You have answered 1 of 5" in other.post().text

    @pytest.mark.parametrize("query", ["?annotator=ann", "?annotator=ann&signature=0000", "?annotator=ann&signature=ä"])
    def test_a_study_that_asks_for_one_refuses_others(self, signed: Study, query: str) -> None:
        page = Bot().open(address(signed, query))
        assert page.status == 403
        assert "only personal links" in page.text

    def test_nobody_comes_without(self, signed: Study) -> None:
        assert Bot().open(address(signed)).status == 400

    def test_the_signature_is_of_the_id_and_the_study(self, signed: Study, study: Study) -> None:
        of_ann = signature(signed, "ann")
        assert of_ann not in (signature(signed, "bob"), signature(study, "ann"))
        assert Bot().open(address(signed, f"?annotator=bob&signature={of_ann}")).status == 403

    def test_a_study_may_forbid_going_on_by_it(self, signed: Study) -> None:
        declare(recovery=[])
        personal = personal_address(signed.links.get(), "ann")
        Bot().begin(personal)
        assert Bot().open(personal).status == 403
