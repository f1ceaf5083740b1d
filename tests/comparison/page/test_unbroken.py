"""An estimate and its interval stay on one line, wherever a results page says them."""

import pytest
from django.template import Context, Template
from django.urls import reverse

from comparison.statistics.estimate import ESTIMATE, pieces
from tests.browser import broken, logged_in
from tests.comparison.page.visiting import PAGES, address


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("α .64 [.59, .68] and 1.00 [.97, 1.00], n = 1,680", [".64 [.59, .68]", "1.00 [.97, 1.00]", "n = 1,680"]),
        ("−.11 [−.25, .05]; 87 % [80 %, 92 %]; 1,720 [1,650, 1,800]", None),
        (" [.76, .81] after a number in bold", [" [.76, .81]"]),
        ("*the author [laughs, laugh]*, [1], [1, 2, 3] and no more", []),
        ("", []),
    ],
)
def test_figures_are_found_and_nothing_is_lost(text, figures):
    found = list(pieces(text))
    assert "".join(piece for piece, _ in found) == text
    wanted = text.split("; ") if figures is None else figures
    assert [piece for piece, is_figure in found if is_figure] == wanted


def test_what_is_no_figure_is_escaped():
    html = Template("{% load tables %}{{ said|unbroken }}").render(Context({"said": "<b> has .6 [.5, .7] & more"}))
    assert html == '&lt;b&gt; has <span class="unbroken">.6 [.5, .7]</span> &amp; more'


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_line_ends_inside_one_on_results_pages(open_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(open_page(), live_server, client)
    parts = [f"{address(study, part)}?open=all" for part in PAGES]
    for path in [reverse("study", args=[study.slug]), *parts]:
        page.goto(live_server.url + path)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        # A line may end anywhere on one of so many screens.
        for width in range(360, 1281, 80):
            page.set_viewport_size({"width": width, "height": 800})
            assert broken(page, within="main", pattern=ESTIMATE.pattern) == [], (path, width)
