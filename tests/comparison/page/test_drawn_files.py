"""Every chart of the results can be saved as SVG, PDF, PNG and CSV."""

import re

import pytest
from django.urls import reverse

from researcher.views.comparison import PARTS
from tests.comparison.page.visiting import page

KINDS = ("SVG</button>", "PDF</a>", "PNG</button>", "CSV</a>")


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("part", PARTS)
def test_beside_every_chart_stand_all_four(client, researcher, study, asked_study, part):
    client.force_login(researcher)
    for one in (study, asked_study):
        html = page(client, one, part).content.decode()
        for figure in re.findall(r"<figure data-chart.*?</figure>", html, re.DOTALL):
            assert all(kind in figure for kind in KINDS), figure
            [address] = re.findall(r'href="([^"]*\.pdf[^"]*)"', figure)
            answer = client.get(address.replace("&amp;", "&"))
            assert answer.status_code == 200
            assert answer.content.startswith(b"%PDF")
            assert answer.headers["Content-Disposition"].endswith('.pdf"')


@pytest.mark.django_db
@pytest.mark.parametrize(("part", "chart"), [("overview", "strength"), ("people", "accuracy"), ("x", "accuracy")])
def test_a_chart_that_is_not_there_is_not_found(client, researcher, study, part, chart):
    client.force_login(researcher)
    assert client.get(reverse("figure", args=[study.slug, part, chart])).status_code == 404
