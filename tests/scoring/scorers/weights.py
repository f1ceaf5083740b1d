"""The packaged models' real weights, where they have been fetched."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from scoring.library.packaged import PACKAGED, in_place, packaged
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from scoring.scorers.networks.weights import deciding

MODELS_DIR = Path(settings.BASE_DIR) / "var" / "models"
CAUSAL, MASKED = "smollm2-135m", "splade-tiny"
FETCHED = all(in_place(model, MODELS_DIR) for model in PACKAGED)

needs_weights = pytest.mark.skipif(
    not FETCHED, reason=f"the packaged models are not in {MODELS_DIR}; run manage.py fetch_models"
)


def folder(key: str) -> str:
    return str(MODELS_DIR / key)


def spec_of(key: str, **changes: Any) -> ModelSpec:
    """The spec of a packaged model, as its row in the database would give it."""
    model = packaged(key)
    hashes = in_place(model, MODELS_DIR)
    assert hashes is not None
    spec = ModelSpec(model.family, folder(key), model.requirement, files=deciding(hashes), settings=model.settings)
    return replace(spec, **changes)


@cache
def scorer(key: str, metric: str) -> Any:
    """The opened scorer, of whichever class, so that tests can look inside."""
    return open_scorer(spec_of(key), metric=metric, settings={})


# Written for these tests: short and long words, rare words in many pieces, punctuation, figures, capitals.
SENTENCES = (
    "The gardener waters the roses before breakfast.",
    "The gardener water the roses before breakfast.",
    "Was it raining in Ljubljana?",
    "Antidisestablishmentarianism bewildered the quizmaster's grandchildren.",
    "No.",
    "In 1987, 24 of the 310 lamps (the green ones) had already failed; nobody noticed!",
    "She didn't re-read it, did she?",
    "A floccinaucinihilipilification of tchotchkes annoyed us.",
    "Wet snow fell on the half-built pier all night long, and the ferrymen, who were used to it, played cards.",
    "“Quite,” said the otter.",
)
