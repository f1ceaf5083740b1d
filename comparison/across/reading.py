"""From a study's rows to its column: the same for the command and for pages."""

from collections.abc import Sequence

from annotation.models import Item, Study
from comparison.across.table import Studied, studied
from comparison.frame.assessors import Assessor
from comparison.frame.panel import Mask, Panel
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
    also_there = {str(run.pk): _also_there(study, run.model.training.studies) for run in trained}
    return studied(
        panel,
        name=study.slug,
        population=study.population,
        against=against,
        where=where,
        imported=frozenset(map(str, imported)),
        trained_on={str(run.pk): tuple(run.model.training.studies) for run in trained},
        by_majority=frozenset(str(run.pk) for run in trained if run.model.training.taught_by == "majority"),
        also_there={key: count for key, count in also_there.items() if count},
        assessors=assessors,
        way=way,
    )


def _also_there(study: Study, slugs: Sequence[str]) -> int:
    """How many of the study's targets are in one of those studies too, with the same content and reference."""
    others = Item.objects.filter(study__slug__in=slugs, kind=Item.Kind.TARGET).values("content_hash")
    return study.items.filter(kind=Item.Kind.TARGET, content_hash__in=others).count()
