"""Pages of results that are shared by a link, each as it is rendered: nothing is sent, and no link leads out.

That no branch of their templates does is held by tests/researcher/sharing/test_nothing_leads_out.py.
"""

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from annotation.access.sharing import make_share
from comparison.exports.registry import SHARED
from researcher.views.comparison import PARTS

ADDRESSES = {"href", "src", "action", "formaction", "data", "xlink:href", "poster", "cite", "ping"}
STUDIES = ["study", "grouped_study", "asked_study", "cut_study", "synthetic_study"]


class Out(HTMLParser):
    """What of a page leads somewhere, and what could send something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.leads: set[str] = set()
        self.sends: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.leads |= {value or "" for name, value in attrs if name in ADDRESSES}
        if tag in {"form", "input", "select", "textarea", "iframe", "object", "embed"}:
            self.sends.add(tag)
        if tag == "button" and given.get("type") != "button":
            self.sends.add("button")
        self.sends |= {name for name in given if name == "form" or name.startswith(("hx-", "on"))}


def read(link: str, *, gives_files: bool) -> tuple[dict[str, Out], set[str]]:
    """Every page that is reached from a link's first one, and every file; a page that is not there fails."""
    pages: dict[str, Out] = {}
    files: set[str] = set()
    others = PARTS.keys() - {"overview", *([] if gives_files else ["export"])}
    waiting = {link, *(f"{link}{part}/?open=all" for part in others)}
    while waiting:
        address = waiting.pop()
        answer = Client().get(address)
        assert answer.status_code == 200, address
        if address.endswith(".csv"):
            files.add(address.removeprefix(link).removesuffix(".csv"))
            continue
        pages[address] = Out(answer.content.decode())
        found = {urljoin(address, one).split("#")[0] for one in pages[address].leads}
        waiting |= {one for one in found if one.startswith(link)} - pages.keys()
    return pages, files


@pytest.mark.slow
# What a link without files leaves out does not hang on the study.
@pytest.mark.parametrize(("name", "gives_files"), [*((name, True) for name in STUDIES), ("asked_study", False)])
def test_nothing_on_a_shared_page_leads_out(request, researcher, name, gives_files):
    study = request.getfixturevalue(name)
    _, token = make_share(study, name="readers", gives_files=gives_files, by=researcher)
    link = reverse("shared", args=[token])
    pages, files = read(link, gives_files=gives_files)
    assert len(pages) >= len(PARTS) - (not gives_files)
    assert files == (set(SHARED) if gives_files else set())
    faults = [f"{address}: {what}" for address, page in pages.items() for what in page.sends]
    for address, page in pages.items():
        for one in page.leads:
            parts = urlsplit(urljoin(address, one))
            within = parts.path.startswith((link, "/static/")) and not parts.netloc and not parts.scheme
            faults += [] if within else [f"{address}: leads to {one}"]
    assert not faults, "\n".join(faults)
