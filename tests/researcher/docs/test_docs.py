"""The pages of docs/ as the site shows them."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.urls import reverse

from researcher.docs.reading import MOST_WORDS, docs_address, document, documents
from researcher.docs.search import search
from researcher.docs.shelf import ENTRIES, FOR_CODE, GROUPS
from tests.house.sources import ROOT


def test_every_page_is_shown_or_is_for_code():
    docs = ROOT / "docs"
    assert {str(path.relative_to(docs).with_suffix("")) for path in docs.glob("**/*.md")} == {*ENTRIES, *FOR_CODE}


PAGES = [one.name for whole in documents() for one in (whole, *whole.parts)]


def test_a_page_is_read_in_a_few_minutes():
    """Words outside tables and commands: a longer section has headings of its own, by which it is shown in parts."""
    assert [name for name in PAGES if document(name).words > MOST_WORDS] == []


def test_parts_have_all_that_the_page_has_and_lead_to_one_another():
    whole = document("statistics")
    assert len(whole.parts) > 10
    assert [part.before for part in whole.parts[1:]] == [part.name for part in whole.parts[:-1]]
    assert [part.after for part in whole.parts[:-1]] == [part.name for part in whole.parts[1:]]
    anchors = [anchor for part in whole.parts for anchor in part.anchors]
    assert len(anchors) == len(set(anchors))
    assert "krippendorffs-alpha" in anchors


def test_an_anchor_is_found_in_its_part():
    assert docs_address("statistics", "krippendorffs-alpha").startswith("/docs/statistics/agreement-among-people/#")
    assert docs_address("statistics") == "/docs/statistics/"


@pytest.mark.slow
def test_the_search_finds_sections_with_all_words_and_the_heading_first():
    found = search("krippendorff α")
    assert found
    assert "krippendorff" in f"{found[0].heading} {found[0].sentence}".casefold()
    assert search("exclude annotator") != search("annotator")
    assert search("xylophone") == []
    assert search("kappa") == search("κ") != []
    assert search("   ") == []


@pytest.mark.slow
def test_a_search_cannot_write_html():
    assert "<script" not in "".join(one.sentence for one in search("study")).casefold()
    for one in search("slug"):
        assert set(re.findall(r"<(/?\w+)", one.sentence)) <= {"mark", "/mark"}


def test_a_page_has_its_title_contents_and_no_element_of_its_own():
    for name in PAGES:
        found = document(name)
        assert found.title, name
        assert all(heading.anchor in found.anchors for heading in found.contents), name
        assert "style=" not in found.html, name
        assert "<script" not in found.html, name
        assert len(re.findall(r' id="', found.html)) == len(found.anchors), name


def test_boxes_that_scroll_can_be_told_from_one_another():
    """Each is a region: of two of one name a screen reader cannot say which is which."""
    for name in PAGES:
        html = document(name).html
        labels = re.findall(r'role="region" tabindex="0" aria-label="([^"]+)"', html)
        assert len(labels) == html.count("<table>") + html.count("<pre"), name
        assert len(set(labels)) == len(labels), name


def test_links_lead_somewhere():
    lost = [f"{name}: {address}" for name in PAGES for address in addresses(name) if not is_there(address)]
    assert not lost, "\n".join(lost)


def addresses(name: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', document(name).html)


def is_there(address: str) -> bool:
    if not address.startswith("/docs/"):
        return address.startswith(("https://", "http://", "#"))
    page, _, anchor = address.removeprefix("/docs/").partition("#")
    return not anchor or anchor in document(page.strip("/")).anchors


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
    assert 'href="/docs/statistics/' in html
    assert document("papers").html.count('href="/docs/papers/') >= 1


@pytest.mark.slow
@pytest.mark.django_db
def test_the_address_of_a_statistic_shows_it(client, researcher):
    client.force_login(researcher)
    answer = client.get(reverse("docs", args=["statistics"]))
    assert answer.status_code == 200
    assert 'id="krippendorffs-alpha"' in answer.content.decode()
    part = client.get(docs_address("statistics", "krippendorffs-alpha")).content.decode()
    assert 'id="krippendorffs-alpha"' in part
    assert 'rel="next"' in part
    shelf = client.get("/docs/").content.decode()
    assert all(one.title in unescape(shelf) for group in GROUPS for one in group.entries)
    found = client.get("/docs/", {"q": "dawid skene"}).content.decode()
    assert "<mark>Dawid</mark>" in found
    assert "Nothing has all of" in client.get("/docs/", {"q": "xylophone"}).content.decode()
    assert client.get(reverse("docs", args=["papers/intensifiers"])).status_code == 200
    assert client.get("/docs/design/").status_code == 404
    assert client.get("/docs/..%2Fsettings/").status_code == 404


def test_pictures_are_light_and_shown_from_the_site():
    pictures = sorted((ROOT / "docs" / "pictures").iterdir())
    assert [path.name for path in pictures if path.stat().st_size > 150_000] == []
    assert 'src="/static/pictures/results' in document("first-steps").html


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "heading"),
    [
        ("Latin square", "Lists and Latin squares"),
        ("how do I make lists", "Lists and Latin squares"),
        ("attention check", "Attention checks and gold items"),
        ("how do I add an attention check", "Attention checks and gold items"),
        ("gold items", "Attention checks and gold items"),
    ],
)
def test_a_linguist_is_led_to_the_page_in_the_browser(asked, heading):
    assert search(asked)[0].heading == heading
