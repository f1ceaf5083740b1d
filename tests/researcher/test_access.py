"""Who gets in: whoever has a login, and to a study whoever has a role in it."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.access.matrix import Role
from annotation.access.members import give


@pytest.mark.slow
def test_a_visitor_is_sent_to_the_login_and_back(visitor, study):
    address = reverse("study", args=[study.slug])
    answer = visitor.get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/login/?next={address}"


@pytest.mark.slow
def test_a_researcher_without_a_role_finds_no_study(colleague, study):
    assert colleague.get(reverse("study", args=[study.slug])).status_code == 404
    assert study.title not in colleague.get(reverse("studies")).content.decode()


@pytest.mark.slow
def test_what_a_role_lacks_is_said_with_those_who_can_give_it(colleague, carl, client, study):
    give(study, carl, Role.ANALYST)
    answer = colleague.get(reverse("setup", args=[study.slug]))
    assert answer.status_code == 403
    said = answer.content.decode()
    assert "You can see The small study, but you cannot edit." in said
    assert "Ask an owner for a role that can: rosa." in said


@pytest.mark.slow
def test_a_change_needs_the_form_token(researcher, study):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(researcher)
    assert strict.post(reverse("study_close", args=[study.slug])).status_code == 403


@pytest.mark.slow
def test_looking_changes_nothing(client, study):
    assert client.get(reverse("study_close", args=[study.slug])).status_code == 405


def test_a_study_that_does_not_exist_is_not_found(client):
    assert client.get(reverse("study", args=["nowhere"])).status_code == 404


def test_logging_in_with_a_wrong_password_says_so_without_blame(visitor, researcher):
    answer = visitor.post(reverse("login"), {"login": "rosa", "password": "wrong"})
    assert "Wrong name or password" in answer.content.decode()


@pytest.mark.slow
def test_logging_in_leads_to_the_page_that_was_asked_for(visitor, researcher, study):
    address = reverse("study", args=[study.slug])
    answer = visitor.post(reverse("login"), {"login": "rosa", "password": "long-and-dull-1", "next": address})
    assert answer.headers["Location"] == address
