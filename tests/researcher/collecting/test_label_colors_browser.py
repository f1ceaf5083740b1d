"""Label use on the page of annotators: each point of a long scale has a color of its own, and a swatch in it."""

import pytest
from django.urls import reverse

from tests.browser import log_in
from tests.comparison.one_number.five import POINTS, ratings

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PAINTED = "(all, which) => all.map((one) => getComputedStyle(one)[which])"
BLACK, NONE = "rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_point_of_a_scale_has_its_color_and_swatch(open_page, live_server, researcher, tmp_path, scheme):
    study = ratings(tmp_path / "ratings")
    page = open_page(color_scheme=scheme)
    log_in(page, live_server, reverse("annotators", args=[study.slug]))
    swatches = page.locator(".legend .key").evaluate_all(PAINTED, "backgroundColor")
    assert len(swatches) == len(set(swatches)) == POINTS
    used = page.locator(".annotators .w-use rect").evaluate_all(PAINTED, "fill")
    assert set(used) == set(swatches)
    assert not {BLACK, NONE} & set(swatches)
