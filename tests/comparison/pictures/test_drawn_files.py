"""Every chart of the results can be saved as SVG, PDF, PNG and CSV: by links, which need no script."""

import io
import re
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from PIL import Image

from comparison import tasks
from comparison.frame import selected
from researcher.views.comparison import PARTS
from tests.comparison.page.visiting import page
from tests.queued import listened_to

STARTS = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}


def saved(client, study, kind, *, part="overview", chart="accuracy"):
    return client.get(reverse("figure", args=[study.slug, part, chart, kind]))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("part", PARTS)
def test_beside_every_chart_stand_all_four(client, researcher, asked_study, part):
    client.force_login(researcher)
    html = page(client, asked_study, part).content.decode()
    for figure in re.findall(r'<figure class="chart".*?</figure>', html, re.DOTALL):
        found = dict(re.findall(r'href="([^"?]+)[^"]*">(SVG|PDF|PNG|CSV)</a>', figure))
        assert sorted(found.values()) == ["CSV", "PDF", "PNG", "SVG"], figure
        for address, kind in found.items():
            answer = client.get(address)
            assert answer.status_code == 200
            assert answer.headers["Content-Disposition"].endswith(f'.{kind.lower()}"')
            assert answer.getvalue().startswith(STARTS.get(kind.lower(), b"study,population,items_selected"))


@pytest.mark.slow
@pytest.mark.django_db
def test_files_are_of_the_light_theme_on_white_and_say_that_labels_are_synthetic(client, researcher, synthetic_study):
    client.force_login(researcher)
    drawn = saved(client, synthetic_study, "svg")
    assert drawn.headers["Content-Disposition"].endswith('-synthetic-accuracy.svg"')
    ElementTree.fromstring(drawn.content)  # noqa: S314
    text = drawn.content.decode()
    assert "var(--" not in text
    assert 'fill="#ffffff"' in text
    assert "Labels are synthetic" in text
    assert "Labels of synthetic annotators" in text
    image = Image.open(io.BytesIO(saved(client, synthetic_study, "png").content)).convert("RGBA")
    assert image.getchannel("A").getextrema() == (255, 255)
    assert image.getpixel((0, 0)) == (255, 255, 255, 255)
    assert image.width >= 2 * 600


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("part", "chart", "kind"),
    [("overview", "strength", "pdf"), ("people", "accuracy", "svg"), ("x", "accuracy", "png")],
)
def test_a_chart_that_is_not_there_is_not_found(client, researcher, study, part, chart, kind):
    client.force_login(researcher)
    assert saved(client, study, kind, part=part, chart=chart).status_code == 404


@pytest.mark.slow
@pytest.mark.django_db
def test_a_kind_that_is_not_there_is_not_found(client, researcher, study):
    client.force_login(researcher)
    assert saved(client, study, "gif").status_code == 404


@pytest.mark.slow
@pytest.mark.django_db
def test_of_a_large_study_it_is_said_that_a_worker_is_at_it(client, researcher, study, monkeypatch):
    """And drawn by it: the process that serves the file of a page draws none of its charts."""
    monkeypatch.setattr(selected, "QUICK", 0)
    asked = listened_to(monkeypatch)
    client.force_login(researcher)
    answer = saved(client, study, "svg")
    assert "Creating: small-accuracy.svg" in answer.content.decode()
    tasks.compute(*asked.pop()[1:])
    monkeypatch.setattr("comparison.page.page.draw", lambda spec: pytest.fail("a chart was drawn"))
    assert saved(client, study, "svg").content.startswith(b"<svg")
    for part in PARTS:
        assert page(client, study, part).context["page"] is not None
    assert asked == []
