"""A password changed, and one that was forgotten, by a mail that lies in a folder."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config.accounts import mail_backend
from tests.accounts.people import ADDRESS, ANOTHER, PASSWORD, is_logged_in, link_in, mails, try_to_log_in
from tests.house.sources import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path):
    settings.SENDS_MAIL, settings.EMAIL_FILE_PATH = True, str(tmp_path / "mail")
    settings.EMAIL_BACKEND = mail_backend(host="", folder=settings.EMAIL_FILE_PATH)
    return tmp_path / "mail"


def logged_in(password: str = PASSWORD) -> Client:
    client = Client()
    assert try_to_log_in(client, password).status_code == 302
    return client


def change(client: Client, old: str, new: str):
    return client.post(
        reverse("account_change_password"), {"oldpassword": old, "password1": new, "password2": new}, follow=True
    )


def confirmed(user) -> None:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


class TestChanging:
    @pytest.mark.slow
    def test_the_new_one_is_taken_and_the_old_one_is_not(self, rosa):
        change(logged_in(), PASSWORD, ANOTHER)
        assert is_logged_in(logged_in(ANOTHER))
        assert try_to_log_in(Client(), PASSWORD).status_code == 200

    def test_other_browsers_are_logged_out_and_this_one_is_not(self, rosa):
        here, elsewhere = logged_in(), logged_in()
        assert "in 2 browsers" in here.get(reverse("account")).content.decode()
        change(here, PASSWORD, ANOTHER)
        assert is_logged_in(here)
        assert not is_logged_in(elsewhere)
        assert "in 1 browser<" in here.get(reverse("account")).content.decode()

    @pytest.mark.parametrize(
        ("old", "new", "why"),
        [
            ("wrong", ANOTHER, "Please type your current password."),
            (PASSWORD, "rosa", "too similar to the username"),
            (PASSWORD, "12345678", "entirely numeric"),
            (PASSWORD, "eleven-dull", "at least 12 characters"),
            (PASSWORD, "long-and-dull" * 10, "at most 128 characters"),
        ],
    )
    def test_what_is_wrong_stands_beside_the_field(self, rosa, old, new, why):
        assert why in change(logged_in(), old, new).content.decode()
        assert is_logged_in(logged_in(PASSWORD))

    def test_other_browsers_are_logged_out_by_themselves_too(self, rosa):
        here, elsewhere = logged_in(), logged_in()
        asked = here.post(reverse("usersessions_list")).headers["Location"]
        assert asked.startswith(reverse("account_reauthenticate"))
        assert is_logged_in(elsewhere)
        here.post(asked, {"password": PASSWORD})
        assert is_logged_in(here)
        assert not is_logged_in(elsewhere)


class TestAnEmailAddress:
    def test_is_a_name_to_log_in_by(self, rosa):
        client = Client()
        assert try_to_log_in(client, PASSWORD, login=ADDRESS.upper()).status_code == 302
        assert is_logged_in(client)

    def test_is_changed_once_the_link_that_was_sent_there_is_opened(self, rosa, folder):
        confirmed(rosa)
        client = logged_in()
        asked = client.post(reverse("account_email"), {"email": "new@example.org", "action_add": "1"})
        assert asked.headers["Location"].startswith(reverse("account_reauthenticate"))
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        client.post(reverse("account_email"), {"email": "new@example.org", "action_add": "1"})
        rosa.refresh_from_db()
        assert rosa.email == ADDRESS
        (mail,) = mails(folder)
        assert "To: new@example.org" in mail
        assert try_to_log_in(Client(), PASSWORD, login=ADDRESS).status_code == 302
        page = Client().get(link_in(mail))
        assert "new@example.org is the address of rosa." in page.content.decode()
        Client().post(link_in(mail))
        rosa.refresh_from_db()
        assert rosa.email == "new@example.org"
        assert "This link no longer works" in Client().get(link_in(mail)).content.decode()

    def test_that_somebody_else_has_confirmed_is_not_taken_and_nobody_learns_that_it_is_known(self, rosa, folder):
        confirmed(User.objects.create_user("carl", email="carl@example.org"))
        confirmed(rosa)
        client = logged_in()
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        page = client.post(reverse("account_email"), {"email": "Carl@example.org", "action_add": "1"}, follow=True)
        assert "Not confirmed yet" in page.content.decode()
        assert "This address is already in use" in Client().get(link_in(mails(folder)[0])).content.decode()
        Client().post(link_in(mails(folder)[0]))
        rosa.refresh_from_db()
        assert rosa.email == ADDRESS


class TestForgotten:
    def ask(self, address: str = ADDRESS):
        return Client().post(reverse("account_reset_password"), {"email": address}, follow=True)

    def test_a_mail_leads_to_a_new_one_once(self, rosa, folder):
        elsewhere = logged_in()
        assert "Check your email" in self.ask().content.decode()
        (mail,) = mails(folder)
        assert "To: rosa@example.org" in mail
        assert "password of rosa" in mail
        client = Client()
        form = client.get(link_in(mail), follow=True)
        assert ANOTHER not in form.content.decode()
        done = client.post(form.request["PATH_INFO"], {"password1": ANOTHER, "password2": ANOTHER}, follow=True)
        assert "Password changed" in done.content.decode()
        assert is_logged_in(logged_in(ANOTHER))
        assert not is_logged_in(elsewhere)
        assert "This link no longer works" in Client().get(link_in(mail), follow=True).content.decode()

    def test_of_an_address_without_an_account_the_same_is_said_and_nothing_sent(self, rosa, folder):
        assert self.ask("zoe@example.org").content == self.ask("zoe@example.org").content
        assert "Check your email" in self.ask("zoe@example.org").content.decode()
        assert mails(folder) == []

    def test_a_changed_password_is_told_by_mail(self, rosa, folder, settings):
        settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
        change(logged_in(), PASSWORD, ANOTHER)
        assert "password" in mails(folder)[-1]


class TestWithoutMail:
    @pytest.mark.parametrize("name", ["account_reset_password", "account_email"])
    def test_the_page_says_so_and_who_can_help(self, rosa, settings, name):
        settings.CONTACT = "Ada, room 7"
        client = Client()
        client.force_login(rosa)
        page = client.get(reverse(name)).content.decode()
        assert "Email is not configured" in page
        assert "Ada, room 7" in page
        assert client.post(reverse(name), {"email": ADDRESS}).status_code == 409

    def test_nothing_is_sent_by_a_backend_that_would_lose_it(self, settings):
        assert settings.ACCOUNT_EMAIL_VERIFICATION == "none"
        assert mail_backend(host="", folder="") == "accounts.mail.NoMail"


@pytest.mark.slow
def test_a_password_is_shown_at_a_press_and_is_none_as_a_text_when_it_is_sent(browser_page, client):
    page = browser_page
    page.set_content(client.get(reverse("account_login")).content.decode())
    assert 'js/passwords.js" defer' in page.content()
    page.add_script_tag(path=ROOT / "static" / "js" / "passwords.js")
    page.evaluate("document.forms[0].addEventListener('submit', (event) => event.preventDefault())")
    page.fill("#id_username", "rosa")
    field = page.locator("#id_password")
    field.fill(PASSWORD)
    page.get_by_role("button", name="Show password").click()
    assert (field.get_attribute("type"), field.input_value()) == ("text", PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    assert field.get_attribute("type") == "password"
