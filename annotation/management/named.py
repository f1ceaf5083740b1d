"""The study that a command is told the name of."""

from django.core.management.base import CommandError

from annotation.models import Study


def named(slug: str) -> Study:
    """CommandError with the names that there are, where this is none."""
    study = Study.objects.filter(slug=slug).first() if slug.isprintable() else None
    if study is None:
        known = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no study {slug!r}. There are: {known}.", returncode=2)
    return study
