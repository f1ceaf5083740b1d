"""The glossary as a page: every term once, with the anchor that each “?” leads to; and where a newcomer begins."""

import re
from html import unescape

import pytest
from django.urls import reverse

from annotation.models import Study
from comparison.glossary.entries import GLOSSARY
from researcher.docs import SECTIONS

pytestmark = pytest.mark.django_db


def test_every_term_stands_once_under_its_anchor(client):
    html = client.get(reverse("glossary")).content.decode()
    assert sorted(re.findall(r'<div id="(\w+)">', html)) == sorted(GLOSSARY)
    for term in GLOSSARY.values():
        assert term.words in unescape(html)
    assert all(f'id="of-{key}"' in html for key in SECTIONS)


def test_a_question_mark_leads_to_it(client, study):
    html = client.get(reverse("results", args=[study.slug, "people"])).content.decode()
    assert f'<a href="{reverse("glossary")}#alpha_ordinal">All terms</a>' in html


def test_the_first_steps_are_the_first_page_and_one_click_from_the_list(client, researcher):
    assert client.get("/docs/").url == reverse("docs", args=["first-steps"])
    assert reverse("docs", args=["first-steps"]) in client.get(reverse("studies")).content.decode()


def test_a_newcomer_is_shown_where_to_look_until_people_have_labeled(client, study):
    def shown() -> bool:
        return "New here?" in client.get(reverse("studies")).content.decode()

    assert not shown()
    Study.objects.update(population=Study.Population.SYNTHETIC)
    assert shown()
    assert "New here?" not in client.get(reverse("studies"), {"q": "small"}).content.decode()
    Study.objects.update(population=Study.Population.PEOPLE, as_imported=True)
    assert shown()
    study.runs.all().delete()
    assert not shown()


def test_labels_of_people_lead_and_are_not_called_synthetic(client, study):
    Study.objects.update(population=Study.Population.SYNTHETIC)
    assert "synthetic annotators beside models" in client.get(reverse("studies")).content.decode()
    Study.objects.update(population=Study.Population.PEOPLE, as_imported=True)
    assert "show\n  people beside models." in client.get(reverse("studies")).content.decode()
