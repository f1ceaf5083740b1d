"""What each link brings, on the study page, and how its limit is set."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.arrival.links import make_link
from annotation.models import Sitting, Study
from researcher.collecting.links import read_arrivals


@pytest.mark.slow
def test_a_link_shows_who_began_and_who_was_turned_away(client: Client, visitor: Client, study: Study) -> None:
    study.items.update(target=9)
    link = make_link(study, name="Second", max_starts=1)
    for name in ("ann", "bob"):
        visitor.post(f"{link.get_absolute_url()}?annotator={name}")
    link.refresh_from_db()
    found = read_arrivals(study, [link])[link.pk]
    assert (found.begun, found.places, found.most, found.is_full) == (1, 1, 1, True)
    assert (found.under_way, found.unanswered, found.finished, found.last_hour) == (1, 1, 0, 1)
    assert found.refused == {"too many at once": 1}, "its one place may come free"
    page = " ".join(client.get(reverse("links", args=[study.slug])).content.decode().split())
    assert "1 started, 1 of 1 place taken: <strong>full</strong>" in page
    assert "too many at once: 1" in page
    assert "1 open: 0 before the items, 1 holds items without an answer · 0 finished" in page


@pytest.mark.slow
def test_who_has_not_come_to_the_items_is_counted_apart(client: Client, visitor: Client, study: Study) -> None:
    study.items.update(target=9)
    link = make_link(study, name="Second")
    visitor.post(f"{link.get_absolute_url()}?annotator=ann")
    link.sittings.update(stage=Sitting.Stage.CONSENT)
    found = read_arrivals(study, [link])[link.pk]
    assert (found.under_way, found.before, found.unanswered) == (1, 1, 0)
    page = " ".join(client.get(reverse("links", args=[study.slug])).content.decode().split())
    assert "1 open: 1 before the items, 0 hold items without an answer" in page


@pytest.mark.slow
def test_a_link_that_nobody_has_opened(study: Study) -> None:
    link = study.links.get()
    found = read_arrivals(study, [link])[link.pk]
    assert (found.begun, found.most, found.is_full, found.refused) == (0, 0, False, {})


def test_the_limit_is_set_and_taken_away(client: Client, study: Study) -> None:
    link = study.links.get()
    address = reverse("link_limit", args=[study.slug, link.pk])
    for posted, kept in (("30", 30), ("0", 0), ("", None), ("-1", None), ("many", None)):
        client.post(address, {"max_starts": posted})
        link.refresh_from_db()
        assert link.max_starts == kept, posted


def test_a_new_link_may_have_one(client: Client, study: Study) -> None:
    client.post(reverse("link_add", args=[study.slug]), {"name": "x", "expires_at": "", "max_starts": "12"})
    assert study.links.get(name="x").max_starts == 12
