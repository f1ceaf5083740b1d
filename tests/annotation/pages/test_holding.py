"""A sitting belongs to the browser that began it: what another gets with the id, the address, or a release."""

import pytest

from annotation.arrival.ownership import release
from annotation.arrival.visitor import COOKIE
from annotation.assignment import finish
from annotation.lifecycle.status import close_study
from annotation.models import Judgment, Sitting, Study
from tests.annotation.pages.bot import Bot, Page

pytestmark = pytest.mark.django_db

KNOWN = "?PROLIFIC_PID=60a1"


def tells_nothing(page: Page, sitting: Sitting) -> bool:
    """No form, no way into the sitting, no progress, no code."""
    secrets = (sitting.token, sitting.completion_code, "2 of 7", "of 7")
    return not page.has_form and not any(secret in page.html for secret in secrets)


@pytest.fixture
def holder(link: str) -> Bot:
    """A browser that has answered two items with a platform's id."""
    first = Bot()
    first.begin(link + KNOWN)
    first.answer()
    first.answer()
    return first


@pytest.mark.slow
@pytest.mark.parametrize("finished", [False, True])
def test_another_browser_with_a_known_id_gets_nothing(holder: Bot, link: str, finished: bool) -> None:
    if finished:
        holder.finish()
    sitting, other = Sitting.objects.get(), Bot()
    page = other.open(link + KNOWN)
    assert page.status == 403
    assert "in another browser" in page.text
    assert tells_nothing(page, sitting)
    # A browser that posts what the page of a stranger holds.
    other.open(link)
    other.page.address = link + KNOWN
    assert other.post().status == 403
    assert tells_nothing(other.page, sitting)
    assert Sitting.objects.get().browser == sitting.browser


@pytest.mark.slow
@pytest.mark.parametrize("shut", ["closed", "expired"])
def test_nor_does_it_when_nobody_can_begin_any_more(holder: Bot, study: Study, link: str, shut: str) -> None:
    if shut == "closed":
        close_study(study)
    else:
        study.links.update(expires_at=study.created_at)
    page = Bot().open(link + KNOWN)
    assert page.status == 403
    assert tells_nothing(page, Sitting.objects.get())


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "back/"])
def test_the_address_of_a_sitting_opens_in_its_own_browser_only(holder: Bot, path: str) -> None:
    sitting = Sitting.objects.get()
    page = Bot().open(sitting.get_absolute_url() + path)
    assert page.status == 403
    assert tells_nothing(page, sitting)
    assert holder.open(sitting.get_absolute_url() + path).status == 200


@pytest.mark.slow
def test_it_leads_any_other_browser_to_the_platforms_own_pages(holder: Bot) -> None:
    home, sitting = "https://platform.example/", Sitting.objects.get()
    Study.objects.update(addresses={"home": home, "completed": "https://platform.example/done"})
    page = Bot().open(sitting.get_absolute_url())
    assert home in page.links
    assert tells_nothing(page, sitting)


@pytest.mark.slow
def test_nobody_answers_in_another_browser(holder: Bot, link: str) -> None:
    sitting, other = Sitting.objects.get(), Bot()
    other.begin(f"{link}?PROLIFIC_PID=other")
    other.page.address = sitting.get_absolute_url()
    assert other.answer("impossible").status == 403
    assert Judgment.objects.filter(assignment__sitting=sitting).count() == 2


@pytest.mark.slow
def test_the_cookie_of_somebody_else_cannot_be_written(holder: Bot, link: str) -> None:
    forger = Bot()
    forger.client.cookies[COOKIE] = f"{Sitting.objects.get().browser}:forged:signature"
    assert forger.open(link + KNOWN).status == 403


@pytest.mark.slow
def test_the_database_does_not_hold_the_cookie(holder: Bot) -> None:
    assert Sitting.objects.get().browser not in holder.client.cookies[COOKIE].value


class TestReleased:
    @pytest.fixture
    def other(self, holder: Bot, study: Study, link: str) -> Bot:
        """Another browser, at the link with the same id, after the researcher has released the sitting."""
        assert release(study, [Sitting.objects.get().token]) == 1
        other = Bot()
        other.open(link + KNOWN)
        return other

    @pytest.mark.slow
    def test_looking_takes_nothing(self, other: Bot) -> None:
        assert other.page.status == 200
        assert "Continue in this browser" in other.page.text
        assert Sitting.objects.get().browser == ""

    @pytest.mark.slow
    def test_the_next_browser_goes_on_where_the_first_was(self, other: Bot, link: str, holder: Bot) -> None:
        assert "You have answered 2 of 7" in other.post().text
        assert "3 of 7" in other.post().text
        assert holder.open(link + KNOWN).status == 403
        assert holder.open(Sitting.objects.get().get_absolute_url()).status == 403

    @pytest.mark.slow
    def test_of_one_that_is_over_it_says_so(self, other: Bot, holder: Bot, link: str) -> None:
        holder.open(Sitting.objects.get().get_absolute_url())
        finish(Sitting.objects.get())
        page = other.open(link + KNOWN)
        assert "You finished in another browser" in page.text
        assert "go on" not in page.text.lower()
        other.post()
        assert Sitting.objects.get().completion_code in other.open(Sitting.objects.get().get_absolute_url()).text

    @pytest.mark.slow
    def test_only_one_browser_takes_it(self, other: Bot, link: str) -> None:
        third = Bot()
        third.open(link + KNOWN)
        other.post()
        assert third.post().status == 403

    @pytest.mark.slow
    def test_what_was_answered_is_seen_in_a_closed_study_too(self, other: Bot, study: Study) -> None:
        close_study(study)
        page = other.post()
        assert page.status == 410
        assert Sitting.objects.get().completion_code in page.text

    @pytest.mark.slow
    def test_the_old_browser_may_take_it_again(self, other: Bot, holder: Bot, link: str) -> None:
        holder.open(link + KNOWN)
        assert "You have answered 2 of 7" in holder.post().text


@pytest.mark.slow
def test_two_people_at_one_computer_have_a_sitting_each(holder: Bot, link: str) -> None:
    """The browser of a lab: the id in the address says who sits there now."""
    assert "1 of 7" in holder.begin(f"{link}?PROLIFIC_PID=60b2").text
    assert "3 of 7" in holder.begin(link + KNOWN).text
    assert Sitting.objects.count() == 2


@pytest.mark.parametrize(
    ("said", "device"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36", "computer"),
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36", "phone"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Mobile/15E148", "phone"),
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140 Safari/537.36", "tablet"),
        ("Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605 Mobile/15E148", "tablet"),
        ("curl/8", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_device_is_kept_as_one_of_three_words(link: str, said: str, device: str) -> None:
    visitor = Bot()
    if said:
        visitor.client.defaults["HTTP_USER_AGENT"] = said
    visitor.begin(link)
    assert Sitting.objects.get().device == device
