"""The baselines that a store gives: how each is called, and the numbers that it is computed with."""

from typing import Any

# By the name of the metric: the model's name, its settings, and whether it needs word vectors.
METHODS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "ppmi_syntax": ("PPMI-syntax", {}, False),
    "ppmi_syntax_smoothed": ("PPMI-syntax, smoothed", {}, False),
    # Published: 50 and 5 on a corpus of 2.8 billion words. These are for one of a few hundred million at most.
    "ppmi_unstructured": ("PPMI, unstructured", {"least_lemma": 5, "least_pair": 2}, False),
    # N and M of the published baseline.
    "thematic_fit": ("Thematic fit", {"fillers": 200, "prototype": 20}, True),
    # N and M of the published model.
    "sdm": ("SDM", {"fillers": 50, "prototype": 20}, True),
    "ngram": ("Trigrams, Kneser–Ney", {"order": 3}, False),
}
