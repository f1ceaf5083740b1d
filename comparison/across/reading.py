"""From a study's rows to its column: the same for the command and for pages."""

from collections.abc import Sequence

from django.db.models import Q

from annotation.models import Item, Study
from comparison.across.table import LEARNT_SOME, LEARNT_VARIANTS, Studied, studied
from comparison.frame.assessors import Assessor
from comparison.frame.panel import Mask, Panel
from comparison.page.item.variants import ATTRIBUTE as VARIANT
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
    as_variants = learned.filter(attributes__has_key=VARIANT).values("external_id")
    targets = study.items.filter(kind=Item.Kind.TARGET).exclude(content_hash__in=learned.values("content_hash"))
    is_variant = Q(external_id__in=as_variants)
    is_variant |= Q(attributes__has_key=VARIANT, external_id__in=learned.values("external_id"))
    return targets.filter(is_variant).count()
