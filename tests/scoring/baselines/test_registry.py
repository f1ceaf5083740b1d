"""Baselines are named once; metrics, scorers, rows and keys are made from that."""

import pytest

from scoring.baselines import LABELING, SCORERS, label_baseline
from scoring.baselines.associations.methods import METHODS
from scoring.baselines.labels import LabelScorer
from scoring.library.installation import install_baselines
from scoring.library.registering import is_reserved
from scoring.metrics import METRICS, metrics_of
from scoring.scorers import SCORERS as ALL
from tests.studies import open_small_study, plausibility_rows


def test_each_has_a_scorer_a_metric_and_a_key_that_is_kept():
    for method in LABELING:
        assert metrics_of(method) == [METRICS["label"]]
        assert is_reserved(method)
    for method, counted in METHODS.items():
        assert metrics_of(method) == [METRICS[method]]
        assert METRICS[method].is_logprob is counted.is_logprob
        assert is_reserved(f"{method}-novels-0123abcd")
    assert SCORERS.keys() == {*LABELING, *METHODS}
    assert SCORERS.items() <= ALL.items()


def test_there_is_no_other_label_baseline():
    assert {one.__name__ for one in LabelScorer.__subclasses__()} == {f"{one.capitalize()}Scorer" for one in LABELING}


def test_an_unknown_baseline_is_refused_with_those_there_are():
    with pytest.raises(LookupError, match=r"no baseline 'ngram' that gives labels\. Available: majority, normative, "):
        label_baseline("ngram")


@pytest.mark.django_db
def test_rows_are_named_as_baselines_are(tmp_path):
    rows = {row.key: (row.name, row.method, row.settings) for row in install_baselines()}
    assert rows == {
        "majority": ("Majority label", "majority", {}),
        "normative": ("Normative rule (ADEPT)", "normative", {}),
        "random": ("Random label", "random", {"seed": 1}),
    }
    study = open_small_study(tmp_path, plausibility_rows(2))
    assert label_baseline("random").misfit(study) is None
    assert label_baseline("random").settings_of(study) == {"seed": 1}
