"""Several studies' columns as one: the BoolQ+ of Shen (2022), which tests on BoolQ and on AltBoolQ together.

Items of the same id, such as the variants of one question, are one cluster, and so are those of one group: a rater who
knows one of them tends to know the other, and the interval must not take them for two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from comparison.across.table import NO_TRUTH, Answers, Studied
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.resampling.sample import grouped


class PoolError(ValueError):
    """The studies cannot be one column; str() says why."""


def pooled(name: str, studies: Sequence[Studied]) -> Studied:
    """One column over all items, with the raters that are in every study. PoolError where labels differ."""
    scales = {study.values for study in studies}
    if len(scales) > 1:
        said = "; ".join(f"{study.name}: {', '.join(study.values)}" for study in studies)
        raise PoolError(f"{name}: only studies with the same labels can be pooled. {said}.")
    clusters = _clusters(studies)
    answers = [{(one.origin, one.trained_on, one.rater): one for one in study.answers} for study in studies]
    everywhere = [key for key in answers[0] if all(key in found for found in answers)]
    truths = [study.truth for study in studies]
    populations = sorted({study.population for study in studies})
    return Studied(
        name=name,
        population=" + ".join(populations),
        truth=np.concatenate(truths),
        answers=tuple(_joined([found[key] for found in answers], truths) for key in everywhere),
        no_truth=" / ".join(dict.fromkeys(study.no_truth for study in studies)) or NO_TRUTH,
        sample=grouped(clusters),
        items=tuple(item for study in studies for item in study.items),
        groups=tuple(clusters),
        values=studies[0].values,
        pooled=tuple(study.name for study in studies),
        left_out=sum(study.left_out for study in studies),
    )


def _clusters(studies: Sequence[Studied]) -> list[str]:
    """A name for the cluster of each item: items that share an id or a group, directly or by others, are in one."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    def names(study: Studied) -> Iterable[tuple[str, str]]:
        return ((f"item {item}", f"group {group}" if group else f"item {item}") for item, group in
                zip(study.items, study.groups, strict=True))  # fmt: skip

    for study in studies:
        for item, group in names(study):
            parent[root(item)] = root(group)
    return [root(item) for study in studies for item, _ in names(study)]


def _joined(several: Sequence[Answers], truths: Sequence[Ints]) -> Answers:
    lone = [one.lone if one.lone is not None else np.zeros(len(one.decided), dtype=bool) for one in several]
    return replace(
        several[0],
        decided=np.concatenate([one.decided for one in several]),
        unscored=np.concatenate([one.unscored for one in several]),
        answered=np.concatenate([one.answered for one in several]),
        truth=_truths(several, truths),
        lone=np.concatenate(lone) if any(one.lone is not None for one in several) else None,
        only_rates=next((one.only_rates for one in several if one.only_rates), ""),
        note="; ".join(dict.fromkeys(one.note for one in several if one.note)),
    )


def _truths(several: Sequence[Answers], truths: Sequence[Ints]) -> Ints | None:
    """What is true for this rater alone, where it is so anywhere."""
    if all(one.truth is None for one in several):
        return None
    return np.concatenate([own if one.truth is None else one.truth for one, own in zip(several, truths, strict=True)])


def different_items(study: Studied) -> int:
    """How many ids the items with a truth have between them."""
    return len({item for item, true in zip(study.items, study.truth, strict=True) if true != MISSING})
