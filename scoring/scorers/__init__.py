"""The scorers there are, by name. Importing this loads no torch; opening a neural scorer does.

A scorer takes a list of requests and returns a list of results in the same order, each numbers or
`Unscored` with a reason. It knows texts, never studies or rows, and needs no Django.

To add one more:

1. A module here with a class that keeps `Scorer` of contract.py; what needs several modules has a folder of its own.
2. Its method and where it lies in SCORERS below; if rows of models answer by it as their kind, a family in
   scoring/models.py, with CHUNK_WORDS in scoring/runs/planning.py.
3. Its metrics in scoring/metrics.py, and how it is opened in tests/scoring/scorers/test_contract.py, which holds it to
   what every scorer promises.

A baseline has its own place: scoring/baselines.
"""

from collections.abc import Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any

from scoring import baselines
from scoring.scorers.contract import ModelSpec, Scorer

SCORERS = {
    "masked": "scoring.scorers.masked:MaskedScorer",
    "causal": "scoring.scorers.causal:CausalScorer",
    "classifier": "scoring.scorers.classifier:ClassifierScorer",
    "lstm": "scoring.scorers.lstm_model.scorer:LstmScorer",
    **baselines.SCORERS,
}
# Asking in words is another class: the same weights in this process, or a model behind the settings' endpoint.
ASKED = {
    ("causal", "prompted"): "scoring.scorers.prompted:PromptedScorer",
    ("endpoint", "prompted"): "scoring.scorers.endpoint.scorer:EndpointScorer",
    ("endpoint", "sampled"): "scoring.scorers.endpoint.scorer:SamplingScorer",
}


def open_scorer(spec: ModelSpec, *, metric: str, settings: Mapping[str, Any], **handed: Any) -> Scorer:
    """The scorer for a model and metric. `settings` are the run's: seed, majority label, word list.

    `handed` is what this scorer alone takes: that of an endpoint takes the `endpoint`.

    Raises LookupError for a scorer that does not exist and ModelError for a model that cannot be used.
    """
    dotted = ASKED.get((spec.method, metric)) or SCORERS.get(spec.method)
    if dotted is None:
        raise LookupError(f"There is no scorer {spec.method!r}. Available: {', '.join(sorted(SCORERS))}.")
    module, name = dotted.split(":")
    opened: Scorer = attrgetter(name)(import_module(module))(spec, metric=metric, settings=settings, **handed)
    return opened
