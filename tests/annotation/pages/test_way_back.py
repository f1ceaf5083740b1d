"""Each outcome has its code and its way back, at the end and instead of a beginning."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.assignment import finish, start
from annotation.lifecycle.status import close_study, open_study
from annotation.models import Annotator, Exclusion, Item, PlatformId, Sitting, Study
from annotation.paying.lines import all_lines
from annotation.paying.queue import QueueFilter, queue
from annotation.platforms import Outcome
from annotation.quality.exclusion import exclude
from tests.annotation.pages.bot import Bot
from tests.studies import declare, fill_link, open_small_study, plausibility_rows

pytestmark = pytest.mark.django_db

CODES = {outcome.value: f"CODE-{outcome.value.upper()}" for outcome in Outcome}
BACK = "https://platform.example/end?cc={code}&id={id}&visit={session}"
WHO = "?PROLIFIC_PID=60a1&SESSION_ID=s/1"


def address(outcome: Outcome) -> str:
    return f"https://platform.example/end?cc={CODES[outcome]}&id=60a1&visit=s%2F1"


@pytest.fixture
def paid(tmp_path: Path) -> Study:
    return open_small_study(
        tmp_path / "paid",
        plausibility_rows(6, attention=1),
        slug="paid",
        collection={"sitting_length": 2, "attention_per_sitting": 1, "id_parameter": "PROLIFIC_PID"},
        codes=CODES,
        **{"return": {"address": BACK, "home": "https://platform.example/"}},
    )


@pytest.fixture
def door(paid: Study) -> str:
    return paid.links.get().get_absolute_url() + WHO


def shows_only(page: object, outcome: Outcome | None) -> bool:
    """The code of this outcome and the address that carries it, and no other code."""
    html, links = page.html, page.links  # type: ignore[attr-defined]
    shown = {code for code in CODES.values() if f">{code}<" in html}
    own = Sitting.objects.values_list("completion_code", flat=True)
    assert not any(code in html for code in own), "a code that the platform does not know"
    if outcome is None:
        return not shown and "https://platform.example/" in links
    return shown == {CODES[outcome]} and address(outcome) in links


@pytest.mark.slow
def test_a_sitting_that_is_completed(door: str) -> None:
    visitor = Bot(lambda page: "impossible")
    visitor.begin(door)
    assert shows_only(visitor.finish(), Outcome.COMPLETED)


@pytest.mark.slow
def test_once_the_id_is_erased_the_code_stays_and_the_way_leads_home(door: str) -> None:
    visitor = Bot(lambda page: "impossible")
    visitor.begin(door)
    visitor.finish()
    PlatformId.objects.all().delete()
    page = visitor.open(Sitting.objects.get().get_absolute_url())
    assert f">{CODES[Outcome.COMPLETED]}<" in page.html
    assert "https://platform.example/" in page.links


def answers_badly(door: str) -> Bot:
    visitor = Bot(lambda page: "more_likely")
    visitor.begin(door)
    visitor.finish()
    return visitor


@pytest.mark.slow
def test_failed_checks(door: str) -> None:
    assert shows_only(answers_badly(door).page, Outcome.FAILED_CHECKS)


@pytest.mark.slow
def test_failed_checks_have_the_code_of_the_completed_where_a_study_does_not_tell_them_apart(
    paid: Study, door: str
) -> None:
    Study.objects.update(codes={"completed": CODES[Outcome.COMPLETED]})
    assert shows_only(answers_badly(door).page, Outcome.COMPLETED)


@pytest.mark.slow
@pytest.mark.parametrize("outcome", [Outcome.SCREENED_OUT, Outcome.NO_CONSENT, Outcome.WITHDRAWN, Outcome.QUOTA_FULL])
def test_a_sitting_that_ended_early(door: str, outcome: Outcome) -> None:
    visitor = Bot()
    visitor.begin(door)
    finish(Sitting.objects.get(), outcome)
    assert shows_only(visitor.open(door.partition("?")[0] + WHO), None) is False
    assert shows_only(visitor.open(Sitting.objects.get().get_absolute_url()), outcome)


@pytest.mark.slow
def test_a_study_that_closes_midway(paid: Study, door: str) -> None:
    visitor = Bot()
    visitor.begin(door)
    visitor.answer()
    close_study(paid)
    assert Sitting.objects.get().outcome == "", "whoever has not looked goes on if it opens again"
    page = visitor.open(door)
    assert page.status == 410
    assert shows_only(page, Outcome.TOO_LATE)
    sitting = Sitting.objects.get()
    assert (sitting.state, sitting.outcome) == (Sitting.State.FINISHED, Outcome.TOO_LATE)
    assert not Item.objects.filter(reserved__gt=0).exists()
    (line,) = all_lines(paid, queue(paid, QueueFilter(outcome=Outcome.TOO_LATE)), pay=None)
    assert (line.outcome, line.code, line.answered) == ("too late", CODES[Outcome.TOO_LATE], 1)


@pytest.mark.slow
def test_a_study_that_closes_on_who_has_not_read(tmp_path: Path) -> None:
    """The verdict comes as it does when a lease runs out, whichever page tells of the end."""
    collection = {"sitting_length": 1, "attention_per_sitting": 2, "id_parameter": "PROLIFIC_PID"}
    study = open_small_study(tmp_path, plausibility_rows(3, attention=2), collection=collection, codes=CODES)
    door = study.links.get().get_absolute_url() + WHO
    visitor = Bot(lambda page: "more_likely")
    visitor.begin(door)
    visitor.answer()
    visitor.answer()
    close_study(study)
    assert f">{CODES[Outcome.FAILED_CHECKS]}<" in visitor.open(door).html
    assert Sitting.objects.get().outcome == Outcome.FAILED_CHECKS
    assert study.exclusions.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("is_told", [True, False], ids=["told", "not told"])
def test_who_is_told_that_a_study_has_closed_has_ended_and_nobody_else(paid: Study, door: str, is_told: bool) -> None:
    visitor = Bot(lambda page: "impossible")
    visitor.begin(door)
    visitor.answer()
    close_study(paid)
    if is_told:
        visitor.open(door)
    open_study(paid)
    page = visitor.open(door)
    if not is_told:
        assert "You have answered 1 of 3" in page.text
        visitor.post()
        assert shows_only(visitor.finish(), Outcome.COMPLETED)
        return
    # The platform takes one code of a visit. In another visit they begin another sitting.
    assert (page.status, page.has_form) == (200, False)
    assert shows_only(page, Outcome.TOO_LATE)
    assert visitor.begin(door.replace("SESSION_ID=s/1", "SESSION_ID=s/2")).has_item


@pytest.mark.slow
def test_one_that_closes_after_the_last_answer_has_been_completed(paid: Study, door: str) -> None:
    visitor = Bot(lambda page: "impossible")
    visitor.begin(door)
    visitor.finish()
    # As if the server had died between the last answer and the end.
    Sitting.objects.update(state=Sitting.State.ACTIVE, outcome="", finished_at=None)
    close_study(paid)
    assert shows_only(visitor.open(door), Outcome.COMPLETED)


def nobody_else_can_begin(study: Study) -> None:
    fill_link(study, code=CODES["completed"])


def nothing_is_left(study: Study) -> None:
    Item.objects.filter(kind="target").update(target=0)


def it_has_closed(study: Study) -> None:
    close_study(study)


def the_link_has_run_out(study: Study) -> None:
    study.links.update(expires_at=timezone.now() - timedelta(seconds=1))


def it_holds_synthetic_labels(study: Study) -> None:
    Study.objects.update(population=Study.Population.SYNTHETIC)


@pytest.mark.parametrize(
    ("happens", "outcome"),
    [
        (nobody_else_can_begin, Outcome.QUOTA_FULL),
        (nothing_is_left, Outcome.QUOTA_FULL),
        (it_holds_synthetic_labels, Outcome.QUOTA_FULL),
        (it_has_closed, Outcome.TOO_LATE),
        (the_link_has_run_out, Outcome.TOO_LATE),
    ],
)
@pytest.mark.parametrize("looked", [True, False], ids=["meanwhile", "before"])
def test_who_cannot_begin(
    paid: Study, door: str, happens: Callable[[Study], None], outcome: Outcome, looked: bool
) -> None:
    visitor = Bot()
    if looked:
        visitor.open(door)
    happens(paid)
    # Who comes when it is so is told before there is anything to read or to press.
    page = visitor.post() if looked else visitor.open(door)
    assert (page.status in (403, 409, 410), page.has_form) == (True, False)
    assert shows_only(page, outcome)
    assert "try again" not in page.text
    assert not Annotator.objects.exclude(external_id="who-was-first").exists()


def test_of_a_complete_study_nobody_is_told_to_try_again(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(3))
    nothing_is_left(study)
    text = Bot().open(study.links.get().get_absolute_url()).text
    assert "has all the answers it needs" in text and "no more answers from you" not in text
    assert study.title in text and "try again" not in text


@pytest.mark.parametrize("happens", [nobody_else_can_begin, nothing_is_left])
def test_who_comes_late_is_told_so_before_consent(tmp_path: Path, happens: Callable[[Study], None]) -> None:
    study = open_small_study(
        tmp_path,
        plausibility_rows(3),
        collection={"id_parameter": "PROLIFIC_PID"},
        codes=CODES,
        consent={"text": "I agree."},
        **{"return": {"address": BACK}},
    )
    address = study.links.get().get_absolute_url() + WHO
    happens(study)
    page = Bot().open(address)
    assert not page.has_form
    assert shows_only(page, Outcome.QUOTA_FULL)


@pytest.mark.slow
def test_slots_whose_lease_has_run_out_are_open_to_whoever_comes(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(3), collection={"labels_per_item": 1, "sitting_length": 3})
    address = study.links.get().get_absolute_url()
    first = Bot()
    first.begin(address)
    first.answer()
    assert Bot().open(address).status == 409
    Sitting.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    assert Bot().open(address).status == 200
    assert Sitting.objects.get().state == Sitting.State.ACTIVE, "looking changes nothing"
    assert Bot().begin(address).has_item


def test_a_study_without_a_code_for_too_late_says_that_it_is_full(paid: Study, door: str) -> None:
    codes = {"completed": CODES[Outcome.COMPLETED], "quota_full": CODES[Outcome.QUOTA_FULL]}
    Study.objects.update(codes=codes, addresses={"quota_full": BACK})
    close_study(paid)
    assert shows_only(Bot().open(door), Outcome.QUOTA_FULL)


@pytest.mark.slow
def test_who_has_done_the_most_is_told_the_end_of_their_own_sitting(paid: Study, door: str) -> None:
    """Of the same visit; in another visit they came too many."""
    declare(max_items_per_annotator=2)
    visitor = Bot(lambda page: "impossible")
    visitor.begin(door)
    visitor.finish()
    page = visitor.begin(door)
    assert shows_only(page, Outcome.COMPLETED)
    assert "do another one" not in page.text, "it has no other code than the one that stands there"
    page = visitor.begin(door.replace("SESSION_ID=s/1", "SESSION_ID=s/2"))
    assert "See your code" in page.text
    assert f">{CODES[Outcome.QUOTA_FULL]}<" in page.html
    assert f">{CODES[Outcome.COMPLETED]}<" not in page.html


@pytest.mark.slow
def test_so_is_who_was_excluded(paid: Study, door: str) -> None:
    visitor = Bot(lambda page: "impossible")
    visitor.begin(door)
    visitor.finish()
    exclude(paid, Annotator.objects.get(), rule=Exclusion.Rule.RESEARCHER, evidence={})
    assert shows_only(visitor.begin(door), Outcome.COMPLETED)
    assert f">{CODES[Outcome.SCREENED_OUT]}<" in visitor.begin(door.replace("SESSION_ID=s/1", "SESSION_ID=s/2")).html


def test_who_comes_in_a_crowd_may_wait_or_go_back(paid: Study, door: str) -> None:
    start(paid, Annotator.objects.create(platform="PROLIFIC_PID", external_id="before"))
    Sitting.objects.update(link=paid.links.get())
    declare(max_unanswered=1)
    page = Bot().begin(door)
    assert page.status == 429
    assert "again in a few minutes. If you would rather not wait" in page.text
    assert shows_only(page, Outcome.QUOTA_FULL)


def test_before_it_opens_and_whom_nobody_knows_has_no_code(paid: Study, door: str) -> None:
    assert shows_only(Bot().open(door.partition("?")[0] + "?PROLIFIC_PID="), None)
    Study.objects.update(state=Study.State.DRAFT, opened_at=None)
    assert shows_only(Bot().open(door), None)


@pytest.mark.slow
def test_another_browser_with_a_known_id_is_given_no_code(paid: Study, door: str) -> None:
    answers_badly(door)
    assert shows_only(Bot().open(door), None)


def test_without_a_code_for_it_the_way_leads_to_the_platforms_own_pages(paid: Study, door: str) -> None:
    Study.objects.update(codes={"completed": "C1"})
    close_study(paid)
    assert shows_only(Bot().open(door), None)


@pytest.mark.slow
def test_a_study_without_codes_shows_the_sittings_own(bot: Bot) -> None:
    page = bot.finish()
    assert f">{Sitting.objects.get().completion_code}<" in page.html
    assert "If the person who invited you asked for a code" in page.text


class TestAddressesWithoutCodes:
    """As of a panel: its addresses tell how it ended, and it knows no code."""

    @pytest.fixture
    def panel(self, paid: Study, door: str) -> str:
        Study.objects.update(codes={}, addresses={"address": "https://panel.example/end?as={outcome}&id={id}"})
        return door

    @pytest.mark.slow
    def test_the_end_is_the_way_back_alone(self, panel: str) -> None:
        visitor = Bot(lambda page: "impossible")
        visitor.open(panel)
        assert "a button takes you back to the platform" in visitor.page.text
        assert "completion code" not in visitor.page.text
        visitor.begin(panel)
        page = visitor.finish()
        assert "https://panel.example/end?as=completed&amp;id=60a1" in page.html
        assert 'class="code"' not in page.html
        assert "give it to them" not in page.text

    @pytest.mark.slow
    def test_nor_is_there_a_code_once_the_id_is_erased(self, panel: str) -> None:
        visitor = answers_badly(panel)
        PlatformId.objects.all().delete()
        assert 'class="code"' not in visitor.open(Sitting.objects.get().get_absolute_url()).html

    @pytest.mark.slow
    def test_no_code_is_spoken_of_when_they_come_again(self, panel: str) -> None:
        visitor = Bot(lambda page: "impossible")
        visitor.begin(panel)
        visitor.finish()
        assert "See its last page" in visitor.open(panel).text
        Study.objects.get().links.update(expires_at=timezone.now() - timedelta(seconds=1))
        page = visitor.open(panel)
        assert "See your last page" in page.text
        assert "See your code" not in page.text

    @pytest.mark.slow
    def test_an_address_that_only_carries_a_code_tells_nothing_without_one(self, panel: str) -> None:
        Study.objects.update(addresses={"address": BACK})
        visitor = answers_badly(panel)
        assert f">{Sitting.objects.get().completion_code}<" in visitor.page.html


@pytest.mark.slow
def test_the_last_page_goes_on_by_itself_where_the_study_says_so(paid: Study, door: str) -> None:
    Study.objects.update(redirects=True)
    visitor = Bot(lambda page: "impossible")
    visitor.begin(door)
    visitor.finish()
    last = Sitting.objects.get().get_absolute_url()
    response = visitor.client.get(last)
    assert response["Refresh"] == f"20; url={address(Outcome.COMPLETED)}"
    assert "You will be taken there" in response.content.decode()
    assert "Refresh" not in visitor.client.get(f"{last}?stay")
    assert visitor.client.get(last, headers={"HX-Request": "true"})["HX-Redirect"] == last


@pytest.mark.slow
def test_elsewhere_it_does_not(door: str) -> None:
    visitor = answers_badly(door)
    assert "Refresh" not in visitor.client.get(Sitting.objects.get().get_absolute_url())


@pytest.mark.slow
def test_the_last_page_names_the_payment_that_was_stated(tmp_path: Path) -> None:
    study = open_small_study(
        tmp_path / "paid", plausibility_rows(1), slug="paid", collection={"pay": "2.00", "currency": "EUR"}
    )
    bot = Bot()
    page = bot.open(study.links.get().get_absolute_url())
    while page.has_form:
        page = bot.answer() if Sitting.objects.exists() else bot.post()
    assert "Your payment, as stated at the start: €2.00" in page.text
