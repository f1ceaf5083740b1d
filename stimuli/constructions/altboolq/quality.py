"""How good a perturbation is: the figures of section 5.2, over the documents of one build."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from stimuli.constructions.altboolq.documents import Document
from stimuli.constructions.altboolq.working import Made

# Section 5.2 at freq_cutoff 0.20: the first for the training set, the others for the validation set.
PUBLISHED = {
    "documents_without_lemma_errors": 0.866,
    "documents_with_all_clusters_matching": 0.519,
    "words_in_the_old_cluster": 0.936,
    "mean_similarity": 0.9547,
}


def quality(documents: Sequence[Document], made: Sequence[Made], *, kept: Sequence[Made]) -> dict[str, Any]:
    """Shares from 0 to 1; None where there is nothing to count.

    Match and similarity are means over documents of means over groups, as in the paper's notebook; a drawn word
    counts as similarity 1. `mean_similarity_of_analogies` leaves the drawn words out.
    """
    by_id = {document.id: document for document in documents}
    changed = [one for one in kept if one.groups]
    analogies = [
        (group.similarity * len(group.words) - 1) / (len(group.words) - 1)
        for one in changed
        for group in one.groups
        if len(group.words) > 1
    ]
    return {
        "documents_without_lemma_errors": _mean([not one.lemma_errors for one in made]),
        "documents_with_all_clusters_matching": _mean(
            [all(group.cluster_match == 1.0 for group in one.groups) for one in changed]
        ),
        "words_in_the_old_cluster": _mean([fmean(group.cluster_match for group in one.groups) for one in changed]),
        "mean_similarity": _mean([fmean(group.similarity for group in one.groups) for one in changed]),
        "mean_similarity_of_analogies": _mean(analogies),
        "words_of_the_old_kind": _mean([fmean(group.of_kind for group in one.groups) for one in changed]),
        "words_about_as_frequent": _mean([fmean(group.in_band for group in one.groups) for one in changed]),
        "documents_with_a_selection": _mean([bool(one.selected) for one in made]),
        "words_selected": _mean([_share(one.selected, by_id[one.id].counts) for one in made]),
        "words_out_of_vocabulary": _mean([_share(one.unknown, by_id[one.id].counts) for one in made]),
        "words_redacted": _mean([_share(_redacted(one), by_id[one.id].counts) for one in kept]),
        "words_replaced": _mean([_share(_replaced(one), by_id[one.id].counts) for one in kept]),
        "words_per_group": _mean([len(group.words) for one in changed for group in one.groups]),
    }


def figures(found: Mapping[str, Any]) -> list[str]:
    """One line a figure for the terminal, with the published one beside it."""
    lines = []
    for name, value in found.items():
        beside = f" (published {PUBLISHED[name]})" if name in PUBLISHED else ""
        lines.append(f"{name.replace('_', ' ')}: {'nothing to count' if value is None else value}{beside}")
    return lines


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 4) if values else None


def _share(words: Sequence[str], counts: Mapping[str, int]) -> float:
    total = sum(counts.values())
    return sum(counts[word] for word in words) / total if total else 0.0


def _replaced(made: Made) -> list[str]:
    return [word for group in made.groups for word in group.words]


def _redacted(made: Made) -> list[str]:
    return sorted({*made.unknown, *made.selected} - set(_replaced(made)))
