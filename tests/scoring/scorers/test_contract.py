"""What every scorer promises, whatever it is asked; and every task type put to every scorer."""

import json
import math
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from annotation.tasktypes import TASK_TYPES, task_type
from annotation.tasktypes.contract import (
    Cloze,
    ClozeNumbers,
    Labeled,
    LabelNumbers,
    Prompted,
    PromptNumbers,
    Region,
    Sentence,
    SentenceNumbers,
    Unscored,
)
from scoring.baselines.associations.methods import METHODS
from scoring.baselines.associations.places import CONTENT
from scoring.metrics import METRICS, metrics_of
from scoring.scorers import SCORERS, open_scorer
from scoring.scorers.contract import ModelSpec
from scoring.scorers.lstm_model.folder import WEIGHTS
from tests.scoring.baselines.associations.stores import small_store
from tests.scoring.scorers import weights
from tests.settings import SHARED_FOLDER
from tests.training.lstm.small import small_model

RUN_SETTINGS: dict[str, dict[str, Any]] = {
    "majority": {"label": "yes"},
    "normative": {"nonsubsective": ["false"]},
    "random": {"seed": 1},
}
KEYS = {"masked": weights.MASKED, "causal": weights.THIN}
CLASSIFIER = "classifier"
NUMBERS = {"cloze": ClozeNumbers, "sentence": SentenceNumbers, "label": LabelNumbers, "prompt": PromptNumbers}
# The normative rule is about modifiers; the examples point at no verb; two tasks have nothing that goes on.
UNSCORED = {
    *(("normative", "label", name) for name in ("yes_no", "forced_choice", "rating")),
    *(("masked", "verb", name) for name in TASK_TYPES),
    *(("causal", "continuation", name) for name in ("plausibility", "rating")),
    # The small store's text is not about what the examples are about, and not all of them have an object.
    *((method, method, name) for method in METHODS if method != "ngram" for name in TASK_TYPES),
    # It knows yes and no, and nothing else.
    *((CLASSIFIER, "label", name) for name in ("plausibility", "forced_choice", "rating")),
}


def cases() -> list[Any]:
    """Every scorer with every metric that it has."""
    found = []
    for key in SCORERS:
        marks = [weights.needs_weights, pytest.mark.slow] if key in KEYS else []
        marks = [pytest.mark.slow] if key in (CLASSIFIER, *METHODS) else marks
        for metric in metrics_of(key):
            found.append(pytest.param(key, metric.key, marks=marks, id=f"{key}-{metric.key}"))
    return found


@cache
def classifier() -> Any:
    """One with random weights, which keeps its promises like a trained one."""
    from tests.scoring.scorers.little.classifier import YES_NO, spec, write_classifier

    folder = write_classifier(Path(tempfile.mkdtemp(prefix="classifier-", dir=SHARED_FOLDER)) / "model", YES_NO)
    return open_scorer(spec(folder, "boolq-question"), metric="label", settings={})


def opened(key, metric):
    if key in KEYS:
        return weights.scorer(KEYS[key], metric)
    if key in METHODS:
        store, content = small_store()
        spec = ModelSpec(key, str(store), files={CONTENT: content}, settings=METHODS[key].settings)
        return open_scorer(spec, metric=metric, settings={})
    if key == CLASSIFIER:
        return classifier()
    if key == "lstm":
        folder, weights_hash = small_model()
        return open_scorer(ModelSpec(key, str(folder), files={WEIGHTS: weights_hash}), metric=metric, settings={})
    return open_scorer(ModelSpec(key, key), metric=metric, settings=RUN_SETTINGS[key])


def mixed_requests():
    """All three shapes, good and bad, in no order that suits anyone."""
    return [
        Sentence("A long sentence about nothing in particular."),
        Labeled("A key opens doors.", ("yes", "no"), focus="false"),
        Cloze("The soup was ____ cold.", ("very", "not")),
        Sentence(""),
        Sentence("Short one.", (Region("verb", 6, 9), Region("continuation", 6, 10))),
        Cloze("The soup was ____ cold.", ("antidisestablishmentarian", "not")),
        Labeled("A key opens doors.", ("yes", "no"), focus="old"),
        Prompted("Mice squeak.", "Is it so?", (("yes", "Yes"), ("no", "No")), instructions="Answer."),
        Sentence("Short one."),
        Sentence("The cop arrested the thief."),
    ]


@pytest.mark.parametrize(("key", "metric"), cases())
def test_one_result_a_request_in_the_same_order(key, metric):
    scorer, requests = opened(key, metric), mixed_requests()
    together = scorer.score(requests)
    assert len(together) == len(requests)
    for request, result in zip(requests, together, strict=True):
        [alone] = scorer.score([request])
        assert type(alone) is type(result)
        # A text alone has other shapes; SmolLM2's first token is rounded by up to 2e-4 then (docs/metrics.md).
        assert flat(result) == pytest.approx(flat(alone), abs=3e-4)
    assert scorer.score([]) == []


@pytest.mark.parametrize(("key", "metric"), cases())
def test_results_have_the_metrics_shape_or_a_reason(key, metric):
    wanted = NUMBERS[METRICS[metric].shape]
    results = opened(key, metric).score(mixed_requests())
    assert any(isinstance(result, wanted) for result in results)
    for result in results:
        if isinstance(result, Unscored):
            assert result.reason
        else:
            assert all(math.isfinite(number) for number in flat(result))


@pytest.mark.parametrize("task_key", TASK_TYPES)
@pytest.mark.parametrize(("key", "metric"), cases())
def test_every_task_types_example_is_read_out_or_left_unscored(key, metric, task_key):
    kind = task_type(task_key)
    task = kind.configured(kind.example_settings)
    shape = METRICS[metric].shape
    results = opened(key, metric).score(task.requests(kind.example, shape))
    reasons = [result.reason for result in results if isinstance(result, Unscored)]
    if reasons:
        assert (key, metric, task_key) in UNSCORED
        return
    readout = task.readout(kind.example, shape, results)
    json.dumps(readout.detail, allow_nan=False)
    assert readout.decision is not None or readout.strength is not None
    if key not in ("majority", "normative"):
        # Those two give the label they were told, whatever the scale.
        assert readout.decision is None or readout.decision in task.scale.values


@pytest.mark.parametrize(("key", "metric"), cases())
def test_provenance_is_json_and_neural_models_say_what_they_are(key, metric):
    told = json.loads(json.dumps(opened(key, metric).provenance(), allow_nan=False))
    if key in (*KEYS, CLASSIFIER):
        wanted = {"source", "files_sha256", "tokenizer_class", "tokenizer_sha256", "dtype", "device", "threads"}
        wanted |= {"computed"}
        assert wanted <= told.keys()
        assert all(told[name] for name in wanted)
        assert {"torch", "transformers"} <= told.keys()


def test_an_unknown_scorer_is_refused_with_those_there_are():
    with pytest.raises(LookupError, match=r"'nonesuch'.*causal, classifier, lstm, majority, masked, ngram, normative"):
        open_scorer(ModelSpec("nonesuch", ""), metric="pll", settings={})


def flat(result):
    match result:
        case ClozeNumbers():
            return [*result.logprobs, *result.ranks, *(logprob for _, logprob in result.top)]
        case LabelNumbers(probabilities=shares) if shares is not None:
            return list(shares.values())
        case SentenceNumbers():
            return [result.logprob, *(logprob for _, logprob in result.tokens)]
        case _:
            return []
