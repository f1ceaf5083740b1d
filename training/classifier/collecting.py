"""Reading the items of studies as a classifier is trained on them."""

from collections.abc import Iterator, Sequence

from django.db.models import Count, Q

from annotation.models import Item, Study
from annotation.tasktypes.contract import Labeled
from scoring.scorers.recipes import Recipe
from training.classifier.examples import Row, Split, split, texts
from training.classifier.settings import Settings

PIECE = 500


class CannotCollect(ValueError):
    """These studies do not fit the recipe. str() says which and why."""


def collect(studies: Sequence[Study], recipe: Recipe, *, apart_from: Sequence[Study], settings: Settings) -> Split:
    """The targets of the studies, one after the other, as a training and a held-out part.

    Raises CannotCollect where a study is of another type, and CannotSplit where nothing could be learned.
    """
    for study in studies:
        if study.task_type != recipe.task_type:
            raise CannotCollect(f"{recipe.key} reads {recipe.task_type} items, and {study.slug} has {study.task_type}.")
    scale = studies[0].task.scale.values
    if settings.without is not None and settings.without not in scale:
        raise CannotCollect(f"There is no label {settings.without!r} to leave out. There are: {', '.join(scale)}.")
    elsewhere = frozenset(text for study in apart_from for row in _rows(study) for text in texts(row.request))
    return split(
        (row for study in studies for row in _rows(study)),
        recipe,
        labels=[label for label in scale if label != settings.without],
        apart_from=elsewhere,
        without=settings.without,
        held_out=settings.held_out,
        seed=settings.split_seed,
    )


def find_studies(slugs: Sequence[str]) -> list[Study]:
    """The studies of these slugs, in that order; CannotCollect, listing those there are, for an unknown one."""
    printable = [slug for slug in slugs if slug.isprintable()]
    found = {study.slug: study for study in Study.objects.filter(slug__in=printable)}
    for slug in slugs:
        if slug not in found:
            known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none; run manage.py load_study"
            raise CannotCollect(f"There is no study {slug!r}. There are: {known}.")
    return [found[slug] for slug in dict.fromkeys(slugs)]


def studies_for(recipe: Recipe) -> list[tuple[Study, int]]:
    """The studies that the recipe can learn from, by title, each with how many of its items have a reference."""
    teaching = Count("items", filter=Q(items__kind=Item.Kind.TARGET, items__reference__isnull=False))
    found = Study.objects.filter(task_type=recipe.task_type).annotate(teaching=teaching)
    return [(study, study.teaching) for study in found.filter(teaching__gt=0).order_by("title", "slug")]


def _rows(study: Study) -> Iterator[Row]:
    """In the order of the item file. An item without a group is one of its own."""
    task = study.task
    targets = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    for item in targets.only("external_id", "content", "reference", "group").iterator(chunk_size=PIECE):
        for request in task.requests(item.content, "label"):
            assert isinstance(request, Labeled)  # what the shape asks for
            yield Row(item.group or item.external_id, request, item.reference)
