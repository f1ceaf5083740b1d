"""The rows of the models that are there: packaged ones, baselines, and those behind the settings' endpoint."""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.text import slugify

from corpus.provenance import digest
from scoring.baselines import LABELING, label_baseline
from scoring.library.composed import Composed
from scoring.library.location import Location
from scoring.library.packaged import Packaged, packaged
from scoring.models import LanguageModel
from scoring.scorers.networks.weights import deciding


def install_packaged(model: Packaged, files: dict[str, str]) -> LanguageModel:
    """The row of a packaged model whose files, with these hashes, are in place."""
    return _in_models(model, files, family=model.family, revision=model.requirement, declared=model.settings)


def install_composed(model: Composed, files: dict[str, str]) -> LanguageModel:
    """The row of a composed model whose files, with these hashes, are in place."""
    encoder = packaged(model.encoder)
    declared = {
        "encoder": encoder.requirement,
        "encoder_wheel_sha256": encoder.wheel_sha256,
        "artefact_sha256": model.artefact_sha256,
    }
    family = LanguageModel.Family.MASKED
    return _in_models(model, files, family=family, revision=model.revision, declared=declared)


def _in_models(
    model: Packaged | Composed, files: dict[str, str], *, family: str, revision: str, declared: Mapping[str, Any]
) -> LanguageModel:
    """The row of a model that stands in the folder of models by its key."""
    kept = deciding(files)
    row, _ = LanguageModel.objects.update_or_create(
        key=model.key,
        defaults={
            "name": model.name,
            "family": family,
            "method": family,
            "location": Location.MODELS,
            "source": model.key,
            "revision": revision,
            "files": kept,
            "file_hash": digest(kept),
            "dtype": "float32",
            "settings": declared,
            "license": model.license,
        },
    )
    return row


def install_baselines() -> list[LanguageModel]:
    """The rows of the baselines that give labels."""
    return [_baseline_row(method) for method in LABELING]


def _baseline_row(method: str) -> LanguageModel:
    baseline = label_baseline(method)
    row, _ = LanguageModel.objects.update_or_create(
        key=method,
        defaults={
            "name": baseline.name,
            "family": LanguageModel.Family.BASELINE,
            "method": method,
            "settings": dict(baseline.kept),
        },
    )
    return row


def install_endpoint() -> list[LanguageModel]:
    """The rows of the models that the settings name behind the endpoint; none without one."""
    return [_endpoint_row(name) for name in settings.PROMPT_ENDPOINT_MODELS]


def _endpoint_row(name: str) -> LanguageModel:
    """The row of the model that the endpoint knows as `name`: whichever key it has, it keeps."""
    known = LanguageModel.objects.filter(location=Location.ENDPOINT, source=name).first()
    return known or LanguageModel.objects.create(
        key=_endpoint_key(name),
        name=name,
        family=LanguageModel.Family.ENDPOINT,
        method=LanguageModel.Family.ENDPOINT,
        location=Location.ENDPOINT,
        source=name,
    )


def _endpoint_key(name: str) -> str:
    """A key that no other model has: `gpt-4.1` and `gpt-4-1` read alike where a key has neither dots nor slashes."""
    key = f"endpoint-{slugify(name.replace('/', '-').replace('.', '-'))[:50]}"
    if LanguageModel.objects.filter(key=key).exists():
        key += f"-{hashlib.sha256(name.encode()).hexdigest()[:12]}"
    return key
