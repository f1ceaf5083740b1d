"""Gold from a pilot on the setup of a draft: which pilots are offered, what is said, and the items as a file."""

import json

import pytest
from django.urls import reverse

from annotation.lifecycle.status import open_study
from annotation.models import Study
from tests.annotation.gold.conftest import draft, pilot

__all__ = ["draft", "pilot"]

pytestmark = pytest.mark.django_db


def page(client, study):
    return client.get(reverse("setup", args=[study.slug])).content.decode()


@pytest.mark.slow
def test_a_draft_offers_pilots_of_its_task_with_how_many_items_they_have(client, draft, pilot):
    assert "The pilot study (2 items)" in page(client, draft)
    assert "Gold items from a pilot" not in page(client, pilot)
    Study.objects.filter(pk=pilot.pk).update(population="synthetic")
    assert "Gold items from a pilot" not in page(client, draft)


@pytest.mark.slow
def test_taking_says_how_many_and_which_were_left_out(client, draft, pilot):
    answer = client.post(reverse("setup_gold", args=["draft"]), {"pilot": "pilot", "least": "3"}, follow=True)
    text = answer.content.decode()
    assert "2 gold items added; 2 left out: has fewer than 3 labels; 1 left out: its labels differ" in text
    lines = b"".join(client.get(reverse("setup_items_file", args=["draft"])).streaming_content).decode().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["target"] * 3 + ["gold"] * 2


@pytest.mark.slow
def test_what_is_refused_is_said_where_it_was_asked(client, draft, pilot):
    for chosen, least in (("pilot", "9"), ("pilot", "x"), ("nonesuch", "3")):
        answer = client.post(reverse("setup_gold", args=["draft"]), {"pilot": chosen, "least": least})
        assert answer.status_code == 422
        assert "field-error" in answer.content.decode()
    open_study(draft)
    assert client.post(reverse("setup_gold", args=["draft"]), {"pilot": "pilot", "least": "3"}).status_code == 422
    assert draft.items.count() == 3
