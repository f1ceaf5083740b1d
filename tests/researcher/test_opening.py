"""Opening and closing."""

import pytest
from django.urls import reverse


@pytest.mark.slow
def test_opening_a_draft_fixes_the_policy(client, draft):
    answer = client.post(reverse("study_open", args=[draft.slug]), follow=True)
    draft.refresh_from_db()
    assert (draft.state, draft.has_opened) == ("open", True)
    assert "Exclusion rules are locked" in answer.content.decode()


@pytest.mark.slow
def test_an_opened_study_is_a_draft_again_while_no_one_has_started(client, draft):
    client.post(reverse("study_open", args=[draft.slug]))
    assert "Back to draft" in client.get(reverse("setup", args=[draft.slug])).content.decode()
    answer = client.post(reverse("study_unlock", args=[draft.slug]), follow=True)
    assert "Ready to open?" in answer.content.decode()
    draft.refresh_from_db()
    assert (draft.state, draft.has_opened, draft.policy_hash) == ("draft", False, "")


def test_back_to_draft_of_a_page_from_before_an_update_closes_nothing(client, study):
    answer = client.post(reverse("study_close", args=[study.slug]), {"draft": "1"}, follow=True)
    assert "Not closed" in answer.content.decode()
    study.refresh_from_db()
    assert study.state == "open"


def test_a_study_with_batches_stays_as_it_was_opened(client, study):
    assert "Back to draft" not in client.get(reverse("setup", args=[study.slug])).content.decode()
    answer = client.post(reverse("study_unlock", args=[study.slug]), follow=True)
    assert "The study stays locked" in answer.content.decode()
    study.refresh_from_db()
    assert (study.state, study.has_opened) == ("open", True)


@pytest.mark.slow
def test_closing_keeps_what_was_answered(client, study):
    client.post(reverse("study_close", args=[study.slug]))
    study.refresh_from_db()
    assert study.state == "closed"
    assert sum(item.counted for item in study.items.all()) == 12


def test_a_closed_study_opens_again_with_its_first_opening_kept(client, study):
    first = study.opened_at
    client.post(reverse("study_close", args=[study.slug]))
    client.post(reverse("study_open", args=[study.slug]))
    study.refresh_from_db()
    assert (study.state, study.opened_at) == ("open", first)


@pytest.mark.slow
def test_a_closed_study_says_how_to_go_on(client, study):
    answer = client.post(reverse("study_close", args=[study.slug]), follow=True)
    assert "Open again" in answer.content.decode()
