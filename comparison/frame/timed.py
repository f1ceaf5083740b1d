"""How long each answer to a target took: read straight from the database, without pandas."""

from typing import Any

import numpy as np

from annotation.models import Assignment, Item, Study


def read_timed(study: Study) -> Any:
    """The annotator and the milliseconds of every answer to a target that was timed, by annotator."""
    targets = Assignment.objects.filter(
        sitting__study=study, state__in=Assignment.ANSWERED, item__kind=Item.Kind.TARGET
    ).order_by()
    timed = targets.filter(judgment__response_ms__isnull=False).values_list("annotator", "judgment__response_ms")
    found = np.fromiter(timed.iterator(chunk_size=10_000), dtype=[("annotator", np.int64), ("took", np.int64)])
    found.sort(order="annotator")
    return found


def excluded_of(study: Study) -> list[int]:
    """The annotators whose exclusion is in force."""
    return list(study.exclusions.filter(lifted_at=None).values_list("annotator", flat=True))
