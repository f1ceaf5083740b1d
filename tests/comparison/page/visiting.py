"""The results of a study as the test client and a browser get them."""

import csv
import io
import re

from django.urls import reverse

from comparison.figures.registry import checks
from researcher.views.comparison import PARTS

# Every page of the results: its parts, and the checks of Models.
PAGES = (*PARTS, *(figure.key for figure in checks()))


def address(study, part="overview"):
    return reverse("results", args=[study.slug] if part == "overview" else [study.slug, part])


def open_results(page, live_server, study, part="overview"):
    heard = []
    page.on("console", lambda message: heard.append(f"{message.type}: {message.text} {message.location['url']}"))
    page.goto(live_server.url + address(study, part) + "?open=all")
    return heard


def page(client, study, part="overview", **query):
    return client.get(address(study, part), query)


def everything(client, study, **query):
    """All parts of the results, one after the other."""
    return "\n".join(page(client, study, part, **query).content.decode() for part in PAGES)


def words(response) -> str:
    """The page's text without tags, spaces run together."""
    return plain(response.content.decode())


def without_terms(html: str) -> str:
    """Without what the “?” open: what a figure is in general, whoever labeled."""
    return re.sub(r'<div popover class="about-words".*?</div>', "", html, flags=re.DOTALL)


def plain(html: str) -> str:
    # A figure's element stands inside a sentence.
    joined = re.sub(r'<span class="unbroken">(.*?)</span>', r"\1", html)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", joined))


INNERMOST = re.compile(r"<details[^>]*>((?:(?!<details).)*?)</details>", re.DOTALL)
# Tables, pictures, choices that a list shows only when it is opened, and what only paper has.
UNREAD = (
    r"<nav.*?</nav>", r"<table.*?</table>", r"<title.*?</title>", r"<svg.*?</svg>", r"<div popover.*?</div>",
    r"<option (?![^>]*selected).*?</option>", r'<p class="printed".*?</p>',
)  # fmt: skip


def unopened(response) -> int:
    """How many words the page has outside its tables and pictures, before anything is opened."""
    html = response.content.decode()
    main = html[html.index("<main") : html.index("</main>")]
    while INNERMOST.search(main):
        main = INNERMOST.sub(_summary, main)
    for hidden in UNREAD:
        main = re.sub(hidden, " ", main, flags=re.DOTALL)
    # A point between two facts is no word, nor a percent sign.
    return len(re.findall(r"\S*\w\S*", re.sub(r"<[^>]+>", " ", main)))


def _summary(details: re.Match[str]) -> str:
    found = re.search(r"<summary.*?</summary>", details[1], flags=re.DOTALL)
    return found[0] if found else ""


def file_rows(client, slug: str, what: str, **query: object) -> list[dict[str, str]]:
    """The lines of a download of a study."""
    answer = client.get(reverse("export", args=[slug, what]), query)
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
