"""What is read as a run's probabilities of labels, and what is not."""

import math

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.itemfile import ItemRow
from comparison.frame.probabilities import ITS_OWN, read_probabilities, run_numbers
from comparison.frame.reading import read_panel
from scoring.models import LanguageModel, Score
from tests.comparison.cast import give_run
from tests.studies import open_small_study

OPTIONS = {"intensifier": "very", "negation": "not"}
LOGS = {"s1": (-1.0, -3.0), "s2": (-700.0, -702.0), "s3": (-900.0, -900.0)}


@pytest.fixture
def slots(db, tmp_path):
    rows = [ItemRow(name, {"sentence": "Soup is ____ cold.", "options": OPTIONS}) for name in LOGS]
    task = {"type": "forced_choice", "question": "Which?", "options": list(OPTIONS)}
    return open_small_study(tmp_path / "slots", rows, task=task, quality={"gold_distance": 1})


def give_options(study, *, metric, key="m", field="logprob", **more):
    run = give_run(study, [(name, "negation", 0.0, "") for name in LOGS], key=key, metric=metric, **more)
    for score in Score.objects.filter(run=run).select_related("item"):
        options = dict(zip(OPTIONS, LOGS[score.item.external_id], strict=True))
        score.detail = {"options": {name: {"text": name, field: number} for name, number in options.items()}}
        score.save(update_fields=["detail"])
    return run


def read(study, *, coarse=False):
    return read_probabilities(study, read_panel(study, coarse=coarse), coarse=coarse)


def test_log_probabilities_are_shared_among_the_options(slots):
    run = give_options(slots, metric="pll")
    found = read(slots)[str(run.pk)]
    first = 1 / (1 + math.exp(-2))
    # However improbable the sentences are, as in the second; equal ones share alike.
    assert found.given == pytest.approx(np.array([[first, 1 - first], [first, 1 - first], [0.5, 0.5]]))
    assert found.how == "pll, normalized over the options"


@pytest.mark.parametrize("metric", ["causal_per_token", "causal_per_word", "verb", "last_word", "causal_published"])
def test_means_over_tokens_or_words_are_no_probabilities(slots, metric):
    give_options(slots, metric=metric)
    assert read(slots) == {}


def test_scores_that_are_no_log_probabilities_are_none(slots):
    give_options(slots, metric="ppmi_syntax", field="score", family="baseline")
    assert read(slots) == {}


def test_of_imported_numbers_the_file_s_word_is_taken(slots):
    run = give_options(slots, metric="verb", key="published")
    LanguageModel.objects.filter(key="published").update(is_imported=True, method="", location="none", source="")
    assert read(slots)[str(run.pk)].how == "verb (imported), normalized over the options"


def test_probabilities_of_a_run_that_was_asked_are_its_own_and_merged_with_the_labels(asked_study):
    run = asked_study.runs.get(metric="prompted")
    found = read(asked_study)
    assert list(found) == [str(run.pk)], "strengths of two sentences are no probabilities of degrees"
    given = found[str(run.pk)].given
    assert given.shape == (6, 5)
    assert given.sum(axis=1) == pytest.approx(np.ones(6))
    detail = Score.objects.get(run=run, item__external_id="target-2").detail["probabilities"]
    assert given[1] == pytest.approx([detail[value] for value in asked_study.task.scale.values])
    assert found[str(run.pk)].how == ITS_OWN
    merged = read(asked_study, coarse=True)[str(run.pk)].given
    assert merged == pytest.approx(np.column_stack([given[:, :2].sum(axis=1), given[:, 2], given[:, 3:].sum(axis=1)]))


def test_items_without_a_score_and_items_that_are_not_selected(asked_study):
    run = asked_study.runs.get(metric="prompted")
    Score.objects.filter(run=run, item__external_id="target-3").delete()
    panel = read_panel(asked_study, coarse=False)
    given = read_probabilities(asked_study, panel, coarse=False)[str(run.pk)].given
    assert np.isnan(given).all(axis=1).tolist() == [False, False, True, False, False, False]
    part = panel.where(np.array([False, True, True, False, False, True]))
    assert read_probabilities(asked_study, part, coarse=False)[str(run.pk)].given == pytest.approx(
        given[[1, 2, 5]], nan_ok=True
    )


def test_a_scale_of_numbers_is_read_by_its_numbers(db, tmp_path):
    rows = [ItemRow(name, {"sentence": f"It is {name}."}) for name in ("r1", "r2")]
    task = {"type": "rating", "question": "How likely?", "points": 3, "low": "not", "high": "very"}
    study = open_small_study(tmp_path / "rated", rows, task=task, quality={"gold_distance": 1})
    values = study.task.scale.values
    assert values == ("1", "2", "3")
    run = give_run(study, [("r1", "1", 1.2, ""), ("r2", "3", 2.7, "")], key="asked", metric="prompted", family="causal")
    shares = {"r1": [0.8, 0.15, 0.05], "r2": [0.1, 0.1, 0.8]}
    for score in Score.objects.filter(run=run).select_related("item"):
        score.detail = {"probabilities": dict(zip(values, shares[score.item.external_id], strict=True))}
        score.save(update_fields=["detail"])
    assert read(study)[str(run.pk)].given == pytest.approx(np.array(list(shares.values())))


def test_the_first_score_of_a_run_is_found_without_sorting_all_of_them(slots):
    give_options(slots, metric="pll")
    with CaptureQueriesContext(connection) as caught:
        run_numbers(slots)
    (asked,) = [one["sql"] for one in caught if "scoring_score" in one["sql"]]
    with connection.cursor() as cursor:
        steps = [step for *_, step in cursor.execute(f"EXPLAIN QUERY PLAN {asked}").fetchall()]
    # One is that of the runs.
    assert sum("TEMP B-TREE" in step for step in steps) == 1, steps
