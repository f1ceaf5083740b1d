"""Links for annotators: making one, letting one expire."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.studies import open_small_study, plausibility_rows


@pytest.mark.slow
def test_the_page_shows_the_whole_address(client, study):
    page = client.get(reverse("links", args=[study.slug])).content.decode()
    assert f"http://testserver/s/{study.links.get().token}/" in page


@pytest.mark.slow
def test_a_link_gets_a_name_and_a_moment_to_expire(client, study):
    moment = (timezone.now() + timedelta(days=2)).replace(second=0, microsecond=0)
    data = {"name": "Second batch", "expires_at": moment.strftime("%Y-%m-%dT%H:%M")}
    client.post(reverse("link_add", args=[study.slug]), data)
    link = study.links.get(name="Second batch")
    assert link.expires_at == moment


@pytest.mark.slow
def test_a_link_need_not_expire(client, study):
    client.post(reverse("link_add", args=[study.slug]), {"name": "", "expires_at": ""})
    assert study.links.count() == 2
    assert study.links.latest("pk").expires_at is None


@pytest.mark.slow
def test_a_moment_that_has_passed_is_refused_beside_the_field(client, study):
    answer = client.post(reverse("link_add", args=[study.slug]), {"name": "x", "expires_at": "2001-01-01T10:00"})
    assert answer.status_code == 422
    assert "This date has passed." in answer.content.decode()
    assert study.links.count() == 1


@pytest.mark.slow
def test_an_expired_link_lets_nobody_in(client, visitor, study):
    link = study.links.get()
    client.post(reverse("link_expire", args=[study.slug, link.pk]))
    assert visitor.get(link.get_absolute_url()).status_code == 410


@pytest.mark.slow
def test_expiring_twice_keeps_the_first_moment(client, study):
    link = study.links.get()
    client.post(reverse("link_expire", args=[study.slug, link.pk]))
    link.refresh_from_db()
    first = link.expires_at
    client.post(reverse("link_expire", args=[study.slug, link.pk]))
    link.refresh_from_db()
    assert link.expires_at == first


@pytest.mark.slow
def test_a_link_of_another_study_is_not_found(client, study, draft):
    address = reverse("link_expire", args=[draft.slug, study.links.get().pk])
    assert client.post(address).status_code == 404


def test_a_platforms_link_is_shown_with_what_it_fills_in(client, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(9), collection={"platform": "prolific"}, slug="sent")
    address = "?PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;STUDY_ID={{%STUDY_ID%}}&amp;SESSION_ID={{%SESSION_ID%}}"
    page = client.get(reverse("links", args=["sent"])).content.decode()
    assert f"http://testserver{study.links.get().get_absolute_url()}{address}<" in page
    assert "No one can start without an ID." in page
