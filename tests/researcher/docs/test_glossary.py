"""The glossary as a page: every term once, with the anchor that each “?” leads to; and where a newcomer begins."""

import re
from html import unescape

import pytest
from django.urls import reverse

from comparison.glossary.entries import GLOSSARY
from researcher.docs.shelf import SECTIONS

pytestmark = pytest.mark.django_db


def test_every_term_stands_once_under_its_anchor(client):
    html = client.get(reverse("glossary")).content.decode()
    assert sorted(re.findall(r'<div id="(\w+)">', html)) == sorted(GLOSSARY)
    for term in GLOSSARY.values():
        assert term.words in unescape(html)
    assert all(f'id="of-{key}"' in html for key in SECTIONS)


@pytest.mark.slow
def test_a_question_mark_leads_to_it(client, study):
    html = client.get(reverse("results", args=[study.slug, "people"])).content.decode()
    assert f'<a href="{reverse("glossary")}#alpha_ordinal">All terms</a>' in html


def test_the_first_steps_are_the_first_page_and_one_click_from_the_list(client, researcher):
    assert reverse("docs", args=["first-steps"]) in client.get("/docs/").content.decode()
    assert reverse("docs_shelf") in client.get(reverse("studies")).content.decode()
