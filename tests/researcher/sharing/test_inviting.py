"""Inviting somebody into a study: who may, what the link gives, and to whom it gives nothing any more."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import GOOD_FOR, InvitationOver, accept, give, invite, take
from annotation.models import Invitation
from tests.accounts.people import mails
from tests.browser import faults, log_in

ZOE = "zoe@example.org"


def at(study) -> str:
    return reverse("members", args=[study.slug])


def send(client, study, address=ZOE, role="editor", **more):
    return client.post(reverse("invite", args=[study.slug]), {"address": address, "role": role}, follow=True, **more)


def link_on(page: str) -> str:
    found = re.search(r"http://testserver(/invitations/[^<\s]+)", page)
    assert found, page
    return found[1]


def roles(study) -> dict[str, str]:
    return dict(study.memberships.values_list("user__username", "role"))


class TestAnOwner:
    @pytest.mark.slow
    def test_has_the_link_shown_once(self, client, study):
        page = send(client, study).content.decode()
        assert "zoe@example.org invited as editor. Send them the link below." in page
        assert link_on(page)
        again = client.get(at(study)).content.decode()
        assert "/invitations/" not in again
        assert ZOE in again

    @pytest.mark.slow
    def test_has_it_mailed_where_mail_is_configured(self, client, study, settings, tmp_path):
        settings.SENDS_MAIL, settings.EMAIL_FILE_PATH = True, str(tmp_path / "mail")
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        page = send(client, study).content.decode()
        assert "The link was emailed" in page
        (text,) = mails(tmp_path / "mail")
        assert f"To: {ZOE}" in text
        assert link_on(page) in text

    @pytest.mark.slow
    def test_is_told_where_mail_does_not_work_and_has_the_link_nevertheless(self, client, study, settings):
        settings.SENDS_MAIL, settings.EMAIL_HOST, settings.EMAIL_PORT = True, "127.0.0.1", 1
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        page = send(client, study).content.decode()
        assert "but the email failed" in page
        assert link_on(page)

    @pytest.mark.slow
    def test_keeps_no_token_in_the_database(self, client, study):
        token = link_on(send(client, study).content.decode()).split("/")[2]
        assert token not in str(Invitation.objects.values())

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("address", "role", "why"),
        [
            ("", "editor", "Enter an email address."),
            ("zoe", "editor", "Enter a valid email address."),
            (ZOE, "king", "king is not one of the available choices"),
        ],
    )
    def test_is_told_what_is_wrong_beside_the_field(self, client, study, address, role, why):
        answer = send(client, study, address, role)
        assert answer.status_code == 422
        assert why in answer.content.decode()
        assert not study.invitations.exists()

    @pytest.mark.slow
    def test_sends_so_many_in_a_day(self, client, study, settings, mailoutbox):
        settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"invite": "2/d/user"}
        settings.INVITATIONS_PER_DAY, settings.SENDS_MAIL = 2, True
        cache.clear()
        answers = [send(client, study, f"{n}@example.org") for n in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 422]
        assert "You have sent 2 invitations within a day." in answers[-1].content.decode()
        assert study.invitations.count() == len(mailoutbox) == 2
        assert study.title not in mailoutbox[0].subject + mailoutbox[0].body

    @pytest.mark.slow
    def test_withdraws_it_and_the_link_is_dead(self, client, colleague, study):
        link = link_on(send(client, study).content.decode())
        address = reverse("invitation_withdraw", args=[study.slug, study.invitations.get().pk])
        assert "Invitation of zoe@example.org withdrawn." in client.post(address, follow=True).content.decode()
        assert colleague.post(link).status_code == 410
        assert "already accepted or withdrawn" in client.post(address, follow=True).content.decode()

    @pytest.mark.slow
    def test_invites_anew_in_the_place_of_the_old_one(self, client, colleague, study):
        old, new = (link_on(send(client, study, role=role).content.decode()) for role in ("editor", "analyst"))
        assert study.invitations.get().role == "analyst"
        assert colleague.get(old).status_code == 410
        assert colleague.get(new).status_code == 200

    @pytest.mark.slow
    def test_sees_who_came_by_which_address(self, client, colleague, study):
        colleague.post(link_on(send(client, study).content.decode()))
        page = client.get(at(study)).content.decode()
        assert "invited as zoe@example.org" in page


@pytest.mark.slow
@pytest.mark.parametrize("role", [Role.EDITOR, Role.ANALYST])
def test_who_is_no_owner_invites_nobody_and_sees_no_address(client, colleague, carl, study, role):
    send(client, study)
    give(study, carl, role)
    assert ZOE not in colleague.get(at(study)).content.decode()
    for name, more in (("invite", []), ("invitation_withdraw", [study.invitations.get().pk])):
        assert colleague.post(reverse(name, args=[study.slug, *more])).status_code == 403


class TestTheInvited:
    @pytest.fixture
    def link(self, client, study) -> str:
        return link_on(send(client, study).content.decode())

    @pytest.mark.slow
    def test_makes_an_account_and_joins(self, link, study):
        zoe = Client()
        page = zoe.get(link).content.decode()
        assert "rosa invited you to this study as" in page
        assert study.title in page
        assert ZOE in page and "emailed" not in page, "nothing was sent where no mail is configured"
        form = zoe.get(reverse("account_signup"), {"next": link, "email": ZOE})
        assert f'value="{ZOE}"' in form.content.decode()
        given = {"username": "zoe", "email": ZOE, "password1": "long-and-dull-9", "password2": "long-and-dull-9"}
        assert zoe.post(reverse("account_signup"), given | {"next": link}).headers["Location"] == link
        assert "Join as zoe" in zoe.get(link).content.decode()
        joined = zoe.post(link, follow=True)
        assert "You joined The small study as editor." in joined.content.decode()
        assert roles(study) == {"rosa": "owner", "zoe": "editor"}

    @pytest.mark.slow
    def test_joins_with_the_account_that_they_have(self, link, study, carl):
        visitor = Client()
        assert visitor.post(link).headers["Location"] == f"{reverse('login')}?next={link}"
        answer = visitor.post(reverse("login"), {"login": "carl", "password": "long-and-dull-2", "next": link})
        assert answer.headers["Location"] == link
        visitor.post(link)
        assert roles(study) == {"rosa": "owner", "carl": "editor"}

    @pytest.mark.slow
    def test_is_asked_when_the_account_has_another_address(self, link, colleague, carl):
        assert "another address" not in colleague.get(link).content.decode()
        User.objects.filter(pk=carl.pk).update(email="carl@example.org")
        assert "Your account uses another address, carl@example.org." in colleague.get(link).content.decode()
        User.objects.filter(pk=carl.pk).update(email="Zoe@example.org")
        assert "another address" not in colleague.get(link).content.decode()

    @pytest.mark.slow
    def test_looking_at_it_uses_nothing_up(self, link, colleague, study):
        colleague.get(link)
        assert roles(study) == {"rosa": "owner"}
        assert study.invitations.get().accepted_at is None

    @pytest.mark.slow
    def test_accepts_it_once(self, link, colleague, study):
        colleague.post(link)
        other = Client()
        other.force_login(User.objects.create_user("eve"))
        for answer in (other.get(link), other.post(link), colleague.post(link)):
            assert answer.status_code == 410
            assert "was already accepted" in answer.content.decode()
        assert roles(study) == {"rosa": "owner", "carl": "editor"}

    @pytest.mark.slow
    def test_has_two_weeks(self, link, colleague, study):
        study.invitations.update(expires_at=timezone.now())
        for answer in (colleague.get(link), colleague.post(link)):
            assert "This invitation has expired. Ask rosa for a new one." in answer.content.decode()
        assert roles(study) == {"rosa": "owner"}
        assert timedelta(days=14) == GOOD_FOR

    @pytest.mark.slow
    def test_keeps_the_role_that_they_have(self, link, client, colleague, carl, study):
        give(study, carl, Role.ANALYST)
        assert "You are already analyst of The small study." in colleague.post(link).content.decode()
        assert "You are already owner of The small study." in client.post(link).content.decode()
        assert roles(study) == {"rosa": "owner", "carl": "analyst"}
        assert study.invitations.get().accepted_at is None

    @pytest.mark.slow
    def test_of_somebody_who_owns_the_study_no_more_gets_nothing(self, link, colleague, researcher, study):
        give(study, User.objects.create_user("olga"), Role.OWNER)
        take(study, researcher)
        assert "no longer owns the study" in colleague.post(link).content.decode()
        assert "carl" not in roles(study)

    def test_of_a_link_that_nobody_made_is_told_so(self, colleague):
        answer = colleague.get(reverse("invitation", args=["made-up"]))
        assert answer.status_code == 410
        assert "This invitation was withdrawn or replaced" in answer.content.decode()


class TestWithoutAnInvitation:
    given = {"username": "eve", "password1": "long-and-dull-9", "password2": "long-and-dull-9"}

    def test_nobody_makes_an_account(self, db):
        visitor = Client()
        for answer in (visitor.get(reverse("account_signup")), visitor.post(reverse("account_signup"), self.given)):
            assert "To create an account you need an invitation" in answer.content.decode()
        assert not User.objects.filter(username="eve").exists()

    @pytest.mark.slow
    def test_nor_by_a_dead_one_nor_long_after_it_was_opened(self, client, study, monkeypatch):
        visitor = Client()
        visitor.get(reverse("invitation", args=["made-up"]))
        visitor.post(reverse("account_signup"), self.given)
        visitor.get(link_on(send(client, study).content.decode()))
        monkeypatch.setattr("accounts.adapters.time.time", lambda: timezone.now().timestamp() + 1801)
        visitor.post(reverse("account_signup"), self.given)
        assert not User.objects.filter(username="eve").exists()
        assert mail.outbox == []


@pytest.mark.slow
def test_a_verb_of_its_own_says_why_not(client, study, researcher, carl):
    _, token = invite(study, " ZOE@example.org ", Role.ANALYST, by=researcher)
    assert study.invitations.get().address == ZOE
    assert accept(token, carl).role == "analyst"
    with pytest.raises(InvitationOver, match="already accepted"):
        accept(token, carl)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_its_pages_are_accessible_and_fit(open_page, live_server, study, researcher):
    page, visitor = open_page(), open_page()
    log_in(page, live_server, at(study))
    page.get_by_label("Email address").fill(ZOE)
    page.get_by_role("button", name="Create invitation link").click()
    page.get_by_text("It is shown only once").wait_for()
    assert faults(page) == []
    link = page.locator("[data-code]").inner_text()
    for address in (link, link.rsplit("/", 2)[0] + "/none/"):
        visitor.goto(address)
        assert faults(visitor) == [], address
