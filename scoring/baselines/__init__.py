"""Baselines: what answers from little or nothing, for models to be held against. All of them are found here.

What gives labels lies in `labels`; what looks sentences up in counted text lies in associations/, with its scorers in
`counted`. Nothing here needs Django, and importing this loads no torch.

To add one more that gives labels:

1. In `labels` a scorer that is named after its method, with what its row keeps and what it needs of a study.
2. Its method in LABELING below, from which metrics, scorers, rows and keys are made; `manage.py fetch_models` writes
   its row.
3. Its rule (B) in docs/metrics.md, its cases in tests/scoring/baselines/test_labels.py, and what its scorer is opened
   with in tests/scoring/scorers/test_contract.py.

To add one more from counted text: scoring/baselines/associations/methods.py.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from scoring.baselines.associations.methods import METHODS

if TYPE_CHECKING:
    from scoring.baselines.labels import LabelScorer

LABELING = ("majority", "normative", "random")
# Where the scorer of each method lies.
SCORERS = {method: f"scoring.baselines.labels:{method.capitalize()}Scorer" for method in LABELING} | {
    method: f"scoring.baselines.counted:{counted.scorer}" for method, counted in METHODS.items()
}


def label_baseline(method: str) -> "type[LabelScorer]":
    """The baseline of that method; LookupError, listing those there are, if it is unknown."""
    if method not in LABELING:
        raise LookupError(f"There is no baseline {method!r} that gives labels. Available: {', '.join(LABELING)}.")
    module, name = SCORERS[method].split(":")
    scorer: type[LabelScorer] = getattr(import_module(module), name)
    return scorer
