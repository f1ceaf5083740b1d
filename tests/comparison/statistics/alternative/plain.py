"""The alternative annotator test as its paper tells it, person by person and item by item, with nothing shared."""

import math

from scipy.stats import ttest_1samp, wilcoxon

# person -> item -> label
Said = dict[int, dict[int, float]]


def score(label: float, others: list[float], scoring: str) -> float:
    if scoring == "accuracy":
        return sum(label == other for other in others) / len(others)
    return -math.sqrt(sum((label - other) ** 2 for other in others) / len(others))


def rivals(people: Said, model: dict[int, float], *, scoring: str, cost: float, fewest: int):
    """Each person's items, ρ^f, ρ^h and p; those with fewer items than `fewest` are left out."""
    found = {}
    for person, labels in people.items():
        nearer, kept = [], []
        for item, label in labels.items():
            others = [said[item] for other, said in people.items() if other != person and item in said]
            if item not in model or not others:
                continue
            mine, theirs = score(model[item], others, scoring), score(label, others, scoring)
            near = math.isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-12)
            nearer.append(near or mine > theirs)
            kept.append(near or theirs > mine)
        if len(nearer) < fewest:
            continue
        differences = [int(one) - int(other) for one, other in zip(kept, nearer, strict=True)]
        if len(nearer) < 30:
            p = wilcoxon([difference - cost for difference in differences], alternative="less").pvalue
        else:
            p = ttest_1samp(differences, cost, alternative="less").pvalue
        found[person] = (len(nearer), sum(nearer) / len(nearer), sum(kept) / len(kept), p)
    return found


def beaten(ps: list[float], rate: float = 0.05) -> int:
    """How many hypotheses Benjamini and Yekutieli (2001) reject."""
    harmonic = sum(1 / place for place in range(1, len(ps) + 1))
    return max((k for k, p in enumerate(sorted(ps), 1) if p <= k / len(ps) * rate / harmonic), default=0)
