"""What studies are called where several stand beside one another."""

from collections import Counter
from collections.abc import Iterable

from annotation.models import Study


def titles_of(studies: Iterable[Study]) -> dict[str, str]:
    """By slug: the title, with the slug behind it where another of these studies has the same title."""
    every = list(studies)
    found = Counter(study.title for study in every)
    return {study.slug: _title(study, is_shared=found[study.title] > 1) for study in every}


def _title(study: Study, *, is_shared: bool) -> str:
    return f"{study.title} ({study.slug})" if is_shared else study.title
