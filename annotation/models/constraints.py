"""What several models declare: that a field is one of its choices, and that a row is never changed."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q


def one_of(field: str, choices: type[models.TextChoices], *, name: str) -> models.CheckConstraint:
    """The database holds the field to the choices as well: an update of a query set asks no form."""
    return models.CheckConstraint(condition=Q((f"{field}__in", choices.values)), name=name)


class NeverChanged(models.Model):
    """Rows that are saved once and never changed; saving one again raises an error with the text `REFUSED`."""

    REFUSED: ClassVar[str]

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(self.REFUSED)
        super().save(*args, **kwargs)
