"""Reading the items of studies as a classifier is trained on them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.models import Item, Study
from annotation.tasktypes.contract import Labeled
from scoring.scorers.recipes import Recipe
from training.classifier.examples import NO_LABEL, NO_MAJORITY, NO_REFERENCE, ONE_LABEL, Split, StudyItem, split, texts
from training.classifier.settings import MAJORITY, Settings

PIECE = 500


class CannotCollect(ValueError):
    """These studies do not fit the recipe. str() says which and why."""


def collect(
    studies: Sequence[Study], recipe: Recipe, *, taught_by: str, apart_from: Sequence[Study], settings: Settings
) -> Split:
    """The targets of the studies, one after the other, as a training and a held-out part.

    `taught_by` is whose labels they are learned with, one of TAUGHT_BY. Raises CannotCollect where a study is of
    another type, and CannotSplit where nothing could be learned.
    """
    for study in studies:
        if study.task_type != recipe.task_type:
            raise CannotCollect(f"{recipe.key} reads {recipe.task_type} items, but {study.slug} has {study.task_type}.")
    scale = studies[0].task.scale.values
    if settings.without is not None and settings.without not in scale:
        raise CannotCollect(f"There is no label {settings.without!r} to leave out. Available: {', '.join(scale)}.")
    apart = (row for study in apart_from for row in _rows(study, taught_by))
    return split(
        (row for study in studies for row in _rows(study, taught_by)),
        recipe,
        labels=[label for label in scale if label != settings.without],
        apart_from=frozenset(text for row in apart for text in texts(row.request)),
        without=settings.without,
        held_out=settings.held_out,
        seed=settings.split_seed,
    )


def find_studies(slugs: Sequence[str], *, among: QuerySet[Study] | None = None) -> list[Study]:
    """The studies of these slugs, in that order; CannotCollect, listing those there are, for an unknown one.

    `among` are those of whoever asks on a page: of others it does not say that they are there.
    """
    studies = Study.objects.all() if among is None else among
    printable = [slug for slug in slugs if slug.isprintable()]
    by_slug = {study.slug: study for study in studies.filter(slug__in=printable)}
    for slug in slugs:
        if slug not in by_slug:
            available = ", ".join(studies.values_list("slug", flat=True)) or "none; run manage.py load_study"
            raise CannotCollect(f"There is no study {slug!r}. Available: {available}.")
    return [by_slug[slug] for slug in dict.fromkeys(slugs)]


@dataclass(frozen=True, slots=True)
class Teaching:
    """A study that can teach, and how many of its items can: by their references, and by the majority of labels."""

    study: Study
    references: int
    majorities: int


def teaching(recipe: Recipe, among: QuerySet[Study]) -> list[Teaching]:
    """Those of the studies that the recipe can learn from, by title."""
    taught = [Q(items__reference__isnull=False), Q(items__agreed__gt=0)]
    references, majorities = (Count("items", filter=Q(items__kind=Item.Kind.TARGET) & one) for one in taught)
    annotated = among.filter(task_type=recipe.task_type).annotate(references=references, majorities=majorities)
    teachable = annotated.filter(Q(references__gt=0) | Q(majorities__gt=0)).order_by("title", "slug")
    return [Teaching(study, study.references, study.majorities) for study in teachable]


def _rows(study: Study, taught_by: str) -> Iterator[StudyItem]:
    """In the order of the item file. An item without a group is one of its own."""
    task = study.task
    targets = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    columns = ("external_id", "content", "reference", "group", "tally")
    for item in targets.only(*columns).iterator(chunk_size=PIECE):
        label = item.majority if taught_by == MAJORITY else item.reference
        lacks = _why_no_majority(item) if taught_by == MAJORITY else NO_REFERENCE
        for request in task.requests(item.content, "label"):
            assert isinstance(request, Labeled)  # what the shape asks for
            yield StudyItem(item.group or item.external_id, request, label, lacks)


def _why_no_majority(item: Item) -> str:
    labels = sum(item.tally.values())
    return NO_MAJORITY if labels > 1 else ONE_LABEL if labels else NO_LABEL
