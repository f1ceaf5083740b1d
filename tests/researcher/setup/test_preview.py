"""The preview: the participant's own pages, and afterwards everything is as it was."""

from html import unescape

import pytest
from django.urls import reverse

from annotation.loading import load_study
from annotation.models import Annotator, Assignment, Item, Sitting, Study, StudyLink
from researcher.setup.preview import stages_of
from tests.annotation.stages.whole import open_whole, write_whole
from tests.studies import open_small_study, plausibility_row, plausibility_rows

SAYS = {
    "first": "About 6 minutes",
    "consent": "I am <strong>18 or older</strong>",
    "instructions": "Read both sentences.",
    "comprehension": "What do you judge?",
    "practice": "Practice",
    "items": "lights the hall",
    "questionnaire": "How old are you?",
    "debriefing": "We compare people",
    "end": "Thank you",
}


def everything() -> list[object]:
    counts = [model.objects.count() for model in (Annotator, Sitting, Assignment, StudyLink)]
    return [counts, list(Study.objects.values()), list(Item.objects.values())]


def page(study: Study, stage: str) -> str:
    return reverse("setup_preview_page", args=[study.slug, stage])


@pytest.mark.parametrize("stage", SAYS)
def test_each_page_is_shown_and_nothing_is_stored(client, tmp_path, stage):
    study = open_whole(tmp_path)
    before = everything()
    answer = client.get(page(study, stage))
    assert answer.status_code == 200
    assert SAYS[stage] in unescape(answer.content.decode())
    assert everything() == before


@pytest.mark.parametrize("stage", SAYS)
def test_a_draft_on_a_platform_has_one_too(client, tmp_path, stage):
    study = load_study(write_whole(tmp_path, collection={"platform": "prolific"})).study
    before = everything()
    assert SAYS[stage] in unescape(client.get(page(study, stage)).content.decode())
    assert everything() == before


def test_the_pages_of_a_study_are_those_that_it_has(client, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2))
    assert list(stages_of(study)) == ["first", "items", "end"]
    assert client.get(page(study, "consent")).status_code == 404
    assert client.get(reverse("setup_preview_at", args=[study.slug, "consent"])).status_code == 404


def test_nothing_in_it_can_act(client, tmp_path):
    answer = client.get(page(open_whole(tmp_path), "end"))
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "annotator" not in answer.cookies
    assert "Refresh" not in answer.headers


def test_a_study_without_an_open_item_says_so(client, tmp_path):
    study = open_small_study(tmp_path, [plausibility_row(1)])
    study.items.update(counted=study.labels_per_item)
    assert "no items waiting" in client.get(page(study, "items")).content.decode()


def test_who_is_not_logged_in_sees_none(visitor, draft):
    assert visitor.get(page(draft, "first")).status_code == 302
