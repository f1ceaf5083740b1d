"""The baselines that a store of counted text gives: how each is called, what it needs, and with which numbers.

To add one more:

1. What it computes from a store and an event, in a module beside this, and a scorer in scoring/baselines/counted.py.
2. An entry in METHODS below, from which metrics, scorers, rows and keys are made.
3. Its rule in docs/metrics.md, and the words that it gives as parts in tests/scoring/baselines/test_counted.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# What a store must have for it: words near each other, verbs with their nouns, word vectors, or three words in a row.
Needs = Literal["windows", "triples", "vectors", "trigrams"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One of them. `scorer` is a class of scoring/baselines/counted.py; `description` is its metric's."""

    name: str
    description: str
    scorer: str
    needs: Needs
    # A sentence on when to trust it, and its rule in docs/metrics.md.
    trust: str
    rule: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    # The others are associations or cosines: they are not to be called log-probabilities anywhere.
    is_logprob: bool = False


# By the name of the metric, which is the method's.
METHODS = {
    "ppmi_syntax": Counted(
        name="PPMI-syntax",
        description="sum of the PPMI of the verb with each noun in its relation",
        scorer="SyntacticScorer",
        needs="triples",
        trust="Trust it for verbs and nouns that are frequent in the text; pairs it has never seen score 0.",
        rule="k1",
    ),
    "ppmi_syntax_smoothed": Counted(
        name="PPMI-syntax, smoothed",
        description="PPMI of the verb with each noun, smoothed as in the published files (Kauf, Ivanova et al. 2023)",
        scorer="SmoothedScorer",
        needs="triples",
        trust="Use it to replicate the published scores; words that are rare in a relation get high values.",
        rule="k2",
    ),
    "ppmi_unstructured": Counted(
        name="PPMI, unstructured",
        description="sum of the PPMI of the verb with each noun nearby, ignoring relations",
        scorer="UnstructuredScorer",
        needs="windows",
        trust="It ignores who does what, so it is the floor for models that do not.",
        rule="k3",
        # Published: 50 and 5 on a corpus of 2.8 billion words. These are for one of a few hundred million at most.
        settings={"least_lemma": 5, "least_pair": 2},
    ),
    "thematic_fit": Counted(
        name="Thematic fit",
        description="similarity of the last argument to the prototype that the other words predict",
        scorer="ThematicFitScorer",
        needs="vectors",
        trust="Trust it for frequent verbs and nouns; with few fillers, the prototype is arbitrary.",
        rule="thematic-fit",
        # N and M of the published baseline.
        settings={"fillers": 200, "prototype": 20},
    ),
    "sdm": Counted(
        name="SDM",
        description="Structured Distributional Model: linguistic conditions and active context (Chersoni et al. 2019)",
        scorer="SdmScorer",
        needs="vectors",
        trust="Trust it for frequent words; for short sentences it adds little to thematic fit.",
        rule="sdm",
        # N and M of the published model.
        settings={"fillers": 50, "prototype": 20},
    ),
    "ngram": Counted(
        name="Trigrams, Kneser–Ney",
        description="log-probability of the sentence under an interpolated Kneser–Ney trigram model",
        scorer="NgramScorer",
        needs="trigrams",
        trust="It sees only three words at a time; compare sentences with equal numbers of words.",
        rule="ngram",
        settings={"order": 3},
        is_logprob=True,
    ),
}
