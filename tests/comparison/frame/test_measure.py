"""Another measure than the study's can be asked for, and the page then says so."""

import pytest

from annotation.itemfile import ItemRow
from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.selected import select
from tests.comparison.page.visiting import page
from tests.studies import open_small_study


def test_a_reader_can_ask_for_another_measure(study):
    own, other = (select(study, read_selection(query)) for query in ({}, {"measure": ["distance"]}))
    assert own.verdict.measure == study.measure == "accuracy"
    assert other.verdict.measure == "distance"
    assert own.other_measure == ""
    assert "The study’s own: accuracy" in other.other_measure


@pytest.mark.slow
def test_the_page_says_that_a_reader_chose_it(logged_in, study):
    plain = page(logged_in, study).content.decode()
    assert "Measure chosen here" not in plain
    assert "measure=quadratic_kappa" in plain
    shown = page(logged_in, study, measure="quadratic_kappa").content.decode()
    assert "Measure chosen here: quadratic κ" in shown
    assert '<input type="hidden" name="measure" value="quadratic_kappa">' in shown


@pytest.mark.slow
def test_the_studys_own_measure_is_no_other(logged_in, study):
    assert "Measure chosen here" not in page(logged_in, study, measure="accuracy").content.decode()


def test_files_say_it_too(study):
    assert select(study, read_selection({"measure": ["distance"]})).words == "all items, by distance"


def test_an_unknown_measure_is_refused(study):
    with pytest.raises(SelectionError, match="measure cannot be 'luck'"):
        read_selection({"measure": ["luck"]})


def test_a_scale_without_order_has_accuracy_alone(db, tmp_path):
    task = {"type": "forced_choice", "question": "Which?", "options": ["intensifier", "negation"]}
    options = {"intensifier": "very", "negation": "not"}
    rows = [ItemRow("t1", {"sentence": "Soup is ____ cold.", "options": options})]
    study = open_small_study(tmp_path / "choice", rows, task=task, quality={"gold_distance": 1})
    assert select(study, read_selection({"measure": ["accuracy"]})).verdict.measure == "accuracy"
    with pytest.raises(SelectionError, match="measure cannot be 'distance'; choices: accuracy"):
        select(study, read_selection({"measure": ["distance"]})).refuse()
