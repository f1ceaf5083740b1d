"""The confusion matrix as a figure: shares of rows or of the whole; and pairs of words as a flat file."""

import math

import numpy as np
import pytest

from annotation.itemfile import ItemRow
from comparison.figures.models.confusion import confusion_figure
from comparison.statistics.accuracy.confusion import confusion
from scoring.models import Score
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import file_rows, page
from tests.studies import open_small_study

ROWS = confusion(np.array([0, 0, 1, 1, -1]), np.array([0, 0, 0, 1, 1]), ["no", "yes", "never"])


def said(spec):
    return {one["said"] for found in spec["datasets"].values() for one in found}


@pytest.mark.slow
def test_shares_are_of_rows_or_of_the_whole():
    of_rows = confusion_figure(ROWS, whole=False, description="x", title="")
    assert "no, given yes: 33 %, 1 of 3" in said(of_rows)
    assert not any(one.startswith("never") for one in said(of_rows))
    of_all = confusion_figure(ROWS, whole=True, description="x", title="")
    assert "no, given yes: 25 %, 1 of 4" in said(of_all)
    assert "never, given no: 0 %, 0 of 4" in said(of_all)


def test_nothing_is_drawn_where_nothing_is_decided():
    assert (
        confusion_figure(confusion(np.array([-1]), np.array([0]), ["no"]), whole=True, description="", title="") is None
    )


@pytest.mark.slow
def test_the_page_draws_what_is_asked(logged_in, study):
    key = study.runs.get(model__key="parrot").pk
    by_row = page(logged_in, study, "models", run=key, open="confusion").context["page"].charts["confusion"].spec
    whole = page(logged_in, study, "models", run=key, cells="whole").context["page"].charts["confusion"].spec
    assert any("Less likely, given Less likely: 100 %, 2 of 2" in one for one in said(by_row))
    assert any("Less likely, given Less likely: 50 %, 2 of 4" in one for one in said(whole))


@pytest.mark.django_db
def test_pairs_are_flat(logged_in, tmp_path):
    words = {"grammatical": "laughs", "ungrammatical": "laugh"}
    rows = [
        ItemRow(f"p{n}", {"sentence": f"Author {n} ____ .", "options": words}, reference="grammatical") for n in (1, 2)
    ]
    task = {"type": "forced_choice", "question": "Which?", "options": ["grammatical", "ungrammatical"]}
    made = open_small_study(tmp_path / "pairs", rows, slug="pairs", task=task, quality={"gold_distance": 1})
    give_run(made, [(rows[0].id, "grammatical", 1.0, ""), (rows[1].id, None, None, "too long")], key="owl")
    options = {"grammatical": {"logprob": math.log(0.25)}, "ungrammatical": {"logprob": math.log(0.05)}}
    Score.objects.filter(item__external_id=rows[0].id).update(detail={"options": options})
    first, second = file_rows(logged_in, "pairs", "pairs")
    assert (first["sentence"], first["correct"], first["incorrect"]) == ("Author 1 ____ .", "laughs", "laugh")
    assert (float(first["p_correct"]), float(first["p_incorrect"]), first["decision"]) == (0.25, 0.05, "right")
    assert (second["p_correct"], second["decision"]) == ("", "")
