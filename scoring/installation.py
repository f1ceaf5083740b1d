"""The rows of the models that are there: packaged ones, baselines, and those behind the settings' endpoint."""

from django.conf import settings
from django.utils.text import slugify

from scoring.composed import Composed
from scoring.models import PACKAGED, LanguageModel
from scoring.packaged import WEIGHTS, Packaged, packaged

BASELINES = {
    "majority": ("Majority label", {}),
    "normative": ("Normative rule (ADEPT)", {}),
    "random": ("Random label", {"seed": 1}),
}


def install_packaged(model: Packaged, files: dict[str, str]) -> LanguageModel:
    """The row of a packaged model whose files, with these hashes, are in place."""
    row, _ = LanguageModel.objects.update_or_create(
        key=model.key,
        defaults={
            "name": model.name,
            "family": model.family,
            "source": PACKAGED + model.key,
            "revision": model.requirement,
            "file_hash": files[WEIGHTS],
            "dtype": "float32",
            "settings": model.settings,
            "licence": model.licence,
        },
    )
    return row


def install_composed(model: Composed, files: dict[str, str]) -> LanguageModel:
    """The row of a composed model whose files, with these hashes, are in place."""
    encoder = packaged(model.encoder)
    row, _ = LanguageModel.objects.update_or_create(
        key=model.key,
        defaults={
            "name": model.name,
            "family": LanguageModel.Family.MASKED,
            "source": PACKAGED + model.key,
            "revision": model.revision,
            "file_hash": files[WEIGHTS],
            "dtype": "float32",
            "settings": {
                "encoder": encoder.requirement,
                "encoder_wheel_sha256": encoder.wheel_sha256,
                "artefact_sha256": model.artefact_sha256,
            },
            "licence": model.licence,
        },
    )
    return row


def install_baselines() -> list[LanguageModel]:
    """The rows of the built-in baselines."""
    rows = []
    for key, (name, told) in BASELINES.items():
        row, _ = LanguageModel.objects.update_or_create(
            key=key,
            defaults={"name": name, "family": LanguageModel.Family.BASELINE, "source": key, "settings": told},
        )
        rows.append(row)
    return rows


def install_endpoint() -> list[LanguageModel]:
    """The rows of the models that the settings name behind the endpoint; none without one."""
    rows = []
    for name in settings.PROMPT_ENDPOINT_MODELS:
        row, _ = LanguageModel.objects.update_or_create(
            key=f"endpoint-{slugify(name.replace('/', '-').replace('.', '-'))}"[:80],
            defaults={"name": name, "family": LanguageModel.Family.ENDPOINT, "source": name},
        )
        rows.append(row)
    return rows
