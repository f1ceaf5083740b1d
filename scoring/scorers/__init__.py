"""The scorers there are, by name. Importing this loads no torch; opening a neural scorer does.

A scorer takes a list of requests and returns a list of results in the same order, each numbers or
`Unscored` with a reason. It knows texts and never studies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from annotation.tasktypes.contract import Result, ScoreRequest

SCORERS = {
    "masked": "scoring.scorers.masked:MaskedScorer",
    "causal": "scoring.scorers.causal:CausalScorer",
    "classifier": "scoring.scorers.classifier:ClassifierScorer",
    "lstm": "scoring.scorers.lstm_model.scorer:LstmScorer",
    "majority": "scoring.baselines.labels:MajorityScorer",
    "normative": "scoring.baselines.labels:NormativeScorer",
    "random": "scoring.baselines.labels:RandomScorer",
    "ppmi_syntax": "scoring.baselines.counted:SyntacticScorer",
    "ppmi_syntax_smoothed": "scoring.baselines.counted:SmoothedScorer",
    "ppmi_unstructured": "scoring.baselines.counted:UnstructuredScorer",
    "thematic_fit": "scoring.baselines.counted:ThematicFitScorer",
    "sdm": "scoring.baselines.counted:SdmScorer",
    "ngram": "scoring.baselines.counted:NgramScorer",
}
# Asking in words is another class: the same weights in this process, or a model behind the settings' endpoint.
ASKED = {
    ("causal", "prompted"): "scoring.scorers.prompted:PromptedScorer",
    ("endpoint", "prompted"): "scoring.scorers.endpoint.scorer:EndpointScorer",
}


class ModelError(RuntimeError):
    """The model itself cannot be used: missing or changed files, no start token. Ends the run."""


def in_short(error: Exception) -> str:
    """A library's exception as a part of a sentence: its kind and its first line."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__


@dataclass(frozen=True)
class ModelSpec:
    """What a scorer must know of a model. `method` names its scorer; `source` is a folder, a model id or empty.

    `files` are the registered sha256 of the folder's files; without them whatever is in it is taken.
    """

    method: str
    source: str
    revision: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    dtype: str = "float32"
    settings: Mapping[str, Any] = field(default_factory=dict)


class Scorer(Protocol):
    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        """One result a request, in the same order."""
        ...

    def provenance(self) -> dict[str, Any]:
        """What it takes to get the same numbers again, as JSON."""
        ...


def open_scorer(spec: ModelSpec, *, metric: str, settings: Mapping[str, Any], **handed: Any) -> Scorer:
    """The scorer for a model and metric. `settings` are the run's: seed, majority label, word list.

    `handed` is what this scorer alone takes: that of an endpoint takes the `endpoint`.

    Raises LookupError for a scorer that does not exist and ModelError for a model that cannot be used.
    """
    found = ASKED.get((spec.method, metric)) or SCORERS.get(spec.method)
    if found is None:
        raise LookupError(f"There is no scorer {spec.method!r}. There are: {', '.join(sorted(SCORERS))}.")
    module, name = found.split(":")
    opened: Scorer = getattr(import_module(module), name)(spec, metric=metric, settings=settings, **handed)
    return opened
