"""What a new study may be called in addresses."""

from itertools import chain, count

from annotation.models import Study
from corpus.slugs import LONGEST

# Room for the number of a name that another has already.
SPARE = 6


def free_slug(wanted: str) -> str:
    """A name for addresses that no study has: that one, or the next of `wanted-2`, `wanted-3` and so on."""
    stem = wanted[: LONGEST - SPARE].rstrip("-")
    taken = set(Study.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(slug for slug in chain([wanted], (f"{stem}-{number}" for number in count(2))) if slug not in taken)
