"""What Results › Models weighs in a study of many runs."""

import gzip
import random
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from annotation.models import Study
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import page
from tests.studies import open_small_study, plausibility_rows

ITEMS = 20
# What a page may weigh when it is opened for the first time.
MOST = 80_000


def crowded(folder, runs: int) -> Study:
    """Three annotators who mostly agree, and runs from those that are right to those that guess."""
    study = open_small_study(folder, plausibility_rows(ITEMS), slug=f"many-{runs}")
    draw, values = random.Random(7), study.task.scale.values
    items = list(study.items.filter(kind="target").order_by("position").values_list("external_id", flat=True))
    truth = {item: draw.choice(values) for item in items}
    give_labels(
        study,
        [
            (item, name, truth[item] if draw.random() < 0.9 else draw.choice(values))
            for name in ("ada", "ben", "cem")
            for item in items
        ],
    )
    for place in range(runs):
        skill = place / runs
        said = [(item, truth[item] if draw.random() < skill else draw.choice(values), None, "") for item in items]
        give_run(study, said, key=f"organization/model-number-{place}", metric="label", family="classifier")
    return study


def weight(response) -> int:
    """Of the page and what it links, each compressed."""
    html = response.content
    linked = re.findall(rb'(?:href|src)="/static/([^"]+\.(?:css|js|svg))"', html)
    files = [finders.find(name.decode()) for name in dict.fromkeys(linked)]
    return sum(len(gzip.compress(data)) for data in [html, *(Path(file).read_bytes() for file in files if file)])


@pytest.mark.slow
def test_models_weighs_no_more_than_a_page_may(logged_in, tmp_path):
    response = page(logged_in, crowded(tmp_path, 38), "models")
    assert response.context["page"] is not None, "it is not still computed"
    assert weight(response) <= MOST
