"""The pages of docs/ as the site shows them."""

import re

import pytest
from django.conf import settings
from django.urls import reverse

from researcher.docs import FOR_CODE, SHOWN, document
from tests.house.sources import ROOT


def test_every_page_is_shown_or_is_for_code():
    docs = ROOT / "docs"
    assert {str(path.relative_to(docs).with_suffix("")) for path in docs.glob("**/*.md")} == {*SHOWN, *FOR_CODE}


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_has_its_title_contents_and_no_element_of_its_own(name):
    found = document(name)
    assert found.title
    assert all(heading.anchor in found.anchors for heading in found.contents)
    assert "style=" not in found.html
    assert "<script" not in found.html
    assert len(re.findall(r' id="', found.html)) == len(found.anchors)


@pytest.mark.parametrize("name", SHOWN)
def test_boxes_that_scroll_can_be_told_from_one_another(name):
    """Each is a region: of two of one name a screen reader cannot say which is which."""
    labels = re.findall(r'role="region" tabindex="0" aria-label="([^"]+)"', document(name).html)
    assert len(labels) == document(name).html.count("<table>") + document(name).html.count("<pre")
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("name", SHOWN)
def test_its_links_lead_somewhere(name):
    for address in re.findall(r'href="([^"]*)"', document(name).html):
        if address.startswith("/docs/"):
            page, _, anchor = address.removeprefix("/docs/").partition("#")
            assert not anchor or anchor in document(page.strip("/")).anchors, address
        else:
            assert address.startswith(("https://", "http://", "#")), address


def test_html_in_a_page_is_text(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    text = "# A <b>title</b>\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](design.md)\n"
    (tmp_path / "docs" / "running.md").write_text(text)
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    html = document("running").html
    assert "&lt;script&gt;" in html
    assert "<b>" not in html
    assert "href" not in html


def test_figures_stand_in_elements_of_their_own():
    html = document("papers/agreement").html
    assert '<span class="unbroken">.85 [.74, .92]</span>, <span class="unbroken">n = 60</span></td>' in html


def test_links_of_a_paper_lead_up_and_to_other_papers():
    html = document("papers/intensifiers").html
    assert 'href="/docs/statistics/#' in html
    assert document("researchers").html.count('href="/docs/papers/') >= 1


@pytest.mark.slow
@pytest.mark.django_db
def test_the_address_of_a_statistic_shows_it(client, researcher):
    client.force_login(researcher)
    answer = client.get(reverse("docs", args=["statistics"]))
    assert answer.status_code == 200
    assert 'id="krippendorffs-alpha"' in answer.content.decode()
    assert client.get("/docs/").url == reverse("docs", args=[SHOWN[0]])
    assert client.get(reverse("docs", args=["papers/intensifiers"])).status_code == 200
    assert client.get("/docs/design/").status_code == 404
    assert client.get("/docs/..%2Fsettings/").status_code == 404
