"""From a study's rows to its column: the same for the command and for pages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from annotation.models import Item, Study
from comparison.across.table import LEARNT_SOME, LEARNT_VARIANTS, Studied, studied
from comparison.frame.assessors import Assessor
from comparison.frame.panel import Mask, Panel
from comparison.page.item.variants import ATTRIBUTE as VARIANT
from comparison.page.item.variants import family_of
from comparison.statistics.accuracy.classes import Way
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
    said = {LEARNT_SOME: _also_there(study, slugs), LEARNT_VARIANTS: _variants_there(study, slugs)}
    return [words.format(count) for words, count in said.items() if count]


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
    here = {name: Known(*known) for name, *known in targets.values_list("external_id", "reference", "attributes")}
    there: dict[str, dict[str, Known]] = defaultdict(dict)
    for slug, name, *known in learned.values_list("study__slug", "external_id", "reference", "attributes"):
        if name in here:
            there[slug][name] = Known(*known)
    found: set[str] = set()
    for slug, others in there.items():
        pairs = {name: (here[name], other) for name, other in others.items()}
        if family_of(slug) == family_of(study.slug) or _are_of_one_source([*pairs.values()]):
            found |= {name for name, pair in pairs.items() if any(VARIANT in one.attributes for one in pair)}
    return len(found)


class Known(NamedTuple):
    """What is known of an item beside its words."""

    reference: str | None
    attributes: Mapping[str, str]


def _are_of_one_source(pairs: Sequence[tuple[Known, Known]]) -> bool:
    """Whether items of two families that have the same ids are the same sources and not others that are numbered alike:
    references and the attributes that both have (a title) agree in all of them, and tell some of them apart.
    """
    said = set()
    for one, other in pairs:
        shared = sorted(one.attributes.keys() & other.attributes.keys() - {VARIANT})
        values = [(name, one.attributes[name]) for name in shared]
        if one.reference != other.reference or any(other.attributes[name] != value for name, value in values):
            return False
        said.add(tuple(values))
    return len(said) > 1
