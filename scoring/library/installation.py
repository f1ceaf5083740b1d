"""The rows of the models that are there: packaged ones, baselines, those behind the settings’ endpoint, and one row for
each baseline that a store of counted text gives.

What is added to a store makes other models, with rows of their own: scores that stand under a row keep their meaning.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.text import slugify

from corpus.provenance import digest
from scoring.baselines import LABELING, label_baseline
from scoring.baselines.associations.kneser_ney import KneserNey, TooLittleText
from scoring.baselines.associations.methods import METHODS, Needs
from scoring.baselines.associations.places import CONTENT, VECTORS, Manifest, current
from scoring.baselines.associations.reading import Outside, StoreError, open_store
from scoring.library.composed import Composed
from scoring.library.location import Location, associations_dir
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
    hashes = deciding(files)
    row, _ = LanguageModel.objects.update_or_create(
        key=model.key,
        defaults={
            "name": model.name,
            "family": family,
            "method": family,
            "location": Location.MODELS,
            "source": model.key,
            "revision": revision,
            "files": hashes,
            "file_hash": digest(hashes),
            "dtype": "float32",
            "settings": declared,
            "license": model.license,
        },
    )
    return row


def install_baselines() -> list[LanguageModel]:
    """The rows of the baselines that give labels."""
    rows = []
    for method in LABELING:
        baseline = label_baseline(method)
        defaults = {"name": baseline.name, "settings": dict(baseline.kept)}
        defaults |= {"family": LanguageModel.Family.BASELINE, "method": method}
        rows.append(LanguageModel.objects.update_or_create(key=method, defaults=defaults)[0])
    return rows


def install_endpoint() -> list[LanguageModel]:
    """The rows of the models that the settings name behind the endpoint; none without one."""
    return [_endpoint_row(name) for name in settings.PROMPT_ENDPOINT_MODELS]


def _endpoint_row(name: str) -> LanguageModel:
    """The row of the model that the endpoint knows as `name`: whichever key it has, it keeps."""
    row = LanguageModel.objects.filter(location=Location.ENDPOINT, source=name).first()
    return row or LanguageModel.objects.create(
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


# Of the content's hash, in keys and names.
SHOWN = 8


def install_counted(
    store: str,
    manifest: Manifest,
    own: Mapping[str, Mapping[str, int]] | None = None,
    outside: Outside | None = None,
) -> tuple[list[LanguageModel], dict[str, str]]:
    """The rows of a store's baselines, and for each that it has too little text for, the reason.

    `own` are other numbers than a method's own, by method, and `outside` other vectors than the store's: they are part
    of what a model is, so that it is another row with another key beside that with the method's own.
    """
    files = {CONTENT: manifest.content}
    rows, lacking = [], {}
    for method, counted in METHODS.items():
        others = outside if counted.needs == "vectors" else None
        reason = _lacks(store, manifest, "triples" if others else counted.needs)
        if reason:
            lacking[method] = reason
            continue
        numbers = {name: n for name, n in (own or {}).get(method, {}).items() if n != counted.settings[name]}
        key = "".join(f"-{name[0]}{n}" for name, n in sorted(numbers.items()))
        words = "".join(f", {name} {n}" for name, n in sorted(numbers.items()))
        if others:
            key += f"-v{others.sha256[:SHOWN]}"
            words += f", vectors {others.name} {others.sha256[:SHOWN]}"
        row, _ = LanguageModel.objects.update_or_create(
            key=f"{method}-{store}-{manifest.content[:SHOWN]}{key}",
            defaults={
                "name": f"{counted.name} ({store} {manifest.content[:SHOWN]}{words})",
                "family": LanguageModel.Family.BASELINE,
                "method": method,
                "location": Location.STORE,
                "source": store,
                "files": files,
                "file_hash": digest(files),
                "settings": {**counted.settings, **numbers, **_vectors(manifest, counted.needs, others)},
            },
        )
        rows.append(row)
    return rows, lacking


def baselines_of(store: str) -> list[LanguageModel]:
    """Every model of a store's present state, those with numbers or vectors of their own too; none without one."""
    manifest = current(associations_dir() / store)
    if manifest is None:
        return []
    state = digest({CONTENT: manifest.content})
    rows = LanguageModel.objects.filter(location=Location.STORE, source=store, file_hash=state)
    return sorted(rows, key=lambda row: (list(METHODS).index(row.method), row.key))


def _vectors(manifest: Manifest, needs: Needs, outside: Outside | None) -> dict[str, Any]:
    """Which vectors a method works with, as its settings; empty if with none."""
    if needs != "vectors":
        return {}
    return outside.settings if outside else {"vectors_sha256": manifest.files[VECTORS]}


def _lacks(store: str, manifest: Manifest, needs: Needs) -> str:
    """Why a store does not have what a method needs; empty if it does."""
    match needs:
        case "vectors":
            return "" if manifest.has_vectors else "too few words for word vectors"
        case "trigrams":
            return _lacks_trigrams(store, manifest)
        case "windows" if not manifest.window:
            return "the file of counts has no words near each other"
        case "triples" if not manifest.totals["triples"]:
            return "no verb was met twice with the same noun"
    return "" if manifest.totals["lemmas"] else "no noun, verb or adjective was met"


def _lacks_trigrams(store: str, manifest: Manifest) -> str:
    try:
        KneserNey.estimated(open_store(associations_dir() / store, manifest.content))
    except (TooLittleText, StoreError) as error:
        return str(error)
    return ""
