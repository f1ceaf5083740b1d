"""From a counted store to models: one row for each baseline that it gives.

What is added to a store makes other models, with rows of their own: scores that stand under a row keep their meaning.
"""

from corpus.provenance import digest
from scoring.baselines.associations.kneser_ney import KneserNey, TooLittleText
from scoring.baselines.associations.methods import METHODS, Needs
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
    for method, counted in METHODS.items():
        reason = _lacks(store, manifest, counted.needs)
        if reason:
            lacking[method] = reason
            continue
        vectors = {"vectors_sha256": manifest.files[VECTORS]} if counted.needs == "vectors" else {}
        row, _ = LanguageModel.objects.update_or_create(
            key=f"{method}-{store}-{manifest.content[:SHOWN]}",
            defaults={
                "name": f"{counted.name} ({store} {manifest.content[:SHOWN]})",
                "family": LanguageModel.Family.BASELINE,
                "method": method,
                "location": Location.STORE,
                "source": store,
                "files": files,
                "file_hash": digest(files),
                "settings": {**counted.settings, **vectors},
            },
        )
        rows.append(row)
    return rows, lacking


def _lacks(store: str, manifest: Manifest, needs: Needs) -> str:
    """Why a store does not have what a method needs; empty if it does."""
    match needs:
        case "vectors":
            return "" if manifest.has_vectors else "too few words for word vectors"
        case "trigrams":
            return _lacks_trigrams(store, manifest)
        case "triples" if not manifest.totals["triples"]:
            return "no verb was met twice with the same noun"
    return "" if manifest.totals["lemmas"] else "no noun, verb or adjective was met"


def _lacks_trigrams(store: str, manifest: Manifest) -> str:
    try:
        KneserNey.estimated(open_store(associations_dir() / store, manifest.content))
    except (TooLittleText, StoreError) as error:
        return str(error)
    return ""
