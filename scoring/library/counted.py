"""From a counted store to models: one row for each baseline that it gives.

What is added to a store makes other models, with rows of their own: scores that stand under a row keep their meaning.
"""

from collections.abc import Mapping
from typing import Any

from corpus.provenance import digest
from scoring.baselines.associations.kneser_ney import KneserNey, TooLittleText
from scoring.baselines.associations.methods import METHODS, Needs
from scoring.baselines.associations.outside import Outside
from scoring.baselines.associations.places import CONTENT, VECTORS, Manifest, current
from scoring.baselines.associations.reading import StoreError, open_store
from scoring.library.location import Location, associations_dir
from scoring.models import LanguageModel

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
