"""From a counted store to models: one row for each baseline that it gives.

What is added to a store makes other models, with rows of their own: scores that stand under a row keep their meaning.
"""

from corpus.provenance import digest
from scoring.baselines.associations.kneser_ney import KneserNey, TooLittleText
from scoring.baselines.associations.methods import METHODS
from scoring.baselines.associations.places import CONTENT, VECTORS, Manifest
from scoring.baselines.associations.reading import StoreError, open_store
from scoring.library.location import Location, associations_dir
from scoring.models import LanguageModel

# Of the content's hash, in keys and names.
SHOWN = 8


def install_counted(store: str, manifest: Manifest) -> tuple[list[LanguageModel], dict[str, str]]:
    """The rows of a store's baselines, and for each that it has too little text for, the reason."""
    files = {CONTENT: manifest.content}
    rows, lacking = [], {}
    for method, (name, settings, needs_vectors) in METHODS.items():
        reason = _lacks(store, manifest, method, needs_vectors=needs_vectors)
        if reason:
            lacking[method] = reason
            continue
        vectors = {"vectors_sha256": manifest.files[VECTORS]} if needs_vectors else {}
        row, _ = LanguageModel.objects.update_or_create(
            key=f"{method}-{store}-{manifest.content[:SHOWN]}",
            defaults={
                "name": f"{name} ({store} {manifest.content[:SHOWN]})",
                "family": LanguageModel.Family.BASELINE,
                "method": method,
                "location": Location.STORE,
                "source": store,
                "files": files,
                "file_hash": digest(files),
                "settings": settings | vectors,
            },
        )
        rows.append(row)
    return rows, lacking


def _lacks(store: str, manifest: Manifest, method: str, *, needs_vectors: bool) -> str:
    """Why a method cannot be used with this store; empty if it can."""
    if needs_vectors:
        return "" if manifest.has_vectors else "too few words for word vectors"
    if method == "ngram":
        try:
            KneserNey.estimated(open_store(associations_dir() / store, manifest.content))
        except (TooLittleText, StoreError) as error:
            return str(error)
        return ""
    if method.startswith("ppmi_syntax") and not manifest.totals["triples"]:
        return "no verb was met twice with the same noun"
    if not manifest.totals["lemmas"]:
        return "no noun, verb or adjective was met"
    return ""
