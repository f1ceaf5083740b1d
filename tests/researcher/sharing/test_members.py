"""The page of a study's members: who sees it, who changes it, and that an owner stays."""

import pytest
from django.urls import reverse

from accounts.models import User
from annotation.access.matrix import Role
from annotation.access.members import give
from annotation.access.visible import owners_of
from tests.browser import faults, log_in

GIVE, REMOVE = "Add member", "Remove"


def at(study) -> str:
    return reverse("members", args=[study.slug])


def post(client, study, user, role="", name="members"):
    return client.post(reverse(name, args=[study.slug]), {"user": user, "role": role}, follow=True)


def roles(study) -> dict[str, str]:
    return dict(study.memberships.values_list("user__username", "role"))


class TestAnOwner:
    @pytest.mark.slow
    def test_gives_a_role_changes_it_and_takes_it_away(self, client, carl, study):
        said = post(client, study, "carl", "analyst").content.decode()
        assert "carl is now analyst of The small study." in said
        post(client, study, "carl", "editor")
        assert roles(study) == {"rosa": "owner", "carl": "editor"}
        said = post(client, study, "carl", name="member_remove").content.decode()
        assert "carl removed from The small study." in said
        assert roles(study) == {"rosa": "owner"}

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("user", "role", "why"),
        [
            ("zoe", "editor", "No account named &#x27;zoe&#x27;"),
            ("", "editor", "Enter a user name."),
            ("carl", "king", "king is not one of the available choices"),
            ("a\0b", "editor", "Null characters are not allowed."),
            ("rosa", "editor", "rosa is the sole owner."),
        ],
    )
    def test_is_told_why_nothing_was_changed(self, client, carl, study, user, role, why):
        answer = post(client, study, user, role)
        assert answer.status_code == 422
        assert why in answer.content.decode()
        assert roles(study) == {"rosa": "owner"}

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("user", "why"),
        [("rosa", "rosa is the sole owner."), ("carl", "carl is not a member of small."), ("", "not a member")],
    )
    def test_takes_out_neither_the_last_owner_nor_who_is_not_in(self, client, carl, study, user, why):
        assert why in post(client, study, user, name="member_remove").content.decode()
        assert roles(study) == {"rosa": "owner"}

    @pytest.mark.slow
    def test_is_offered_no_change_of_the_only_owner(self, client, carl, study):
        assert "Remove<" not in client.get(at(study)).content.decode()
        give(study, carl, Role.OWNER)
        assert client.get(at(study)).content.decode().count("Remove<") == 2

    @pytest.mark.slow
    def test_who_leaves_is_led_to_the_studies_that_are_left(self, client, carl, study):
        give(study, carl, Role.OWNER)
        answer = post(client, study, "rosa", name="member_remove")
        assert answer.redirect_chain == [(reverse("studies"), 302)]
        assert client.get(at(study)).status_code == 404

    @pytest.mark.slow
    def test_who_cannot_log_in_any_more_is_no_owner_to_rely_on_and_can_be_removed(self, client, carl, study):
        give(study, carl, Role.OWNER)
        User.objects.filter(pk=carl.pk).update(is_active=False)
        assert owners_of(study) == ["rosa"]
        assert "rosa is the sole owner." in post(client, study, "rosa", name="member_remove").content.decode()
        assert "cannot log in" in client.get(at(study)).content.decode()
        post(client, study, "carl", name="member_remove")
        assert roles(study) == {"rosa": "owner"}


@pytest.mark.slow
@pytest.mark.parametrize("role", [Role.EDITOR, Role.ANALYST])
def test_a_member_who_is_no_owner_sees_who_is_in_and_changes_nothing(client, colleague, carl, study, role):
    give(study, carl, role)
    page = colleague.get(at(study)).content.decode()
    assert "rosa" in page
    assert GIVE not in page
    assert "Remove<" not in page
    for name in ("members", "member_remove"):
        answer = post(colleague, study, "rosa", "analyst", name=name)
        assert answer.status_code == 403
        assert "you cannot change members" in answer.content.decode()
    assert roles(study) == {"rosa": "owner", "carl": role.value}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
class TestInABrowser:
    def test_by_keyboard_and_without_javascript(self, open_page, live_server, researcher, carl, study):
        page = open_page(java_script_enabled=False)
        log_in(page, live_server, at(study))
        page.focus("#member-user")
        page.keyboard.type("carl")
        page.keyboard.press("Enter")
        page.get_by_text("carl is now analyst of The small study.").wait_for()
        page.get_by_label("Role of carl").focus()
        page.keyboard.press("e")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("carl is now editor of The small study.").wait_for()
        page.get_by_role("button", name="Remove carl").focus()
        page.keyboard.press("Enter")
        page.get_by_text("carl removed from The small study.").wait_for()
        assert roles(study) == {"rosa": "owner"}

    def test_it_is_accessible_and_fits(self, browser_page, live_server, researcher, carl, study):
        give(study, carl, Role.EDITOR)
        page = browser_page
        log_in(page, live_server, at(study))
        assert faults(page) == []
        page.fill("#member-user", "zoe")
        page.get_by_role("button", name=GIVE).click()
        page.get_by_text("No account named").wait_for()
        assert faults(page) == []
