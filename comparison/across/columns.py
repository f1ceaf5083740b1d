"""From a study's rows to its column, for the command and for pages; and several studies' columns as one.

Two together are the BoolQ+ of Shen (2022), which tests on BoolQ and on AltBoolQ. Items of the same id, such as the
variants of one question, are one cluster, and so are those of one group: a rater who knows one of them tends to know
the other, and the interval must not take them for two.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from annotation.models import Item, Study
from comparison.across.table import LEARNT_SOME, LEARNT_VARIANTS, NO_TRUTH, Answers, Studied, studied
from comparison.frame.assessors import Assessor
from comparison.frame.panel import Mask, Panel
from comparison.page.item.variants import ATTRIBUTE as VARIANT
from comparison.page.item.variants import family_of
from comparison.statistics.accuracy.classes import Way
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.resampling.sample import grouped
from scoring.models import Run


def read_column(
    study: Study,
    panel: Panel,
    *,
    against: str,
    where: Mask,
    assessors: Sequence[Assessor] = (),
    way: Way | None = None,
) -> Studied:
    """Over the items of a mask, with what its runs learned from."""
    imported = Run.objects.filter(study=study, model__is_imported=True).values_list("pk", flat=True)
    trained = Run.objects.filter(study=study, model__training__isnull=False).select_related("model__training")
    return studied(
        panel,
        name=study.slug,
        population=study.population,
        against=against,
        where=where,
        imported=frozenset(map(str, imported)),
        trained_on={str(run.pk): tuple(run.model.training.studies) for run in trained},
        by_majority=frozenset(str(run.pk) for run in trained if run.model.training.taught_by == "majority"),
        also_there={str(run.pk): _learned_elsewhere(study, run.model.training.studies) for run in trained},
        assessors=assessors,
        way=way,
    )


def _learned_elsewhere(study: Study, slugs: Sequence[str]) -> list[str]:
    """In words, how many of the study's targets are in one of those studies too, as they are or in other words."""
    counts = {LEARNT_SOME: _also_there(study, slugs), LEARNT_VARIANTS: _variants_there(study, slugs)}
    return [words.format(count) for words, count in counts.items() if count]


def _also_there(study: Study, slugs: Sequence[str]) -> int:
    """How many of the study's targets are in one of those studies too, with the same content and reference."""
    others = Item.objects.filter(study__slug__in=slugs, kind=Item.Kind.TARGET).values("content_hash")
    return study.items.filter(kind=Item.Kind.TARGET, content_hash__in=others).count()


def _variants_there(study: Study, slugs: Sequence[str]) -> int:
    """How many of the study's targets one of those studies has in other words: under the same id, where one of the two
    says which variant it is. What stands there in the same words is counted by `_also_there`.
    """
    learned = Item.objects.filter(study__slug__in=slugs, kind=Item.Kind.TARGET, study__task_type=study.task_type)
    targets = study.items.filter(kind=Item.Kind.TARGET).exclude(content_hash__in=learned.values("content_hash"))
    own = {name: Known(*fields) for name, *fields in targets.values_list("external_id", "reference", "attributes")}
    by_study: dict[str, dict[str, Known]] = defaultdict(dict)
    for slug, name, *fields in learned.values_list("study__slug", "external_id", "reference", "attributes"):
        if name in own:
            by_study[slug][name] = Known(*fields)
    variants: set[str] = set()
    for slug, others in by_study.items():
        pairs = {name: (own[name], other) for name, other in others.items()}
        if family_of(slug) == family_of(study.slug) or _are_of_one_source([*pairs.values()]):
            variants |= {name for name, pair in pairs.items() if any(VARIANT in one.attributes for one in pair)}
    return len(variants)


class Known(NamedTuple):
    """What is known of an item beside its words."""

    reference: str | None
    attributes: Mapping[str, str]


def _are_of_one_source(pairs: Sequence[tuple[Known, Known]]) -> bool:
    """Whether items of two families that have the same ids are the same sources and not others that are numbered alike:
    references and the attributes that both have (a title) agree in all of them, and tell some of them apart.
    """
    descriptions = set()
    for one, other in pairs:
        shared = sorted(one.attributes.keys() & other.attributes.keys() - {VARIANT})
        values = [(name, one.attributes[name]) for name in shared]
        if one.reference != other.reference or any(other.attributes[name] != value for name, value in values):
            return False
        descriptions.add(tuple(values))
    return len(descriptions) > 1


class PoolError(ValueError):
    """The studies cannot be one column; str() says why."""


def pooled(name: str, studies: Sequence[Studied]) -> Studied:
    """One column over all items, with the raters that are in every study. PoolError where labels differ."""
    scales = {study.values for study in studies}
    if len(scales) > 1:
        details = "; ".join(f"{study.name}: {', '.join(study.values)}" for study in studies)
        raise PoolError(f"{name}: only studies with the same labels can be pooled. {details}.")
    clusters = _clusters(studies)
    answers = [{(one.origin, one.trained_on, one.rater): one for one in study.answers} for study in studies]
    everywhere = [key for key in answers[0] if all(key in by_key for by_key in answers)]
    truths = [study.truth for study in studies]
    populations = sorted({study.population for study in studies})
    return Studied(
        name=name,
        population=" + ".join(populations),
        truth=np.concatenate(truths),
        answers=tuple(_joined([by_key[key] for by_key in answers], truths) for key in everywhere),
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
