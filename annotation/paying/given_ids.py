"""What the platform calls whose sittings these are: only as long as it is kept of them in the sittings' study."""

from collections.abc import Iterable

from django.db.models import F

from annotation.models import Sitting


def given_ids(sittings: Iterable[int]) -> dict[int, str]:
    """By sitting, of those of which one is kept."""
    kept = Sitting.objects.filter(pk__in=sittings, study__platform_ids__annotator=F("annotator"))
    return dict(kept.order_by().values_list("pk", "study__platform_ids__value"))
