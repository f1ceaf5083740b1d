"""How good a perturbation is: the figures of section 5.2, over the documents of one build."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from scipy.stats import binomtest

from stimuli.constructions.altboolq.documents import Document
from stimuli.constructions.altboolq.working import DocumentOutcome

# Section 5.2 at freq_cutoff 0.20, by the set that a figure is of.
VALIDATION, TRAINING = "validation set", "training set"
PUBLISHED = {
    "documents_without_lemma_errors": {VALIDATION: 0.888, TRAINING: 0.866},
    "documents_with_all_clusters_matching": {VALIDATION: 0.519},
    "words_in_the_old_cluster": {VALIDATION: 0.936},
    "mean_similarity": {VALIDATION: 0.9547},
}
LEVEL = 0.05
# Of documents anew, for intervals of means: as many as for those of the results.
DRAWS = 1_000
# Why some have no interval.
OF_GROUPS = "groups of one document hang together"
FEW = "fewer than two documents"
ALIKE = "all documents have the same"

Measured = dict[str, Any]


def quality(
    documents: Sequence[Document], outcomes: Sequence[DocumentOutcome], *, usable: Sequence[DocumentOutcome]
) -> dict[str, Measured]:
    """Each with `value` (None where there is nothing to count), `n`, and `low` and `high` or `no_interval`.

    Match and similarity are means over documents of means over groups, as in the paper's notebook; a drawn word
    counts as similarity 1. `mean_similarity_of_analogies` leaves the drawn words out.
    """
    by_id = {document.id: document for document in documents}
    changed = [one for one in usable if one.groups]
    analogies = [
        (group.similarity * len(group.words) - 1) / (len(group.words) - 1)
        for one in changed
        for group in one.groups
        if len(group.words) > 1
    ]
    return {
        "documents_without_lemma_errors": _documents([not one.lemma_errors for one in outcomes]),
        "documents_with_all_clusters_matching": _documents(
            [all(group.cluster_match == 1.0 for group in one.groups) for one in changed]
        ),
        "words_in_the_old_cluster": _mean([fmean(group.cluster_match for group in one.groups) for one in changed]),
        "mean_similarity": _mean([fmean(group.similarity for group in one.groups) for one in changed]),
        "mean_similarity_of_analogies": _of_groups(analogies),
        "words_of_the_old_kind": _mean([fmean(group.of_kind for group in one.groups) for one in changed]),
        "words_about_as_frequent": _mean([fmean(group.in_band for group in one.groups) for one in changed]),
        "documents_with_a_selection": _documents([bool(one.selected) for one in outcomes]),
        "words_selected": _mean([_share(one.selected, by_id[one.id].counts) for one in outcomes]),
        "words_out_of_vocabulary": _mean([_share(one.unknown, by_id[one.id].counts) for one in outcomes]),
        "words_redacted": _mean([_share(_redacted(one), by_id[one.id].counts) for one in usable]),
        "words_replaced": _mean([_share(_replaced(one), by_id[one.id].counts) for one in usable]),
        "words_per_group": _of_groups([len(group.words) for one in changed for group in one.groups]),
    }


def lines(measures: Mapping[str, Measured]) -> list[str]:
    """One line a figure for the terminal, with the published ones beside it."""
    return [f"{name.replace('_', ' ')}: {_said(one)}{_in_brackets(name)}" for name, one in measures.items()]


def _said(one: Measured) -> str:
    if one["value"] is None:
        return "nothing to count"
    interval = f"[{one['low']}, {one['high']}]" if "low" in one else f"(no interval: {one['no_interval']})"
    return f"{one['value']} {interval}, n = {one['n']:,} ({one['of']})"


def _in_brackets(name: str) -> str:
    published = published_of(name)
    return f" (published: {published})" if published else ""


def published_of(name: str) -> str:
    """The paper's own, with the set that it is of; empty where it has none."""
    return ", ".join(f"{value} for the {of}" for of, value in PUBLISHED.get(name, {}).items())


def _documents(those: Sequence[bool]) -> Measured:
    """A share of documents, with Wilson's interval."""
    figure = _figure(those, of="documents")
    if not those:
        return figure
    low, high = binomtest(sum(those), len(those)).proportion_ci(1 - LEVEL, method="wilson")
    return figure | {"low": round(float(low), 4), "high": round(float(high), 4)}


def _mean(values: Sequence[float]) -> Measured:
    """A mean over documents, with an interval by drawing documents anew: the same one each time."""
    figure = _figure(values, of="documents")
    if not values:
        return figure
    if len(values) < 2 or len(set(values)) == 1:
        return figure | {"no_interval": FEW if len(values) < 2 else ALIKE}
    size = len(values)
    weights = np.random.default_rng(0).multinomial(size, np.full(size, 1 / size), size=DRAWS)
    low, high = np.quantile(weights @ np.asarray(values, dtype=np.float64) / size, [LEVEL / 2, 1 - LEVEL / 2])
    return figure | {"low": round(float(low), 4), "high": round(float(high), 4)}


def _of_groups(values: Sequence[float]) -> Measured:
    """A mean over groups."""
    figure = _figure(values, of="groups")
    return figure | {"no_interval": OF_GROUPS} if values else figure


def _figure(values: Sequence[float], *, of: str) -> Measured:
    return {"value": round(fmean(values), 4) if values else None, "n": len(values), "of": of}


def _share(words: Sequence[str], counts: Mapping[str, int]) -> float:
    total = sum(counts.values())
    return sum(counts[word] for word in words) / total if total else 0.0


def _replaced(outcome: DocumentOutcome) -> list[str]:
    return [word for group in outcome.groups for word in group.words]


def _redacted(outcome: DocumentOutcome) -> list[str]:
    return sorted({*outcome.unknown, *outcome.selected} - set(_replaced(outcome)))
