"""Every page that a German study can show, also to those who are turned away, is German: as the preview draws it."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from annotation.models import Membership, Study
from researcher.setup.preview import aside_of, walk_of
from tests.annotation.languages.german import open_german
from tests.annotation.languages.messages import english_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
# What the preview adds, in the researcher's language.
ADDED = re.compile(r'<aside[^>]*id="preview".*?</aside>|<title>.*?</title>|<style.*?</style>', re.DOTALL)


@pytest.fixture
def study(tmp_path) -> Study:
    study = open_german(tmp_path / "deutsch")
    Study.objects.update(platform="prolific")
    study.refresh_from_db()
    return study


def test_every_page_of_the_preview_is_german(client: Client, study: Study) -> None:
    rosa = get_user_model().objects.create_user("rosa")
    Membership.objects.create(study=study, user=rosa, role="owner")
    client.force_login(rosa)
    steps = [*walk_of(study), *aside_of(study)]
    assert len(steps) > 20, "the pages around the items, and those instead of them"
    left = {}
    for step in steps:
        html = client.get(reverse("setup_preview_at", args=[study.slug, step])).content.decode()
        assert '<html lang="de" dir="ltr">' in html, step
        left[step] = english_in(ADDED.sub("", html))
    assert not {step: words for step, words in left.items() if words}
