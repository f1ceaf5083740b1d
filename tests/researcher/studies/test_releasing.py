"""Releasing sittings to another browser, in the payment queue."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Sitting, Study
from tests.studies import declare


@pytest.fixture
def sitting(visitor: Client, study: Study) -> Sitting:
    """Begun by somebody in a browser, beside the sittings of `study` that nobody held in one."""
    declare(max_items_per_annotator=5)
    study.items.update(target=9)
    address = f"{study.links.get().get_absolute_url()}?annotator=ann-7"
    assert visitor.post(address).status_code == 303
    return Sitting.objects.exclude(browser="").get()


@pytest.mark.slow
def test_releases_the_sittings_that_are_ticked(client: Client, study: Study, sitting: Sitting) -> None:
    answer = client.post(
        reverse("payment", args=[study.slug]), {"do": "release", "sitting": [sitting.token]}, follow=True
    )
    assert "Another browser allowed for 1 annotator" in answer.content.decode()
    sitting.refresh_from_db()
    assert sitting.browser == ""


@pytest.mark.slow
def test_says_so_if_nothing_was_held(client: Client, study: Study, sitting: Sitting) -> None:
    other = study.sittings.filter(browser="")[0]
    answer = client.post(
        reverse("payment", args=[study.slug]), {"do": "release", "sitting": [other.token]}, follow=True
    )
    assert "tied to a browser" in answer.content.decode()


@pytest.mark.slow
def test_asks_for_sittings(client: Client, study: Study) -> None:
    answer = client.post(reverse("payment", args=[study.slug]), {"do": "release"}, follow=True)
    assert "no submission is selected" in answer.content.decode()


@pytest.mark.slow
def test_leaves_other_studies_alone(client: Client, draft: Study, sitting: Sitting) -> None:
    client.post(reverse("payment", args=[draft.slug]), {"do": "release", "sitting": [sitting.token]})
    sitting.refresh_from_db()
    assert sitting.browser
