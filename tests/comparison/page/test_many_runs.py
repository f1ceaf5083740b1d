"""What Results › Models weighs in a study of many runs."""

import gzip
import random
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from annotation.models import Study
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import page, unopened
from tests.studies import open_small_study, plausibility_rows

ITEMS = 20
# What a page may weigh when it is opened for the first time.
MOST = 80_000
# Words outside tables before anything is opened (PATTERNS): of lists and forms, of dashboards and figures, of Overview;
# and of pages that need fewer.
SHORT, LIST, FIGURES, OVERVIEW = 100, 150, 220, 280
PARTS = {
    "overview": OVERVIEW, "people": FIGURES, "models": FIGURES, "items": SHORT, "breakdown": SHORT, "export": LIST,
}  # fmt: skip
PAGES = {
    "study": LIST, "annotators": SHORT, "links": SHORT, "payment": SHORT, "adjudication": SHORT, "bring_in": LIST,
    "label_files": SHORT, "runs": SHORT, "runs_new": SHORT, "score_files": SHORT, "planning": FIGURES,
    "what_if": LIST, "members": SHORT, "shares": SHORT, "webhooks": SHORT, "history": SHORT, "setup": LIST,
}  # fmt: skip


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
def test_models_weighs_no_more_than_a_page_may_and_each_page_is_read_in_few_words(logged_in, tmp_path):
    study = crowded(tmp_path, 38)
    response = page(logged_in, study, "models")
    assert response.context["page"] is not None, "it is not still computed"
    assert weight(response) <= MOST
    # And is read in as few words as a page may have: not one sentence a run.
    addresses = {reverse("results", args=[study.slug, part]): most for part, most in PARTS.items()}
    addresses |= {reverse(name, args=[study.slug]): most for name, most in PAGES.items()}
    read = {address: unopened(logged_in.get(address)) for address in addresses}
    assert {address: count for address, count in read.items() if count > addresses[address]} == {}
